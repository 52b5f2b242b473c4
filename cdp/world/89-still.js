// Whether a document is still what somebody read, without reading it again: a mark of
// all that what is read depends on, to be compared with the next. What stirs is
// counted; what changes without a notice (sheets, animations, what scrolls, time that
// a player is at) is seen by where things are and whether they are drawn.

// Beyond these nothing is known to be still.
const MAX_STILL = 100000, MAX_STILL_FIELDS = 10000, STILL_TIME = 1000; // ms

// stillMark gives the mark: what was counted, a sum of what is seen, or nothing for that
// where it cannot be had, and how often the page's timers have had their turn.
function stillMark() {
  findRoots();
  const all = lookAtFields(MAX_STILL_FIELDS);
  mutated(stirring.observer.takeRecords());
  return [stirCount, all ? sumSeen() : "", stirring.beats].join(" ");
}
function sumSeen() {
  const until = performance.now() + STILL_TIME, sum = new Sum();
  let n = 0;
  for (const root of liveRoots()) {
    if (!stirring.roots.has(root)) return "";
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el; el = walker.nextNode()) {
      if (++n > MAX_STILL || (n % 256 === 0 && performance.now() > until)) return "";
      if (!isChecked(el, STILL_SEEN)) { sum.add(0); continue; }
      const b = boxOf(el);
      sum.add(b.left); sum.add(b.top); sum.add(b.width); sum.add(b.height);
    }
    for (const el of queryAll(root, "video,audio")) { sum.add(el.currentTime); sum.add(el.paused ? 1 : 0); sum.add(el.muted ? 1 : 0); sum.add(el.volume); }
  }
  const focus = deepFocus(), modal = topmost(), full = docFullscreen(document), range = treeSelection();
  for (const el of [focus, modal, full, range && range.from, range && range.to]) sum.add(el ? serialOf(el) : 0);
  if (range) { sum.add(range.fromAt); sum.add(range.toAt); }
  const ends = focus && isField(focus) && fieldSelection(focus);
  if (ends) { sum.add(ends.start); sum.add(ends.end); }
  for (const f of [innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY, n]) sum.add(f);
  for (const s of [document.URL, docTitle(document), docState(document), docVisibility(document), String(docHasFocus(document))]) sum.words(s);
  return sum.value();
}
const STILL_SEEN = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true };

// A Sum is of numbers, to the 64th part, and words, in their order.
class Sum {
  constructor() { this.a = 0x811c9dc5 | 0; this.b = 0x1b873593; }
  add(number) { this.mix((number * 64) | 0); }
  mix(n) { this.a = Math.imul(this.a ^ n, 0x01000193); this.b = Math.imul(this.b ^ n ^ (this.b >>> 15), 0x5bd1e995); }
  words(s) { for (let i = 0; i < s.length; i++) this.mix(s.charCodeAt(i)); this.mix(-1); }
  value() { return (this.a >>> 0) + "." + (this.b >>> 0); }
}

// isStill tells whether the mark of now is one that was given, and the page has had its
// turn since: one that is kept from running is not the same for that. Timers of a page
// that is not seen are put off, its own too.
const STILL_BEATS = 2;
function isStill(mark) {
  if (!stirring) return false;
  const [count, sum, beats] = mark.split(" "), now = stillMark().split(" ");
  return sum !== "" && count === now[0] && sum === now[1] && (docVisibility(document) !== "visible" || now[2] - beats >= STILL_BEATS);
}
