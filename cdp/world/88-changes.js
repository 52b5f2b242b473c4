// Notices of change, while somebody listens: what an agent sees may be different
// now. They carry nothing, and come at most ten times a second.

const NOTICE_GAP = 100;
let listening = null, noticeDue = false, lastNotice = 0;

function notice() {
  if (noticeDue || !listening) return;
  noticeDue = true;
  const wait = Math.max(0, NOTICE_GAP - (performance.now() - lastNotice));
  setTimeout(() => {
    noticeDue = false;
    lastNotice = performance.now();
    if (listening) globalThis[listening.binding]?.("");
  }, wait);
}

// The pointer moves all the time; only what it is over counts.
let lastOver = null;
function noticeOver(e) {
  const over = e.composedPath()[0];
  if (over !== lastOver) { lastOver = over; notice(); }
}

const CHANGES = { selectionchange: notice, select: notice, focusin: notice, focusout: notice, input: notice, pointerover: noticeOver,
  visibilitychange: notice, fullscreenchange: notice, toggle: notice, scrollend: notice };

// listen has the page's changes told through the binding of that name; an empty
// name ends it.
function listen(binding) {
  if (listening) {
    for (const type in CHANGES) removeEventListener(type, CHANGES[type], { capture: true });
    listening.title.disconnect();
    listening = null;
  }
  if (!binding) return;
  listening = { binding, title: new MutationObserver(notice) };
  for (const type in CHANGES) addEventListener(type, CHANGES[type], { passive: true, capture: true });
  const head = document.head;
  if (head) listening.title.observe(head, { childList: true, subtree: true, characterData: true });
  for (const root of liveRoots()) if (root === document) listening.title.observe(document, { attributes: true, subtree: true,
    attributeFilter: ["aria-selected", "aria-activedescendant"] });
}
