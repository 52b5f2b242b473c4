// Where things are, for locate and for pictures: rectangles in CSS px of this
// frame's viewport.

// A place is asked for by what names it: an element, a run by its first text, or
// a selection by its ends.
function place(what) {
  if (what.root) return { rects: [] };
  const node = what.serial ? nodeOf(what.serial) : null;
  if (what.serial && !node) return { gone: true };
  let rects = [], el = node;
  if (what.selection) {
    const ends = what.selection.map((n) => (n ? nodeOf(n.serial) : null));
    if (ends.includes(null)) return { gone: true };
    el = isElement(ends[0]) ? ends[0] : flatParent(ends[0]);
    if (ends.length === 1) rects = fieldBox(ends[0]);
    else rects = rangeBoxes(ends[0], what.selection[0].offset, ends[1], what.selection[1].offset);
  } else if (nodeType(node) === TEXT) {
    const last = runEnd(node);
    el = flatParent(node);
    rects = rangeBoxes(node, 0, last, dataOf(last).length);
  } else rects = boxesWithin(node);
  const out = { rects: rects.filter((r) => r[2] > r[0] && r[3] > r[1]) };
  if (what.visible && el) {
    const { own, within } = clipsAt(el);
    const clip = el === node && isElement(node) ? own : within.n;
    out.rects = within.gone ? [] : out.rects.map((r) => meet(r, clip)).filter((r) => r[2] > r[0] && r[3] > r[1]);
  }
  return out;
}

// A box-less element (display: contents) is where its children are.
function boxesWithin(el) {
  const own = [...boxesOf(el)].map(rectOf);
  if (own.length || getComputedStyle(el).display !== "contents") return own;
  const out = [];
  const next = flatChildren(el);
  for (let n = next(), i = 0; n && i < 200; n = next(), i++) {
    if (isElement(n)) out.push(...boxesWithin(n));
    else if (nodeType(n) === TEXT) out.push(...rangeBoxes(n, 0, n, dataOf(n).length));
  }
  return out;
}
const fieldBox = (el) => [...boxesOf(el)].map(rectOf);

// rangeBoxes gives one rectangle for each line.
function rangeBoxes(from, fromAt, to, toAt) {
  const range = document.createRange();
  const limit = (n, at) => Math.min(at, nodeType(n) === TEXT ? dataOf(n).length : childCount(n));
  let rects = [];
  if (rootOf(from) === rootOf(to)) {
    range.setStart(from, limit(from, fromAt));
    range.setEnd(to, limit(to, toAt));
    rects = [...range.getClientRects()].map(rectOf);
  } else {
    // Across a shadow boundary a Range cannot reach: to the end of one side and from
    // the start of the other.
    range.setStart(from, limit(from, fromAt));
    range.setEndAfter(lastChild(rootOf(from)) || from);
    rects = [...range.getClientRects()].map(rectOf);
    range.setStart(rootOf(to), 0);
    range.setEnd(to, limit(to, toAt));
    rects.push(...[...range.getClientRects()].map(rectOf));
  }
  const lines = [];
  for (const r of rects.slice(0, 5000)) {
    if (!(r[2] > r[0] && r[3] > r[1])) continue;
    const last = lines[lines.length - 1];
    if (last && r[1] < last[3] - 1 && r[3] > last[1] + 1 && r[0] < last[2] + 50 && r[2] > last[0] - 50) {
      lines[lines.length - 1] = [Math.min(r[0], last[0]), Math.min(r[1], last[1]), Math.max(r[2], last[2]), Math.max(r[3], last[3])];
    } else lines.push(r);
  }
  return lines;
}
const childCount = (n) => { let c = 0; for (let k = firstChild(n); k; k = nextSibling(k)) c++; return c; };

// runEnd is the last text of the run that a text stands in.
function runEnd(text) {
  let last = text, up = text;
  for (let i = 0; i < 2000; i++) {
    let n = nextSibling(up);
    while (!n) {
      up = flatParent(up);
      if (!up || !isInlineNode(up)) return last;
      n = nextSibling(up);
    }
    if (!isInlineNode(n)) return last;
    const inside = document.createTreeWalker(n, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let k = n, c = 0; k && c < 500; k = inside.nextNode(), c++) {
      if (isElement(k) && !isInlineNode(k)) return last;
      if (nodeType(k) === TEXT && /\S/.test(dataOf(k))) last = k;
    }
    up = n;
  }
  return last;
}

