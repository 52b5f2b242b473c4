// read answers one reading of this document: [facts as JSON, the elements to ask
// the accessibility tree about, hosts that may hide a closed shadow root, elements
// that may hold a frame].

// Frames that a pointing read reaches in any case.
const MAX_FRAMES = 100;

// Of how many elements a document is made matters only to a reading that asks about a
// part of them: the reader asks about fewer than these one by one.
const FEW_QUESTIONS = 20;

// A rehearsal is of a document no larger: in another, what it is for is little beside the
// reading itself.
const REHEARSED = 5000;

function read(options) {
  if (options.rehearsal && document.getElementsByTagName("*").length > REHEARSED) return ["{}", [], [], []];
  if (options.scope === "rows") return readRows(options);
  ordinals = new WeakMap();
  findRoots();
  readOwns();
  const secrets = readSecrets();
  const focus = focused = deepFocus();
  const deep = focus && activeDescendant(focus);
  focusChain = new Set();
  for (let n = focus; n; n = flatParent(n)) focusChain.add(n);
  const walk = new Walk(options);
  const hover = deepHover();
  const field = fieldSelection(focus);
  const range = field ? null : treeSelection();
  const words = range && collect(range, options);
  const chosen = selectedElements();
  const target = options.target ? nodeOf(options.target) : null;

  const under = hover && hoverText(hover);
  for (const n of [focus, deep, hover, under, ...chosen]) if (n) walk.mustReach(n);
  let same = false;
  if (words) {
    same = sameRun(words.first, words.last, words.top);
    walk.mustReach(words.top);
    walk.mustReach(words.first);
    if (same) walk.mustReach(words.last);
  }
  if (target) walk.mustReach(target);
  // What is selected or hovered in a frame is known only there.
  let held = 0;
  for (const ref of frameElements) {
    const el = ref.deref();
    if (!el || !isConnected(el)) frameElements.delete(ref);
    else if (++held <= MAX_FRAMES) walk.mustReach(el);
  }
  if (options.frames) for (const root of liveRoots()) for (const el of newFrames(root, MAX_FRAMES - held)) { held++; walk.mustReach(el); }
  for (const panel of [...walk.paths.keys()]) {
    if (!isElement(panel) || attr(panel, "role") !== "tabpanel") continue;
    const tab = tabOf(panel);
    if (tab) walk.mustReach(tab);
  }
  if (walk.onScreen && options.grid) for (const el of onScreen()) walk.mustReach(el);
  if (walk.pointing) {
    const end = deep || focus;
    if (end) walk.full.add(reportable(end));
    for (const el of chosen) walk.full.add(el);
    if (hover) { const el = wordy(hover); if (el) walk.full.add(el); }
    if (target) walk.full.add(isElement(target) ? target : reportable(target));
  }
  walk.go();

  const at = (n) => (n ? nearest(walk, n) : undefined);
  const facts = {
    url: cap(document.URL), title: docTitle(document).slice(0, 10000), state: docState(document), lang: docElement(document) ? attr(docElement(document), "lang") || undefined : undefined,
    visible: docVisibility(document) === "visible", hasFocus: docHasFocus(document),
    width: innerWidth, height: innerHeight, scale: devicePixelRatio, x: screenX, y: screenY,
    // Counting costs as much as the page is large. Those in shadow trees are counted as
    // they are come to.
    total: walk.pointing && walk.ask.length < FEW_QUESTIONS ? 0 : Math.max(document.getElementsByTagName("*").length, walk.elements),
    plain: walk.verify ? walk.plain : undefined,
    left: (walk.left + (options.scope === "page" ? 0 : chosen.more)) || undefined,
    unread: walk.cut ? Math.max(1, document.getElementsByTagName("*").length - walk.elements) : undefined,
    ...told(walk.records, walk.stream), cut: walk.cut || undefined,
    secrets: secrets.length ? secrets : undefined,
    focus: focus ? { rec: at(focus), deep: deep ? at(deep) : undefined, frame: frameTokens.get(focus) } : undefined,
    hover: hover ? { rec: at(hover), frame: frameTokens.get(hover), piece: under ? walk.pieces.get(under) : undefined, at: pointer.time } : undefined,
    target: target ? walk.pieces.get(target) ?? at(target) : undefined,
    targetGone: options.target && !target ? true : undefined,
  };
  if (field) facts.selection = { text: field.text.slice(0, options.selection || SELECTION_LIMIT), rec: at(field.field), key: `${serialOf(field.field)}.${field.start}.${field.end}`, cut: field.text.length > (options.selection || SELECTION_LIMIT) || undefined, length: field.text.length };
  else if (words) facts.selection = { text: words.text, rec: at(words.top), same: same ? [walk.pieces.get(words.first), walk.pieces.get(words.last)] : [walk.pieces.get(words.first)],
    key: `${serialOf(range.from)}.${range.fromAt}.${serialOf(range.to)}.${range.toAt}`, cut: words.cut || undefined };
  const hosts = [];
  if (options.hosts !== false) for (const n of [focus, hover, range && childAt(range.from, range.fromAt)]) if (n && isElement(n) && couldHide(n)) hosts.push(n);
  for (const el of walk.hosts) hosts.push(el);
  return [JSON.stringify(facts), walk.ask, hosts, walk.frames];
}

