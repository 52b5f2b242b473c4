// What is drawn where, for a picture that is taken now: lines of text with the very
// words, pictures and small signs. What is covered, cut off, transparent or hidden is
// left out, and so is all that must not be told.

const MAX_ITEMS = 6000, MAX_LINES = 200, MAX_LINE_TEXT = 2000, MAX_LISTED = 2000;
const ACTED_ON = 'a[href],area[href],button,input,select,textarea,summary,label,[role="button"],[role="link"],[role="tab"],[role="menuitem"],[role="checkbox"],' +
  '[role="radio"],[role="switch"],[role="option"],[role="treeitem"],[tabindex],[onclick],[contenteditable]';
// Letters of fonts that draw signs: the private areas of Unicode.
const SIGNS = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;
const SIGN_FONTS = /material (icons|symbols)|font ?awesome|glyphicons|icomoon|bootstrap-icons|octicons|ionicons/i;

class Layout extends Rows {
  constructor() {
    super({ ms: 800 }, 0);
    this.items = [];
    this.owners = [];  // of each item, the element that it is drawn by
    this.made = [];    // of what style sheets make, in the order of the items that stand for it
    this.full = false;
  }
  // What only the accessibility tree leaves out is seen all the same.
  isLeftOut() { return false; }
  classOf(el, tag) { return tag === "rt" ? { kind: PLAIN_EL } : super.classOf(el, tag); }
  beginning() { return docFullscreen(document); }
  add(kind, rect, of, words, more) {
    if (this.items.length >= MAX_ITEMS) { this.full = true; return; }
    const el = isElement(of) ? of : flatParent(of);
    const acted = el && closestFlat(el, ACTED_ON);
    this.owners[this.items.length] = el;
    this.items.push({ k: kind, r: rect, x: words || undefined, i: el ? serialOf(acted || el) : 0, a: acted ? 1 : undefined, b: this.run, ...more });
  }
  pseudo(f, which) { if (f.el) this.make(f.el, which, f.clips); }
  // make leaves a place for what a style sheet makes of an element.
  make(el, which, clips) {
    const m = clips.gone ? null : madeOf(el, which);
    if (!m) return;
    const box = boxOf(el);
    if (!meets(rectOf(box), [-MADE_AROUND, -MADE_AROUND, innerWidth + MADE_AROUND, innerHeight + MADE_AROUND])) return;
    if (this.made.length >= MAX_MADE || this.items.length >= MAX_ITEMS) { this.full = true; return; }
    if (m.block) this.run++;
    const alone = which === "::marker" || m.block || /absolute|fixed/.test(m.place);
    const acted = closestFlat(el, ACTED_ON);
    this.items.push({ k: "made", n: this.made.length, w: which.slice(2), x: m.isSign ? nameNear(el) : m.words.replace(/\s+/g, " ").slice(0, MAX_LINE_TEXT), s: m.isSign ? 1 : undefined,
      i: serialOf(acted || el), a: acted ? 1 : undefined, b: this.run, g: alone ? -serialOf(el) : serialOf(lineHome(el)) });
    this.made.push({ el, clip: m.place === "fixed" ? clips.f : m.place === "absolute" ? clips.a : clips.n });
    if (m.block) this.run++;
  }
  piece(s, node, f) {
    this.space = false;
    if (f.clips.gone || !node) return;
    const el = f.el;
    const cs = getComputedStyle(el);
    if (seeThrough(cs.webkitTextFillColor) && !/text/.test(cs.backgroundClip + cs.webkitBackgroundClip)) return;
    if (SIGNS.test(s) || SIGN_FONTS.test(cs.fontFamily)) { this.sign(el, f); return; }
    const line = lineHome(el), home = serialOf(line);
    for (const { text: all, box, from, to } of linesOf(node, f)) {
      const rect = meet(box, f.clips.n), w = rect[2] - rect[0], h = rect[3] - rect[1];
      if (!(w >= 1 && h >= 1)) continue;
      const [cut, whole] = runsDown(el) ? [h < box[3] - box[1] - 1, w * 2 >= box[2] - box[0]] : [w < box[2] - box[0] - 1, h * 2 >= box[3] - box[1]];
      if (!whole) continue;
      const text = cut ? shownOf(node, f, from, to, rect, line) : all;
      if (text.trim() && !isCovered(el, rect, true)) this.add("text", rect, node, text, { g: home, t: turned(el)[1] !== 0 ? 1 : undefined });
    }
  }
  sign(el, f) {
    const rect = meet(rectOf(boxOf(el)), f.clips.n);
    if (rect[2] - rect[0] >= 4 && rect[3] - rect[1] >= 4 && !isCovered(el, rect)) this.add("icon", rect, el, nameNear(el));
  }
  element(el, f, kids) {
    const tag = localName(el), run = this.run;
    super.element(el, f, kids);
    // What is not drawn has no box to be seen in.
    if (hasAttr(el, "data-private")) return;
    if (this.stack[this.stack.length - 1].el === el && getComputedStyle(el).display === "list-item") this.make(el, "::marker", f.clips);
    const isPainted = tag === "img" || tag === "canvas" || tag === "video" || (tag === "input" && inputType(el) === "image");
    const isDrawing = tag === "svg";
    const field = isField(el) || (tag === "input" && /^(button|submit|reset)$/.test(inputType(el))) || tag === "select";
    const frame = frameTokens.get(el);
    if (!isPainted && !isDrawing && !field && !frame && !(isHTML(el) && hasBackground(el))) return;
    const box = rectOf(boxOf(el));
    if (!(box[2] - box[0] >= 4 && box[3] - box[1] >= 4) || !isChecked(el, { visibilityProperty: true, contentVisibilityAuto: true })) return;
    const { own, within } = clipsAt(el);
    const rect = meet(box, own);
    if (within.gone || !(rect[2] - rect[0] >= 4 && rect[3] - rect[1] >= 4)) return;
    const now = this.run;
    this.run = run;
    if (frame) this.owners[this.items.length] = el;
    if (frame) this.items.push({ k: "frame", f: frame, r: rect, m: frameStep(el) });
    else if (isCovered(el, rect)) { /* nothing of it is seen */ }
    else if (field) this.field(el, tag, rect);
    else if (isPainted || isDrawing || rect[2] - rect[0] <= 256) this.add("icon", rect, el, nameNear(el), { p: isPainted ? 1 : undefined });
    this.run = now;
  }
  // field says what stands in a field, where all of it is seen.
  field(el, tag, rect) {
    if ((isField(el) && isSecret(el)) || underSecret(el)) return;
    if (tag === "select" && (selectMultiple(el) || selectSize(el) > 1)) { this.listBox(el, rect); return; }
    const words = tag === "select" ? ([...el.selectedOptions].map((o) => optionLabel(o)).join())
      : isField(el) ? valueOf(el) || attr(el, "placeholder") || "" : inputValue(el) || ({ submit: "Submit", reset: "Reset" })[inputType(el)] || "";
    // Of what is scrolled no script can tell which part is seen.
    if (!words.trim() || scrollWidthOf(el) > clientWidthOf(el) + 1 || scrollHeightOf(el) > clientHeightOf(el) + 1) return;
    this.add("text", rect, el, words.trim().replace(/\s+/g, " ").slice(0, MAX_LINE_TEXT), { g: -serialOf(el) });
  }
  // listBox says which entries of a list of several lines are seen.
  listBox(el, rect) {
    let n = 0;
    for (const o of queryAllIn(el, "option,optgroup")) {
      if (++n > MAX_LISTED) { this.full = true; return; }
      const box = rectOf(boxOf(o)), label = localName(o) === "option" ? optionLabel(o) : attr(o, "label") || "";
      const at = meet([box[0], box[1], box[2], localName(o) === "option" ? box[3] : Math.min(box[3], box[1] + lineOf(o))], rect);
      if (label.trim() && at[2] - at[0] >= 1 && (at[3] - at[1]) * 2 >= Math.min(box[3] - box[1], lineOf(o))) {
        this.run++;
        this.add("text", at, o, label.trim().slice(0, MAX_LINE_TEXT), { g: -serialOf(o) });
      }
    }
  }
}

