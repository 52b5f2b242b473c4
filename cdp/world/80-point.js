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
