// The words of a selection, as they are drawn: a line for each block.

// White space that stands directly in one of these is not drawn.
const BARE_DISPLAYS = new Set(["table", "table-row", "table-row-group", "table-header-group", "table-footer-group"]);

// An Opened is what collect knows of an element that it is in. How words are written in it
// is asked where it has any.
class Opened {
  constructor(el, cs, display, next) {
    this.el = el; this.cs = cs; this.next = next; this.style = null;
    this.block = !isInlineDisplay(display); this.cell = display === "table-cell"; this.bare = BARE_DISPLAYS.has(display);
  }
  get text() { return (this.style ??= this.cs ? textStyle(this.cs) : PLAIN); }
}
function opened(el, from) {
  const cs = isElement(el) ? getComputedStyle(el) : null, display = cs ? cs.display : "block";
  return display === "none" || display === "" ? null : new Opened(el, cs, display, flatChildren(el, from));
}

// Said is what has been said of a selection so far, and the first and last text nodes that
// gave any of it.
class Said {
  constructor(limit) {
    this.limit = limit;
    this.out = []; this.length = 0;
    this.gap = ""; this.space = false;
    this.first = this.last = null;
    this.full = false;
  }
  breakLine() { if (this.length) this.gap = "\n"; this.space = false; }
  begin(cell) {
    if (cell && this.length && this.gap === "") { this.gap = "\t"; this.space = false; } else this.breakLine();
  }
  words(s, node, pre) {
    const { out, length } = this;
    if (!pre) {
      if (!/[^ \n\t]/.test(s)) { this.space = true; return; }
      if (this.gap || !length) s = s.replace(/^ +/, "");
      else if (this.space && !s.startsWith(" ")) s = " " + s;
      if (!this.gap && length && s.startsWith(" ") && /\s$/.test(out[out.length - 1])) s = s.slice(1);
    }
    this.space = false;
    if (this.gap) { out.push(this.gap); this.length++; this.gap = ""; }
    if (this.length + s.length > this.limit) { s = s.slice(0, this.limit - this.length); this.full = true; }
    out.push(s); this.length += s.length;
    this.first ||= node; this.last = node;
  }
  text() { return this.out.join("").replace(/[ \n\t]+$/, ""); }
}

// How many elements are gone into from one look at the clock to the next, and the part of
// the reading's time that this may take: a selection may hold any number of elements
// without words.
const COLLECT_STEP = 256, COLLECT_SHARE = 0.5;

// collect gives the selected words: so many characters at most, and those in so many elements,
// or in the first that have any.
function collect(range, options) {
  const limit = options.selection || SELECTION_LIMIT, most = options.selectionElements || Infinity;
  const until = options.ms ? performance.now() + options.ms * COLLECT_SHARE : Infinity;
  const said = new Said(limit);
  let started = false, cut = false, hidden = false, looked = 0;
  const startNode = nodeType(range.from) === TEXT ? range.from : childAt(range.from, range.fromAt);
  const endNode = nodeType(range.to) === TEXT ? range.to : childAt(range.to, range.toAt);
  const startAfter = startNode ? null : range.from;   // the range starts after the last child of this
  const endAfter = endNode ? null : range.to;         // the range ends after the last child of this
  const top = flatCommon(range.from, range.to);
  if (!top || underSecret(top)) return null;
  // From the start the stack is built for its ancestors, so that what lies before
  // it is never visited.
  const chain = [];
  for (let n = startNode || range.from; n && n !== top; n = flatParent(n)) chain.unshift(n);
  if (nodeType(top) === TEXT) {
    const p = flatParent(top);
    const style = p ? textStyle(getComputedStyle(p)) : PLAIN;
    if (p && (!style.shown || !style.select || style.secure)) return null;
    said.words(applyText(dataOf(top).slice(range.fromAt, range.toAt), style), top, style.fold === 0);
  } else {
    const outermost = opened(top, chain[0]);
    if (!outermost) return null;
    const stack = [outermost];
    let at = 0; // how far down the chain of the start we are
    let done = false;
    while (stack.length && !done && !said.full) {
      const f = stack[stack.length - 1];
      let n;
      if (!started && at < chain.length) {
        // go forward to the child that holds the start
        do { n = f.next(); } while (n && n !== chain[at]);
        at++;
        if (!n) break;
        if (n === startNode || n === startAfter) started = n === startNode;
      } else n = f.next();
      if (!started && chain.length === 0) started = true;
      if (n === null || n === undefined) {
        if (f.el === startAfter) started = true;
        if (f.el === endAfter) done = true;
        if (f.block) said.breakLine();
        stack.pop();
        continue;
      }
      if (n === endNode && nodeType(n) !== TEXT) { done = true; break; }
      if (nodeType(n) === TEXT) {
        let s = dataOf(n);
        if (n === range.to) { s = s.slice(0, range.toAt); done = true; }
        if (n === range.from) s = s.slice(range.fromAt);
        if (f.bare && !/[^ \t\n\r\f]/.test(s)) s = "";
        if (s && f.text.shown && f.text.select && !f.text.secure) {
          const cap = 2 * limit;
          if (s.length > cap) s = s.slice(0, cap);
          said.words(applyText(s, f.text), n, f.text.fold === 0);
        }
        if (n === endNode) done = true;
        continue;
      }
      if (nodeType(n) !== ELEMENT) continue;
      if ((++looked > most && said.length) || (looked % COLLECT_STEP === 0 && performance.now() > until)) { cut = true; break; }
      const tag = localName(n);
      if (tag === "br") { if (started && said.length) { said.gap ||= "\n"; said.space = false; } continue; }
      if (SKIPPED.has(tag) || hasAttr(n, "data-private") || (LEAVES.has(tag)) || tag === "button" || tag === "svg") {
        if (hasAttr(n, "data-private")) hidden = true;
        continue;
      }
      if (hasAttrs(n) && holdsSecret(n)) { hidden = true; continue; }
      const frame = opened(n, started ? null : chain[at]);
      if (!frame) continue;
      if (frame.block) said.begin(frame.cell);
      stack.push(frame);
    }
  }
  const text = said.text();
  if (!text || !said.first) return null;
  return { text, first: said.first, last: said.last, top, cut: cut || said.full, hidden };
}

function flatCommon(a, b) {
  const up = new Set();
  for (let n = a; n; n = nodeType(n) === FRAGMENT ? (n instanceof ShadowRoot ? rootHost(n) : null) : flatParent(n)) up.add(n);
  for (let n = b; n; n = nodeType(n) === FRAGMENT ? (n instanceof ShadowRoot ? rootHost(n) : null) : flatParent(n)) if (up.has(n) && nodeType(n) !== FRAGMENT) return n;
  return docElement(document);
}

// sameRun says whether two text nodes stand in one run: nothing but inline boxes
// between them. A long way apart they do not.
function sameRun(a, b, top) {
  if (a === b) return true;
  for (const leaf of [a, b]) for (let n = flatParent(leaf); n && n !== top; n = flatParent(n)) if (!isInlineDisplay(getComputedStyle(n).display)) return false;
  let up = a;
  for (let i = 0; i < 400; i++) {
    let n = nextSibling(up);
    while (!n) { up = flatParent(up); if (!up || up === top) return false; n = nextSibling(up); }
    if (n === b || (isElement(n) && containsNode(n, b))) return true;
    if (!isInlineNode(n)) return false;
    if (isElement(n)) for (const c of queryAllIn(n, "*")) if (!isInlineNode(c)) return false;
    up = n;
  }
  return false;
}