// shownOf is what is seen of the words of a line that is cut off at its sides.
function shownOf(node, f, from, to, rect, line) {
  const cs = getComputedStyle(line), k = runsDown(f.el) ? 1 : 0;
  let [start, end] = [rect[k], rect[k + 2]];
  const dots = !k && cs.textOverflow === "ellipsis" && cs.overflowX !== "visible";
  if (dots) {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.font = cs.font;
    const width = pen.measureText("…").width;
    if (cs.direction === "rtl") start += width; else end -= width;
  }
  const range = document.createRange(), data = dataOf(node);
  let shown = "", first = -1, last = Math.min(to, from + MAX_LINE_TEXT);
  for (let i = from, next; i < last; i = next) {
    next = i + (data.codePointAt(i) > 0xffff ? 2 : 1);
    while (next < last && /[\p{M}\u200c\u200d]/u.test(data[next])) next++;
    range.setStart(node, i); range.setEnd(node, next);
    const b = rectOf(rangeBox(range)), middle = (b[k] + b[k + 2]) / 2;
    // What stands before the dots is whole.
    if (dots ? b[k] >= start - 0.5 && b[k + 2] <= end + 0.5 : middle >= start && middle <= end) { shown += data.slice(i, next); if (first < 0) first = i; }
  }
  shown = applyText(shown, f.text).replace(/\s+/g, " ");
  if (!dots || !shown.trim()) return shown;
  // Where the words run against the line, it is their beginning that is cut.
  return first === from ? shown.trimEnd() + "…" : "…" + shown.trimStart();
}

