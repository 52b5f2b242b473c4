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
    out.rects = within.gone ? [] : out.rects.map((r) => meet(meet(r, clip), besideBars())).filter((r) => r[2] > r[0] && r[3] > r[1]);
  }
  return out;
}

// besideBars is the viewport without its scroll bars.
function besideBars() {
  const v = visualViewport;
  return v ? [0, 0, Math.min(innerWidth, Math.ceil(v.width * v.scale)), Math.min(innerHeight, Math.ceil(v.height * v.scale))] : viewportClips().n;
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

// rangeBoxes gives one rectangle for each line of what is between two points of
// the flat tree: the words, and what else is drawn in a line. The boxes around them
// are no part of it. MAX_BOXES bounds how many pieces it has.
const MAX_BOXES = 5000;
const IN_LINES = new Set(["input", "textarea", "select", "video", "audio", "iframe", "frame", "embed", "object", "img", "canvas", "svg"]);
function rangeBoxes(from, fromAt, to, toAt) {
  const start = nodeType(from) === TEXT ? from : childAt(from, fromAt) || from;
  const end = nodeType(to) === TEXT ? to : childAt(to, toAt);
  const rects = [], range = document.createRange(), common = flatCommon(from, to);
  // What is within one text has that in common.
  const top = nodeType(common) === TEXT ? flatParent(common) || docElement(document) : common;
  walkFlat(start, top, (node, leaving) => {
    if (node === end && node !== to) return STOP;
    if (leaving) return node === to && !end ? STOP : GO;
    if (nodeType(node) === TEXT) {
      const length = dataOf(node).length;
      range.setStart(node, node === from ? Math.min(fromAt, length) : 0);
      range.setEnd(node, node === to ? Math.min(toAt, length) : length);
      for (const r of range.getClientRects()) rects.push(rectOf(r));
      return node === to || rects.length > MAX_BOXES ? STOP : GO;
    }
    if (!isElement(node) || !IN_LINES.has(localName(node))) return GO;
    rects.push(...[...boxesOf(node)].map(rectOf));
    return OVER;
  });
  return joinLines(rects.filter((r) => r[2] > r[0] && r[3] > r[1]), runsDown(isElement(start) ? start : flatParent(start)));
}

// walkFlat visits the nodes from one on in the order of the flat tree, until those
// in top are through. What visit answers says how to go on; it is told of an
// element again when that is left.
const GO = 0, OVER = 1, STOP = 2;
function walkFlat(start, top, visit) {
  const chain = [];
  for (let n = start; n && n !== top; n = flatParent(n)) chain.unshift(n);
  const stack = [{ el: top, next: flatChildren(top) }];
  for (const c of chain.slice(0, -1)) {
    const next = stack[stack.length - 1].next;
    for (let n = next(); n && n !== c; n = next());
    stack.push({ el: c, next: flatChildren(c) });
  }
  let skip = chain.length ? start : null;
  while (stack.length) {
    const { el, next } = stack[stack.length - 1];
    let n = next();
    for (; skip && n && n !== skip; n = next());
    skip = null;
    if (!n) {
      stack.pop();
      if (visit(el, true) === STOP) return;
      continue;
    }
    const how = visit(n, false);
    if (how === STOP) return;
    if (how === GO && isElement(n)) stack.push({ el: n, next: flatChildren(n) });
  }
}

// joinLines makes one rectangle of the pieces of a line: those that follow one
// another and share more than half of the lower one's height. Of lines that run
// down, x and y change places.
const MAX_GAP = 50; // CSS px between the pieces of one line
function joinLines(rects, down) {
  const [x, y] = down ? [1, 0] : [0, 1], lines = [];
  for (const r of rects) {
    const last = lines[lines.length - 1];
    const shared = last ? Math.min(r[y + 2], last[y + 2]) - Math.max(r[y], last[y]) : 0;
    if (last && shared > Math.min(r[y + 2] - r[y], last[y + 2] - last[y]) / 2 && r[x] < last[x + 2] + MAX_GAP && r[x + 2] > last[x] - MAX_GAP) {
      lines[lines.length - 1] = [Math.min(r[0], last[0]), Math.min(r[1], last[1]), Math.max(r[2], last[2]), Math.max(r[3], last[3])];
    } else lines.push(r);
  }
  return lines;
}
// runsDown tells of lines that are nearer to upright than to level, as they are
// written and turned.
function runsDown(el) {
  const [a, b] = turned(el);
  return /^(vertical|sideways)/.test(getComputedStyle(el).writingMode) !== Math.abs(b) > Math.abs(a);
}

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

// drawnParent is the flat parent, but for what aria-owns says, which moves nothing
// on the screen.
function drawnParent(node) {
  if (!owned.has(node)) return flatParent(node);
  const p = parentNode(node);
  if (!p || !isElement(p)) return p instanceof ShadowRoot ? rootHost(p) : null;
  if (!shadowOf(p)) return p;
  return (isElement(node) ? slotOfElement(node) : slotOfText(node)) || closedSlot(p, node);
}

// clipsAt gives the clips that an element is drawn in.
function clipsAt(el) {
  const chain = [];
  for (let n = el; n; n = drawnParent(n)) chain.push(n);
  let at = { own: viewportClips().n, within: viewportClips() };
  for (let i = chain.length - 1; i >= 0; i--) {
    const n = chain[i];
    at = clipsWithin(n, getComputedStyle(n), at.within, n === docElement(document) || n === docBody(document));
  }
  return at;
}

// turned gives how an element is turned and stretched by the transforms of itself
// and what it is in: the matrix [a, b, c, d], as in CSS, without its way.
function turned(el) {
  let m = [1, 0, 0, 1];
  for (let n = el; n; n = drawnParent(n)) {
    const cs = getComputedStyle(n);
    if (cs.transform !== "none") m = times(parts(cs.transform), m);
    if (cs.scale !== "none") m = times(parts(`scale3d(${cs.scale.split(" ").concat(cs.scale.includes(" ") ? [] : cs.scale, "1").slice(0, 3).join()})`), m);
    if (cs.rotate !== "none") m = times(parts(turnOf(cs.rotate)), m);
  }
  return m;
}
function turnOf(rotate) {
  const words = rotate.split(" "), angle = words.pop();
  const axis = { x: "1,0,0", y: "0,1,0" }[words[0]] || (words.length === 3 ? words.join() : "0,0,1");
  return `rotate3d(${axis},${angle})`;
}
function parts(transform) {
  const m = new DOMMatrixReadOnly(transform);
  return [m.a, m.b, m.c, m.d];
}
const times = (p, q) => [p[0] * q[0] + p[2] * q[1], p[1] * q[0] + p[3] * q[1], p[0] * q[2] + p[2] * q[3], p[1] * q[2] + p[3] * q[3]];

// frameAt tells how a point inside a frame element comes to this frame's viewport,
// as the matrix [a, b, c, d, x, y], how large the frame's own viewport is, and what
// of the element is on screen. However it is turned, the middle of its border box
// stays the middle of the box around that.
function frameAt(token) {
  for (const ref of frameElements) {
    const el = ref.deref();
    if (el && frameTokens.get(el) === token && isConnected(el)) return frameStep(el);
  }
  return null;
}
function frameStep(el) {
  const box = boxOf(el), cs = getComputedStyle(el);
  const wide = el.offsetWidth || 1, high = el.offsetHeight || 1;
  let [a, b, c, d] = turned(el);
  // What is left is zoom, which stretches both ways alike.
  const around = [Math.abs(a) * wide + Math.abs(c) * high, Math.abs(b) * wide + Math.abs(d) * high];
  const zoom = around[0] > around[1] ? box.width / around[0] : box.height / (around[1] || 1);
  [a, b, c, d] = [a * zoom, b * zoom, c * zoom, d * zoom];
  const { own, within } = clipsAt(el);
  const px = (s) => parseFloat(s) || 0;
  const left = px(cs.borderLeftWidth) + px(cs.paddingLeft), top = px(cs.borderTopWidth) + px(cs.paddingTop);
  const u = left - wide / 2, v = top - high / 2;
  const x = box.left + box.width / 2 + a * u + c * v, y = box.top + box.height / 2 + b * u + d * v;
  return { matrix: [a, b, c, d, x, y], width: wide - left - px(cs.borderRightWidth) - px(cs.paddingRight), height: high - top - px(cs.borderBottomWidth) - px(cs.paddingBottom),
    clip: within.gone ? [0, 0, 0, 0] : meet(rectOf(box), own) };
}

function viewport() {
  const seen = visualViewport;
  return { width: innerWidth, height: innerHeight, ratio: devicePixelRatio, scale: seen ? seen.scale : 1, offsetX: seen ? seen.offsetLeft : 0, offsetY: seen ? seen.offsetTop : 0,
    scrollX, scrollY, outerWidth, outerHeight, screenX, screenY, screen: [screen.width, screen.height], pointer: pointer.at && pointer.outlook === outlook() ? pointer.at : undefined };
}