// clipsAt gives the clips that an element is drawn in.
function clipsAt(el) {
  const chain = [];
  for (let n = el; n; n = flatParent(n)) chain.push(n);
  let at = { own: viewportClips().n, within: viewportClips() };
  for (let i = chain.length - 1; i >= 0; i--) {
    const n = chain[i];
    at = clipsWithin(n, getComputedStyle(n), at.within, n === docElement(document) || n === docBody(document));
  }
  return at;
}

// frameAt tells where the inside of a frame element is, how much larger it is drawn
// than it is laid out, and what of it is on screen.
function frameAt(token) {
  for (const ref of frameElements) {
    const el = ref.deref();
    if (!el || frameTokens.get(el) !== token || !isConnected(el)) continue;
    const box = boxOf(el), cs = getComputedStyle(el);
    const wide = el.offsetWidth || 1, high = el.offsetHeight || 1;
    const sx = box.width / wide, sy = box.height / high;
    const { own, within } = clipsAt(el);
    const px = (s) => parseFloat(s) || 0;
    const x = box.left + (px(cs.borderLeftWidth) + px(cs.paddingLeft)) * sx, y = box.top + (px(cs.borderTopWidth) + px(cs.paddingTop)) * sy;
    return { x, y, sx, sy, clip: within.gone ? [0, 0, 0, 0] : meet(rectOf(box), own) };
  }
  return null;
}

// hiddenBoxes gives the rectangles of all that must not be seen in a picture:
// secret fields, private regions, and the values of secret fields where they stand
// elsewhere on the page.
const MAX_OCCURRENCES = 2000;
function hiddenBoxes(extra) {
  findRoots();
  const values = [...new Set([...readSecrets(), ...(extra || [])])].filter((v) => v.length >= 4);
  const out = [];
  for (const root of liveRoots()) {
    for (const el of queryAll(root, "input,textarea," + FIELDS + "," + PRIVATE)) {
      if (hasAttr(el, "data-private") || (isField(el) && isSecret(el)) || holdsSecret(el)) {
        if (hasAttr(el, "data-private")) out.push(...boxesBelow(el));
        else out.push(...[...boxesOf(el)].map(rectOf));
      }
    }
    if (values.length) out.push(...occurrences(root, values));
  }
  return { boxes: out.filter((r) => r[2] > r[0] && r[3] > r[1] && r[2] > 0 && r[3] > 0).slice(0, 20000), values };
}
// What is in a private region may be drawn outside its box.
function boxesBelow(el) {
  const out = [...boxesOf(el)].map(rectOf);
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_ELEMENT);
  for (let n = walker.nextNode(), i = 0; n && i < 5000; n = walker.nextNode(), i++) out.push(rectOf(boxOf(n)));
  return out;
}
function occurrences(root, values) {
  const out = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const text = dataOf(n);
    for (const v of values) {
      for (let at = text.indexOf(v); at >= 0; at = text.indexOf(v, at + v.length)) {
        range.setStart(n, at);
        range.setEnd(n, at + v.length);
        for (const r of range.getClientRects()) out.push(rectOf(r));
        if (out.length > MAX_OCCURRENCES) return out;
      }
    }
  }
  for (const el of queryAll(root, "input,textarea")) {
    if (isField(el) && !isSecret(el) && values.some((v) => valueOf(el).includes(v))) out.push(rectOf(boxOf(el)));
  }
  return out;
}

function viewport() {
  const p = pointerAt;
  const same = p && p.ow === outerWidth && p.oh === outerHeight && p.iw === innerWidth && p.ih === innerHeight && p.wx === screenX && p.wy === screenY && p.r === devicePixelRatio;
  return { width: innerWidth, height: innerHeight, ratio: devicePixelRatio, scale: visualViewport ? visualViewport.scale : 1,
    scrollX, scrollY, outerWidth, outerHeight, screenX, screenY, pointer: same ? [p.sx, p.sy, p.cx, p.cy] : undefined };
}
