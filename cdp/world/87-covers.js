// Covers: what is drawn over something else, so that nobody sees it.

// isCovered tells whether something that hides it is drawn over the middle of a box.
const PAINTS = /^(img|canvas|video|iframe|embed|object|input|select|textarea)$/;
function isCovered(el, rect, words) {
  // What the pointer goes through is in no stack: what is there may lie under it.
  const through = isThrough(el, getComputedStyle(el));
  const x = Math.min(innerWidth - 1, Math.max(0, (rect[0] + rect[2]) / 2)), y = Math.min(innerHeight - 1, Math.max(0, (rect[1] + rect[3]) / 2));
  // A dialog is in the stack where only what it darkens the page with is.
  const over = (at) => hides(at) && [...boxesOf(at)].some((b) => holdsPoint(rectOf(b), x, y)) && (!through || paintsOver(at, el));
  const mine = new Set();
  for (let n = el; n; n = flatParent(n)) mine.add(n);
  let stack = docElementsFromPoint(document, x, y);
  for (let i = 0; i < stack.length && i < 40; i++) {
    const at = stack[i], root = shadowOf(at);
    if (mine.has(at)) {
      // A host that it is in: what lies over it may be in there.
      if (at === el || !root) return false;
      for (const inner of rootElementsFromPoint(root, x, y)) {
        if (mine.has(inner) || isWithin(inner, el)) break;
        if (rootOf(inner) === root && over(inner)) return true;
      }
      return false;
    }
    // What is in an element may still lie over its words.
    if (isWithin(at, el) && !words) return false;
    if (over(at)) return true;
  }
  return false;
}
const docElementsFromPoint = method(Document, "elementsFromPoint"), rootElementsFromPoint = method(ShadowRoot, "elementsFromPoint");
function isWithin(node, el) { for (let n = node, i = 0; n && i < 100; n = flatParent(n), i++) if (n === el) return true; return false; }
function hides(el) {
  const cs = getComputedStyle(el);
  if (+cs.opacity < 0.9) return false;
  if (PAINTS.test(localName(el))) return true;
  return isFilled(cs) || /url\(/.test(cs.backgroundImage);
}
// isThrough tells whether the pointer goes through an element: then it is in no stack.
function isThrough(el, cs) {
  if (cs.pointerEvents === "none") return true;
  const modal = topmost();
  if (modal && !isWithin(el, modal)) return true;
  for (let n = el, i = 0; n && i < 500; n = drawnParent(n), i++) if (hasAttr(n, "inert")) return true;
  return false;
}
// isFilled tells whether a box is painted all over with what nothing shines through.
function isFilled(cs) {
  const alpha = cs.backgroundColor.match(/^rgba\(.*, ?([\d.]+)\)$|\/ ([\d.]+)\)$/);
  return cs.backgroundColor !== "transparent" && (!alpha || +(alpha[1] ?? alpha[2]) > 0.9) ||
    /gradient\(/.test(cs.backgroundImage) && !/rgba\(|transparent|\/ ?[\d.]+%?\)|url\(/.test(cs.backgroundImage);
}

// uncover takes out what lies under boxes that the pointer goes through, and tells of
// frames what lies over them. What shows something through, and what is round or turned,
// hides nothing here: rather too much is told than too little.
const MAX_BOXES_LOOKED_AT = 40000, MAX_COVERS = 300, COVER_TIME = 150; // ms
function uncover(walk) {
  const { items, owners } = walk;
  const framed = items.some((i) => i && i.k === "frame"), until = performance.now() + COVER_TIME;
  let n = 0;
  const covers = [];
  for (const root of liveRoots()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el; el = walker.nextNode()) {
      if (++n > MAX_BOXES_LOOKED_AT || covers.length >= MAX_COVERS || (n % 256 === 0 && performance.now() > until)) { walk.full = true; break; }
      const cs = getComputedStyle(el);
      if (!isFilled(cs)) continue;
      const through = isThrough(el, cs);
      if (!through && !(framed && cs.position !== "static")) continue;
      const rect = coverBox(el, cs);
      if (rect) covers.push({ el, rect, through });
    }
  }
  for (let i = 0; i < items.length && covers.length; i++) {
    const item = items[i], el = owners[i];
    if (!el) continue;
    const x = (item.r[0] + item.r[2]) / 2, y = (item.r[1] + item.r[3]) / 2;
    for (const c of covers) {
      const isFrame = item.k === "frame";
      if (isFrame ? meets(c.rect, item.r) : c.through && holdsPoint(c.rect, x, y)) {
        if (isWithin(el, c.el) || !paintsOver(c.el, el)) continue;
        if (!isFrame) { items[i] = null; break; }
        (item.o ||= []).push(c.rect);
      }
    }
  }
}
const holdsPoint = (r, x, y) => x >= r[0] && x <= r[2] && y >= r[1] && y <= r[3];
const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// coverBox is the part of the viewport that a filled box surely hides.
function coverBox(el, cs) {
  const box = rectOf(boxOf(el));
  if (!(box[2] - box[0] >= 4 && box[3] - box[1] >= 4) || !meets(box, [0, 0, innerWidth, innerHeight])) return null;
  if (!isChecked(el, { visibilityProperty: true, contentVisibilityAuto: true }) || /text/.test(cs.backgroundClip)) return null;
  let seen = 1;
  for (let n = el, i = 0; n; n = drawnParent(n), i++) {
    const at = i ? getComputedStyle(n) : cs;
    seen *= +at.opacity;
    if (seen < 0.9 || at.mixBlendMode !== "normal" || at.clipPath !== "none" || (at.maskImage || "none") !== "none" || i > 500) return null;
  }
  const [, b, c] = turned(el);
  if (b !== 0 || c !== 0) return null;
  const radius = Math.max(...[cs.borderTopLeftRadius, cs.borderTopRightRadius, cs.borderBottomLeftRadius, cs.borderBottomRightRadius]
    .map((r) => parseFloat(r) / (r.includes("%") ? 100 / Math.max(box[2] - box[0], box[3] - box[1]) : 1) || 0));
  // Of a corner, less than a third of its radius is left open.
  const inset = Math.min(radius, (box[2] - box[0]) / 2, (box[3] - box[1]) / 2) * 0.3;
  const rect = meet([box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset], clipsAt(el).own);
  return rect[2] > rect[0] && rect[3] > rect[1] ? rect : null;
}

// paintsOver tells whether the box of one element is painted after the words of another
// that is not in it, by the order of CSS (stacking contexts, and within them levels);
// false where that is not sure.
function paintsOver(cover, el) {
  const a = layersOf(cover), b = layersOf(el);
  let i = 0;
  while (i < a.length && i < b.length && a[i].el === b[i].el) i++;
  const [x, y] = [a[i], b[i]];
  if (x && y) {
    if (x.level !== y.level) return x.level > y.level;
    if (x.level === FLOW && (drawnParent(x.el) !== drawnParent(y.el) || x.order !== y.order)) return x.order > y.order && drawnParent(x.el) === drawnParent(y.el);
    return comesAfter(x.el, y.el);
  }
  if (x) return x.level >= 0;
  return y ? y.level < 0 && y.level !== FLOW : false;
}
// FLOW is the level of what is painted in the flow: under all that is placed.
const FLOW = -0.5;
function layersOf(el) {
  const up = [];
  for (let n = el; n && up.length < 1000; n = drawnParent(n)) up.push(n);
  const out = [];
  for (let i = up.length - 1; i >= 0; i--) {
    const n = up[i], cs = getComputedStyle(n);
    if (matches(n, ":modal,:popover-open,:fullscreen")) { out.splice(0, out.length, { el: n, level: Infinity, holds: true }); continue; }
    const around = up[i + 1] ? getComputedStyle(up[i + 1]).display : "", isItem = /flex|grid/.test(around);
    const isPlaced = cs.position !== "static", z = (isPlaced || isItem) && cs.zIndex !== "auto" ? +cs.zIndex : null;
    const holds = z !== null || /fixed|sticky/.test(cs.position) || +cs.opacity < 1 || cs.mixBlendMode !== "normal" || cs.isolation === "isolate" ||
      [cs.transform, cs.translate, cs.rotate, cs.scale, cs.filter, cs.backdropFilter, cs.perspective, cs.clipPath, cs.maskImage].some((v) => v && v !== "none") ||
      /paint|layout|strict|content/.test(cs.contain) || cs.contentVisibility === "auto" || /transform|opacity|filter|perspective|translate|scale|rotate|z-index|contents/.test(cs.willChange);
    if (holds || isPlaced) {
      // It takes part in the context around it, whatever else it is in.
      while (out.length && !out[out.length - 1].holds) out.pop();
      out.push({ el: n, level: z ?? 0, holds });
    } else if (isItem) out.push({ el: n, level: FLOW, order: +cs.order, holds: false });
  }
  return out;
}
// comesAfter tells the order in the flat tree.
function comesAfter(a, b) {
  const line = (el) => { const out = []; for (let n = el; n && out.length < 1000; n = flatParent(n)) out.unshift(n); return out; };
  const p = line(a), q = line(b);
  let i = 0;
  while (i < p.length && i < q.length && p[i] === q[i]) i++;
  if (!q[i]) return Boolean(p[i]);
  if (!p[i]) return false;
  const at = comparePosition(q[i], p[i]);
  return (at & 1) === 0 && (at & 4) !== 0;
}
