// What the user points at: the focus, the selection, the pointer.

// deepFocus follows the active element through the shadow roots that are known.
// A closed root not met before ends it at its host; the reader resolves that.
function deepFocus() {
  let el = docActive(document);
  if (!el || el === docBody(document) || el === docElement(document)) return null;
  for (let n = 0; n < 100; n++) {
    const root = shadowOf(el);
    const inner = root && rootActive(root);
    if (!inner) break;
    comeAcross(root);
    el = inner;
  }
  return el;
}
function activeDescendant(el) {
  const id = attr(el, "aria-activedescendant");
  return id ? byId(el, id.trim()) : null;
}

// In quirks mode a bare :hover matches links alone.
const HOVERED = ":is(:hover)";

// deepHover descends the chain of :hover, level by level, so that its cost is the
// depth of the chain.
function deepHover() {
  let el = docElement(document);
  if (!el || !matches(el, HOVERED)) return null;
  for (let n = 0; n < 5000; n++) {
    const root = shadowOf(el);
    let inner = null;
    if (root) inner = hoveredChild(root, rootQueryAll(root, HOVERED));
    if (!inner && el instanceof HTMLSlotElement) for (const s of assignedNodes(el)) if (isElement(s) && matches(s, HOVERED)) { inner = s; break; }
    if (!inner && !root) inner = queryIn(el, ":scope > " + HOVERED);
    if (!inner) break;
    el = inner;
  }
  return el;
}
function hoveredChild(root, list) { for (const el of list) if (parentNode(el) === root) return el; return null; }

// fieldSelection gives the selected words of the field that has the focus; a field
// without it keeps a selection that is not drawn.
function fieldSelection(el) {
  if (!el || !isField(el)) return null;
  if (isSecret(el) || underPrivate(el)) return null;
  let start, end;
  if (el instanceof HTMLTextAreaElement) { start = areaStart(el); end = areaEnd(el); }
  else { start = inputStart(el); end = inputEnd(el); }
  if (start === null) {
    // email and number fields do not tell the ends; the selection does the words
    const s = String(docSelection(document));
    return s && valueOf(el).includes(s) ? { field: el, text: s, start: valueOf(el).indexOf(s), end: -1 } : null;
  }
  if (start === end) return null;
  return { field: el, text: valueOf(el).slice(start, end), start, end };
}

// treeSelection gives the ends of the selection in the flat tree, across shadow
// boundaries: every host an end lies behind is opened in turn.
function treeSelection() {
  const sel = docSelection(document);
  if (!sel || sel.rangeCount === 0) return null;
  const shadowRoots = [];
  let range = null;
  for (let n = 0; n < 20; n++) {
    range = sel.getComposedRanges({ shadowRoots })[0];
    if (!range) return null;
    let more = false;
    for (const at of [childAt(range.startContainer, range.startOffset), childAt(range.endContainer, range.endOffset - 1)]) {
      const root = at && isElement(at) && shadowOf(at);
      if (root && !shadowRoots.includes(root)) { comeAcross(root); shadowRoots.push(root); more = true; }
    }
    if (!more) break;
  }
  if (!range || (range.startContainer === range.endContainer && range.startOffset === range.endOffset)) return null;
  return { from: range.startContainer, fromAt: range.startOffset, to: range.endContainer, toAt: range.endOffset };
}
function childAt(node, i) {
  if (nodeType(node) === TEXT || i < 0) return null;
  let n = firstChild(node);
  for (let k = 0; n && k < i; k++) n = nextSibling(n);
  return n;
}

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

// collect gives the selected words as they are drawn, a line for each block, and
// the first and last text nodes that gave any.
function collect(range, limit) {
  const out = [];
  let length = 0, first = null, last = null, space = false, gap = "", started = false, done = false, cut = false, hidden = false;
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
  const stack = [];
  const open = (el, from) => {
    const cs = isElement(el) ? getComputedStyle(el) : null, display = cs ? cs.display : "block";
    return display === "none" || display === "" ? null : new Opened(el, cs, display, flatChildren(el, from));
  };
  const breakLine = () => { if (length) gap = "\n"; space = false; };
  const say = (s, node, pre) => {
    if (!pre) {
      if (!/[^ \n\t]/.test(s)) { space = true; return; }
      if (gap || !length) s = s.replace(/^ +/, "");
      else if (space && !s.startsWith(" ")) s = " " + s;
      if (!gap && length && s.startsWith(" ") && /\s$/.test(out[out.length - 1])) s = s.slice(1);
    }
    space = false;
    if (gap) { out.push(gap); length++; gap = ""; }
    if (length + s.length > limit) { s = s.slice(0, limit - length); cut = true; done = true; }
    out.push(s); length += s.length;
    first ||= node; last = node;
  };
  const frameTop = open(top, chain[0]);
  if (nodeType(top) === TEXT) {
    const p = flatParent(top);
    const style = p ? textStyle(getComputedStyle(p)) : PLAIN;
    if (p && (!style.shown || !style.select || style.secure)) return null;
    say(applyText(dataOf(top).slice(range.fromAt, range.toAt), style), top, style.fold === 0);
  } else {
    if (!frameTop) return null;
    stack.push(frameTop);
    let at = 0; // how far down the chain of the start we are
    while (stack.length && !done) {
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
        if (f.block) breakLine();
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
          say(applyText(s, f.text), n, f.text.fold === 0);
        }
        if (n === endNode) done = true;
        continue;
      }
      if (nodeType(n) !== ELEMENT) continue;
      const tag = localName(n);
      if (tag === "br") { if (started && length) { gap = gap || "\n"; space = false; } continue; }
      if (SKIPPED.has(tag) || hasAttr(n, "data-private") || (LEAVES.has(tag)) || tag === "button" || tag === "svg") {
        if (hasAttr(n, "data-private")) hidden = true;
        continue;
      }
      if (hasAttrs(n) && holdsSecret(n)) { hidden = true; continue; }
      const frame = open(n, started ? null : chain[at]);
      if (!frame) continue;
      if (frame.block) { if (frame.cell && length && gap === "" ) { gap = "\t"; space = false; } else breakLine(); }
      stack.push(frame);
    }
  }
  const text = out.join("").replace(/[ \n\t]+$/, "");
  if (!text || !first) return null;
  return { text, first, last, top, cut, hidden };
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

// selectedElements gives what the page itself marks as selected, with a bound.
const MAX_SELECTED = 200;
function selectedElements() {
  const out = [];
  out.more = 0;
  for (const el of marks("chosen")) {
    if (out.length >= MAX_SELECTED) { if (!(el instanceof HTMLSelectElement)) out.more++; continue; }
    if (el instanceof HTMLSelectElement) { for (const o of queryAllIn(el, "option")) if (optionSelected(o)) { out.push(el); break; } }
    else if (attr(el, "role") !== "tab") out.push(el);
  }
  return out;
}