// lineOf is about how high a line of an element is.
const lineOf = (el) => { const cs = getComputedStyle(el); return (parseFloat(cs.lineHeight) || 1.2 * parseFloat(cs.fontSize) || 16) * 1.1; };

// lineHome is what lays out the line that an element's words stand in.
function lineHome(el) {
  for (let n = el, i = 0; n && i < 200; n = flatParent(n), i++) if (!/^(inline|contents|ruby)$/.test(getComputedStyle(n).display)) return n;
  return el;
}

function closestFlat(el, css) {
  for (let n = el, i = 0; n && i < 12; n = flatParent(n), i++) if (matches(n, css)) return n;
  return null;
}
// A color that nobody sees.
const seeThrough = (color) => /^rgba\(.*, ?0\)$|^transparent$|\/ 0\)$/.test(color);
const hasBackground = (el) => { const cs = getComputedStyle(el); return /url\(/.test(cs.backgroundImage) || /url\(/.test(cs.maskImage || ""); };

function nameNear(el) {
  for (let n = el, i = 0; n && i < 4; n = flatParent(n), i++) {
    const name = plainName(n);
    if (name) return name.slice(0, 200);
    if (i > 0 && matches(n, ACTED_ON)) return "";
  }
  if (localName(el) === "svg") for (let c = firstChild(el); c; c = nextSibling(c)) if (isElement(c) && localName(c) === "title") return textContent(c).trim().slice(0, 200);
  return "";
}

// linesOf gives the lines that a text stands in, with their words, and where those are in
// it.
function linesOf(node, f) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].slice(0, MAX_LINES).map(rectOf).filter((r) => r[2] > r[0] && r[3] > r[1]);
  const data = dataOf(node).slice(0, 20000);
  // What stands before and after words is kept: it parts them from what follows.
  const write = (s) => applyText(s, f.text).replace(/\s+/g, " ").slice(0, MAX_LINE_TEXT);
  if (!rects.length) return [];
  if (rects.length === 1) return [{ text: write(data), box: rects[0], from: 0, to: data.length }];
  const down = runsDown(f.el), lines = [];
  const near = (a, b) => { const k = down ? 0 : 1; return Math.min(a[k + 2], b[k + 2]) - Math.max(a[k], b[k]) > Math.min(a[k + 2] - a[k], b[k + 2] - b[k]) / 2; };
  // A word is in one line, or is broken; then its letters are looked at.
  const take = (from, to) => {
    range.setStart(node, from); range.setEnd(node, to);
    const parts = [...range.getClientRects()].map(rectOf).filter((r) => r[2] > r[0] || r[3] > r[1]);
    if (!parts.length) return;
    const last = lines[lines.length - 1];
    if (parts.length > 1 && !parts.every((p) => near(p, parts[0])) && to - from > 1) {
      for (let i = from; i < to; ) { const n = data.codePointAt(i) > 0xffff ? 2 : 1; let end = i + n; while (end < to && /[\p{M}\u200c\u200d]/u.test(data[end])) end++; take(i, end); i = end; }
      return;
    }
    const box = [Math.min(...parts.map((p) => p[0])), Math.min(...parts.map((p) => p[1])), Math.max(...parts.map((p) => p[2])), Math.max(...parts.map((p) => p[3]))];
    if (last && near(last.box, box)) {
      last.to = to;
      last.box = [Math.min(last.box[0], box[0]), Math.min(last.box[1], box[1]), Math.max(last.box[2], box[2]), Math.max(last.box[3], box[3])];
    } else if (lines.length < MAX_LINES) lines.push({ from, to, box });
  };
  for (const m of data.matchAll(/\S+/g)) take(m.index, m.index + m[0].length);
  return lines.map((l) => ({ text: write(data.slice(l.from, l.to)), ...l }));
}

// layout gives what is drawn in this document.
function layout(reader) {
  ordinals = new WeakMap();
  findRoots();
  readOwns();
  const secrets = readSecrets();
  focusChain = new Set();
  const walk = new Layout();
  for (const el of onScreen()) walk.mustReach(el);
  walk.go();
  uncover(walk);
  keepMade(reader, walk.made);
  const v = visualViewport;
  return { pinched: v ? [v.offsetLeft, v.offsetTop] : undefined, items: walk.items.filter(Boolean), full: walk.full || walk.cut !== "" || undefined, secrets };
}
