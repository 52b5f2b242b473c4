// What stirs, while somebody waits for a page to be so and stay so: which elements
// were changed, and when, so that what was something else in between is known not to
// have stayed. Each change is told as a notice. Several may wait at a time: each asks
// what was changed since it last did.

const FIELD_LOOK = 20, MAX_LOOKED = 500, MAX_STIRRED = 20000;
let stirring = null, stirCount = 0;

function touch(node) {
  for (let n = node; n && stirring.touched.get(n) !== stirCount; n = flatParent(n)) {
    if (stirring.touched.size >= MAX_STIRRED) { stirring.all = stirCount; stirring.touched.clear(); return; }
    stirring.touched.set(n, stirCount);
  }
}
function stirred(node) {
  stirCount++;
  if (node) touch(stirredAt(node));
  notice();
}
const stirredAt = (node) => (nodeType(node) === TEXT ? flatParent(node) : isElement(node) ? node : node instanceof ShadowRoot ? rootHost(node) : docElement(document));
function mutated(list) {
  if (!list.length) return;
  stirCount++;
  for (const m of list) {
    if (takesAway(m)) stirring.away = stirCount;
    touch(stirredAt(m.target));
  }
}
// takesAway tells of a change by which an element may have gone, or become hidden.
function takesAway(m) {
  if (m.type === "attributes") return /^(hidden|aria-hidden|inert|open)$/.test(m.attributeName);
  for (const n of m.removedNodes) if (isElement(n)) return true;
  return false;
}
// A script that sets a field's value changes nothing that an observer sees.
const holds = (el) => (el instanceof HTMLSelectElement ? String([...el.selectedOptions].map((o) => o.index)) : el instanceof HTMLInputElement ? inputValue(el) + inputChecked(el) + inputIndeterminate(el) : areaValue(el));
// lookAtFields looks what the fields hold; it tells whether it saw all of them.
function lookAtFields(most) {
  let n = 0;
  for (const root of liveRoots()) for (const el of queryAll(root, "input,textarea,select")) {
    if (++n > most) return false;
    const now = holds(el), was = stirring.fields.get(el);
    stirring.fields.set(el, now);
    if (was !== undefined && was !== now) stirred(el);
  }
  return true;
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
    // Nobody knows what was changed before.
    stirring = { from: ++stirCount, beats: 0, touched: new Map(), all: 0, away: 0, fields: new WeakMap(), roots: new WeakSet(),
      observer: new MutationObserver((list) => { mutated(list); notice(); }), timer: setInterval(() => { stirring.beats++; lookAtFields(MAX_LOOKED); }, FIELD_LOOK) };
    lookAtFields(MAX_LOOKED);
  }
  // A document that is written anew has lost its listeners.
  for (const type of STIRS) addEventListener(type, stirEvent, { passive: true, capture: true });
  for (const root of liveRoots()) if (!stirring.roots.has(root)) {
    stirring.roots.add(root);
    stirring.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
}

// takeStirred gives the numbers of what was touched since a mark was given (null: all
// may have been), whether anything may have gone, and a mark of now.
function takeStirred(since) {
  if (!stirring) return undefined;
  mutated(stirring.observer.takeRecords());
  const from = parseInt(since || "0", 10), known = from >= stirring.from && from >= stirring.all;
  const touched = known ? [] : null;
  if (known) for (const [el, at] of stirring.touched) if (at > from) touched.push(serialOf(el));
  return { touched, away: !known || stirring.away > from, mark: stillMark() };
}
