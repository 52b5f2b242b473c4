// What stirs, while somebody waits for a page to be so and stay so: which elements
// were changed since the last reading, so that what was something else in between is
// known not to have stayed. Each change is told as a notice.

const FIELD_LOOK = 20, MAX_LOOKED = 500, MAX_STIRRED = 20000;
let stirring = null;

function touch(node) {
  for (let n = node; n && !stirring.touched.has(n); n = flatParent(n)) {
    if (stirring.touched.size >= MAX_STIRRED) { stirring.all = true; return; }
    stirring.touched.add(n);
  }
}
function stirred(node) {
  if (node) touch(nodeType(node) === TEXT ? flatParent(node) : isElement(node) ? node : node instanceof ShadowRoot ? rootHost(node) : docElement(document));
  notice();
}
// takesAway tells of a change by which an element may have gone, or become hidden.
function takesAway(m) {
  if (m.type === "attributes") return /^(hidden|aria-hidden|inert|open)$/.test(m.attributeName);
  for (const n of m.removedNodes) if (isElement(n)) return true;
  return false;
}
// A script that sets a field's value changes nothing that an observer sees.
const holds = (el) => (el instanceof HTMLSelectElement ? String([...el.selectedOptions].map((o) => o.index)) : el instanceof HTMLInputElement ? inputValue(el) + inputChecked(el) + inputIndeterminate(el) : areaValue(el));
function lookAtFields() {
  let n = 0;
  for (const root of liveRoots()) for (const el of queryAll(root, "input,textarea,select")) {
    if (++n > MAX_LOOKED) return;
    const now = holds(el), was = stirring.fields.get(el);
    stirring.fields.set(el, now);
    if (was !== undefined && was !== now) stirred(el);
  }
}
const stirEvent = (e) => stirred(e.composedPath()[0] instanceof Node ? e.composedPath()[0] : null);
const STIRS = ["focusin", "focusout", "input", "change", "toggle", "transitionend", "animationend", "scrollend", "load", "resize", "selectionchange"];

// stir begins to follow what stirs, in the roots that are known now too, or ends it.
function stir(on) {
  if (!on) {
    if (!stirring) return;
    for (const type of STIRS) removeEventListener(type, stirEvent, { capture: true });
    stirring.observer.disconnect();
    clearInterval(stirring.timer);
    stirring = null;
    return;
  }
  if (!stirring) {
    stirring = { touched: new Set(), all: false, away: false, fields: new WeakMap(), roots: new WeakSet(),
      observer: new MutationObserver((list) => { for (const m of list) { stirring.away ||= takesAway(m); stirred(m.target); } }), timer: setInterval(lookAtFields, FIELD_LOOK) };
    for (const type of STIRS) addEventListener(type, stirEvent, { passive: true, capture: true });
    lookAtFields();
  }
  for (const root of liveRoots()) if (!stirring.roots.has(root)) {
    stirring.roots.add(root);
    stirring.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
}

// takeStirred gives the numbers of what was touched since it was last asked (null: all
// may have been), and whether anything may have gone.
function takeStirred() {
  if (!stirring) return undefined;
  for (const m of stirring.observer.takeRecords()) { stirring.away ||= takesAway(m); touch(isElement(m.target) ? m.target : nodeType(m.target) === TEXT ? flatParent(m.target) : docElement(document)); }
  const out = stirring.all ? null : [...stirring.touched].map(serialOf);
  const away = stirring.away;
  stirring.touched = new Set(); stirring.all = false; stirring.away = false;
  return { touched: out, away };
}
