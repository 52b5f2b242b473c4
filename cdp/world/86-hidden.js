// What must not be seen in a picture, in CSS px of this frame's viewport: secret
// fields, private regions, the values of secret fields where they stand elsewhere on
// the page, and frames of which nobody knows what is in them.

const MAX_OCCURRENCES = 2000, MAX_HIDDEN = 20000;
function hiddenBoxes(watch) {
  const now = boxesToHide();
  if (watch.begin) beginWatch(watch.begin, now);
  return { boxes: now, ...(watch.end ? endWatch(watch.end, now) : {}) };
}

function boxesToHide() {
  findRoots();
  const values = readSecrets().filter((v) => v.length >= 4);
  const out = [];
  for (const root of liveRoots()) {
    for (const el of queryAll(root, "input,textarea," + FIELDS + "," + PRIVATE)) {
      if (hasAttr(el, "data-private") || holdsSecret(el)) out.push(...boxesBelow(el));
      else if (isField(el) && isSecret(el)) out.push(...[...boxesOf(el)].map(rectOf));
    }
    for (const el of queryAll(root, "iframe,frame,fencedframe")) if (!frameTokens.has(el)) out.push(rectOf(boxOf(el)));
    if (values.length) out.push(...occurrences(root, values));
  }
  return out.filter((r) => r[2] > r[0] && r[3] > r[1]).slice(0, MAX_HIDDEN);
}

// What is in an element may be drawn outside its box.
function boxesBelow(el) {
  const out = [...boxesOf(el)].map(rectOf), range = document.createRange();
  walkFlat(el, el, (node, leaving) => {
    if (leaving) return GO;
    if (isElement(node)) out.push(...[...boxesOf(node)].map(rectOf));
    else if (nodeType(node) === TEXT) {
      range.selectNodeContents(node);
      for (const r of range.getClientRects()) out.push(rectOf(r));
    }
    return out.length > MAX_HIDDEN ? STOP : GO;
  });
  return out;
}

function occurrences(root, values) {
  const out = [];
  const add = (rects) => { for (const r of rects) out.push(rectOf(r)); };
  const has = (s) => values.some((v) => s.includes(v));
  const range = document.createRange();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  // A value may be spelt by several texts that follow one another.
  let texts = [], words = "";
  const most = Math.max(...values.map((v) => v.length));
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const before = words.length;
    texts.push({ node: n, at: before });
    words += dataOf(n);
    for (const v of values) {
      for (let at = words.indexOf(v, Math.max(0, before - v.length + 1)); at >= 0; at = words.indexOf(v, at + v.length)) {
        if (at + v.length <= before) continue;
        const first = texts.findLast((t) => t.at <= at);
        range.setStart(first.node, at - first.at);
        range.setEnd(n, at + v.length - before);
        add(range.getClientRects());
        if (out.length > MAX_OCCURRENCES) return out;
      }
    }
    const cut = words.length - most;
    if (cut > 0) {
      texts = texts.filter((t, i) => (i + 1 < texts.length ? texts[i + 1].at : words.length) > cut);
      const gone = texts[0].at;
      words = words.slice(gone);
      for (const t of texts) t.at -= gone;
    }
  }
  for (const el of queryAll(root, "input,textarea,select")) {
    if (el instanceof HTMLSelectElement ? has(textContent(el)) : !(isField(el) && isSecret(el)) && (has(valueOf(el)) || has(attr(el, "placeholder") || ""))) add([boxOf(el)]);
  }
  return out;
}

// While a picture is taken, what must not be seen is looked at after each frame
// that is drawn: before and after it may be where it was, and elsewhere between.
const WATCH_TIME = 15000; // ms, longer than a picture may take
const hiddenWatches = new Map();
function beginWatch(id, boxes) {
  const w = { boxes: rounded(boxes), frames: rounded(frameBoxes()), moved: false, framesMoved: false, end: performance.now() + WATCH_TIME };
  hiddenWatches.set(id, w);
  // What is posted in a frame's callbacks runs once that frame is drawn.
  const next = () => requestAnimationFrame(() => scheduler.postTask(look, { priority: "user-blocking" }));
  const look = () => {
    if (hiddenWatches.get(id) !== w) return;
    if (performance.now() > w.end) { hiddenWatches.delete(id); return; }
    compare(w, boxesToHide());
    if (!w.moved) next();
  };
  next();
}
function compare(w, boxes) {
  w.moved ||= rounded(boxes) !== w.boxes;
  w.framesMoved ||= rounded(frameBoxes()) !== w.frames;
}
function endWatch(id, boxes) {
  const w = hiddenWatches.get(id);
  hiddenWatches.delete(id);
  if (!w) return { moved: true };
  compare(w, boxes);
  return { moved: w.moved, framesMoved: w.framesMoved };
}
// The frames in a frame carry along what must not be seen in them.
function frameBoxes() {
  const out = [];
  for (const ref of frameElements) { const el = ref.deref(); if (el && isConnected(el)) out.push(rectOf(boxOf(el))); }
  return out;
}
const rounded = (boxes) => boxes.map((r) => r.map(Math.round).join()).join(";");

// possibleHosts gives elements that may hide a closed shadow root and were not asked
// about before; of those that do not look like it, some at a time.
const MAX_POSSIBLE = 2000, MAX_UNLIKELY = 500;
function possibleHosts(reader) {
  findRoots();
  const out = [];
  let unlikely = 0;
  for (const root of liveRoots()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el && out.length < MAX_POSSIBLE; el = walker.nextNode()) {
      if (!couldHide(el)) continue;
      const box = rectOf(boxOf(el)), hides = hidesSome(el, box);
      if (!hides || (hides === MAYBE && ++unlikely > MAX_UNLIKELY)) continue;
      give(reader, el, box);
      out.push(el);
    }
  }
  return out;
}