// alone is read for whom only words reach, with a name of the document that no other
// has.
let documentName;
function alone(options) {
  documentName ??= crypto.getRandomValues(new Uint32Array(4)).join(".");
  const target = options.document === documentName ? options.target : undefined;
  return { key: documentName, facts: read({ ...options, target, hosts: false })[0] };
}

// onScreen gives what a grid of points hits: what is drawn far from where it stands
// in the tree (a fixed box in a parent that is scrolled away) is found so.
const GRID_X = 9, GRID_Y = 7;
function onScreen(until = Infinity) {
  const hit = new Set();
  for (let i = 0; i < GRID_X; i++) for (let k = 0; k < GRID_Y; k++) {
    if (performance.now() > until) return hit;
    const x = (innerWidth * (i + 0.5)) / GRID_X, y = (innerHeight * (k + 0.5)) / GRID_Y;
    let el = docElementFromPoint(document, x, y);
    for (let n = 0; el && n < 20; n++) {
      const root = shadowOf(el), inner = root && rootElementFromPoint(root, x, y);
      if (!inner || inner === el) break;
      el = inner;
    }
    if (el) hit.add(el);
  }
  return hit;
}

function tabOf(panel) {
  for (const el of byIds(panel, attr(panel, "aria-labelledby"))) if (attr(el, "role") === "tab") return el;
  const id = attr(panel, "id");
  if (id) for (const el of queryAll(document, '[role="tab"][aria-controls]')) if (attr(el, "aria-controls").split(/\s+/).includes(id)) return el;
  return null;
}

// nearest is the record of a node or of its nearest ancestor that has one.
function nearest(walk, node) {
  for (let n = node; n; n = flatParent(n)) { const r = walk.index.get(n); if (r !== undefined) return r; }
  return -1;
}
// The nearest ancestor that is sure to be reported, or is asked about.
function reportable(node) {
  for (let n = node; n; n = flatParent(n)) {
    if (!isElement(n)) continue;
    const c = classify(n, localName(n));
    if (c.kind === ASK || (c.kind === KNOWN && !MERGED.has(c.role))) return n;
  }
  return docElement(document);
}
const MERGED = new Set([R.emphasis, R.strong, R.subscript, R.superscript, R.time, R.abbr, R.label, R.legend, R.caption, R.generic, R.code, R.deletion, R.insertion, R.mark]);
// wordy is the element whose words a hovered node belongs to, where it is small
// enough to be said.
function wordy(node) {
  const el = reportable(node);
  const tag = localName(el);
  return /^(p|h[1-6]|a|li|dt|dd|td|th|input|textarea|img|svg|canvas|video|figcaption|summary|blockquote)$/.test(tag) || hasAttr(el, "role") ? el : null;
}
// The first words that stand directly in a hovered element: the run under the
// pointer, where the element itself is not one that is reported.
function hoverText(el) {
  for (let n = firstChild(el), i = 0; n && i < 100; n = nextSibling(n), i++) if (nodeType(n) === TEXT && /\S/.test(dataOf(n))) return n;
  return null;
}

Object.defineProperty(globalThis, "webarea", { value: {
  read, alone, place, frameAt, hiddenBoxes, possibleHosts, asked, viewport, listen, caption, stir, layout, made, seeMade, isStill,
  open(root) { closedRoots.set(rootHost(root), root); comeAcross(root); },
  frame(el, token) {
    if (!frameTokens.has(el)) frameElements.add(new WeakRef(el));
    frameTokens.set(el, token);
  },
} });
