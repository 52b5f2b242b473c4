// Rows: every element that the accessibility tree has and that says something, and
// every piece of text, with where it is. What is on screen comes first, then what is
// nearest to it, within a budget; what is told stays in the order of the document.

// SCAN_RECORDS bounds what is looked at before the budget is spent, in memory and
// time. Of a document of BIG_PAGE elements, and of a frame of more than BIG_SHARE times its share
// of the budget, what is on screen is looked for first, so that a walk that runs out of time has it, and
// then what was left out, the nearest first, until the budget is spent.
const SCAN_RECORDS = 100000, BIG_PAGE = 3000, BIG_SHARE = 2;
// How much farther than what was left out the walk goes there at once, CSS px: to leave
// a piece of a block out costs as much as to read it.
const NEARBY = 200;
// The share of the time in which it is looked at points of the screen for what is drawn
// far from where it stands, and those after which it is no longer looked for that by its
// style, and for what is covered: on a page of thousands of layers to look at one point
// takes tens of milliseconds.
const POINTS_SHARE = 0.1, AFLOAT_SHARE = 0.5, COVERED_SHARE = 0.9;
const ROW_TEXT = 2000, ROW_OPTIONS = 5000;
// The share of the time that the walk of what is on screen may take, and that after which
// no more is walked; the rest is for what is said of what was chosen, and for where it is
// covered.
const SCAN_SHARE = 0.6, WIDEN_SHARE = 0.8;
// Roles that plain HTML settles and that say nothing without a name.
const QUIET = new Set([R.paragraph, R.emphasis, R.strong, R.subscript, R.superscript, R.mark, R.time, R.code, R.deletion, R.insertion,
  R.label, R.legend, R.caption, R.figcaption, R.lineBreak, R.generic, R.abbr]);
const SETTLED_ROW = 1, ASKED_ROW = 2;
// What is settled without a question, and what has the focus besides.
const AS_IT_IS = 1, AS_FOCUSED = 2;
// Custom elements can be disabled too, where they take part in forms.
const CAN_BE_DISABLED = /^(button|input|select|textarea|option|optgroup|fieldset)$|-/;
// The way to what has the focus is nearer than all that is on screen.
const FOCUSED = -1;

class Rows extends Walk {
  // horizon is how far from the viewport is walked, CSS px; Infinity: everywhere. What is
  // beyond is left out in holes, which can be filled later.
  constructor(options, horizon) {
    super({ scope: "page", verify: options.verify, records: SCAN_RECORDS, ms: options.ms && options.ms * SCAN_SHARE, textCap: options.textCap || ROW_TEXT, frames: options.frames, reader: options.reader });
    this.horizon = horizon;
    this.telling = openStream(options);
    this.met = new Set(); // elements come to while nothing but what is on screen is walked
    this.holes = this.into = []; // left out of what is walked first, and of what is walked now
    this.unfilled = []; // a heap, the nearest first
    this.sure = 0; // hosts that look as if they hid something
    this.first = 0; // how many records were there before any hole was filled
    this.coveredUntil = Infinity;
    this.about = []; // of each record: its node, and what is known of it
    this.unsought = NONE;
  }
  noteUnit() {}
  noteOther() {}

  piece(s, node, f, pre, cut, left) {
    super.piece(s, node, f, pre, cut, left);
    const r = this.records[this.records.length - 1];
    this.about[this.records.length - 1] = { node, far: r.r ? 0 : f.box ? far(f.box, this.view) : f.far };
  }
  lineBreak() { this.space = true; }
  pseudo(f, which) {
    super.pseudo(f, which);
    if (!f.mine || which !== "::after") return;
    const about = this.about[f.rec];
    about.isBare = !f.made; about.style = f.style;
  }
  isLeftOut(el) { return (hasAttr(el, "aria-hidden") && isAriaHidden(el)) || hasAttr(el, "inert"); }

  element(el, f, kids) {
    this.elements++;
    const tag = localName(el);
    let box;
    if (this.horizon < Infinity && !kids) {
      // Most of what is far away is told by its box alone.
      const away = this.outside(el, (box = rectOf(boxOf(el))));
      if (away > this.horizon && this.isApart(el, tag)) { this.leaveOut(el, f, away); return; }
    }
    let c = this.classOf(el, tag);
    if (c.kind === SKIP) {
      if (tag === "use") for (const words of usedWords(el)) this.piece(applyText(words, f.text), null, f, false, false);
      if (!(tag === "img" && hasAttr(el, "tabindex"))) return;
      c.kind = ASK; c.leaf = true;
    }
    const cs = getComputedStyle(el), display = cs.display;
    if (display === "none") return;
    if (display === "") {
      if (f.el && !shadowOf(f.el) && this.hosts.length < MAX_HOSTS && this.hosts[this.hosts.length - 1] !== f.el) { this.hosts.push(f.el); this.sure++; }
      return;
    }
    if (this.isLeftOut(el)) return;
    if (tag === "br") { this.lineBreak(); return; }
    const block = !isInlineDisplay(display) && !inFormula(el, tag);
    if (block) { this.run++; this.space = false; }
    const at = new Frame(f, el, cs, el === this.root || el === this.body, cs.visibility === "visible");
    if (c.kind === PLAIN_EL && cs.content !== "normal") c.kind = ASK;
    if (c.kind === ASK && (tag === "table" || tag === "th")) c = this.tables.settle(el, tag, cs) || c;
    box = display === "contents" ? null : box || rectOf(boxOf(el));
    if (!this.horizon) {
      this.met.add(el);
      if (!kids && box && (block || holdsBlock(el)) && this.offScreen(box, at)) { this.leaveOut(el, f, far(box, this.view)); return; }
    }
    const isPrivate = hasAttr(el, "data-private");
    const way = isPrivate ? SETTLED_ROW : rowWay(el, tag, c);
    let rec = f.rec, mine = false;
    if (way && (at.shown || isPrivate)) {
      mine = true;
      rec = this.records.length;
      const r = { p: f.rec, i: 0, t: tag, s: 0, b: this.run };
      const shown = this.drawnOf(box, at);
      if (shown) r.r = shown;
      this.records.push(r);
      this.about[rec] = { node: el, c, way, box, isPrivate, at: shown || way !== ASKED_ROW ? null : at, far: focusChain.has(el) ? FOCUSED : shown ? 0 : box ? far(box, this.view) : f.far };
    }
    const leaf = isPrivate || c.leaf || ((c.host || c.role) && holdsSecret(el)) || (LEAVES.has(tag) && !(tag === "object" && !isObjectFrame(el)));
    if (leaf) {
      if (mine && tag === "select") this.options(el, rec, at);
      if (mine && tag === "img" && hasAttr(el, "usemap")) this.areas(el, rec);
      if (block) { this.run++; this.space = false; }
      return;
    }
    const hides = hidesSome(el, box);
    if (hides && this.reader && this.hosts.length < (hides === MAYBE ? MAYBE_HOSTS.page : MAX_HOSTS)) {
      this.hosts.push(el);
      if (hides === SURE) this.sure++;
      give(this.reader, el, box);
    }
    let next = flatChildren(el);
    if (tag === "details" && !hasAttr(el, "open")) next = once(firstSummary(el));
    else if (cs.contentVisibility === "hidden" || (cs.contentVisibility === "auto" && contentSkipped(el))) next = () => null;
    at.rec = rec; at.mine = mine; at.next = next; at.kids = kids;
    at.box = box; at.display = display; at.block = block; at.far = box ? far(box, this.view) : f.far;
    this.stack.push(at);
    this.pseudo(at, "::before");
  }

  options(select, rec, at) {
    const entry = (el, parent) => {
      const r = { p: parent, i: 0, t: localName(el), s: 0, b: ++this.run };
      const box = rectOf(boxOf(el)), shown = drawn(box, at.clips.n, at.clips.gone);
      if (shown) r.r = shown;
      this.records.push(r);
      this.about[this.records.length - 1] = { node: el, c: { kind: ASK, role: null }, way: ASKED_ROW, box, isPrivate: hasAttr(el, "data-private"), far: this.about[rec].far };
      return this.records.length - 1;
    };
    const groups = new Map();
    let n = 0;
    for (const el of queryAllIn(select, "option,optgroup")) {
      if (getComputedStyle(el).display === "none") continue;
      if (++n > ROW_OPTIONS) { this.left++; continue; }
      const group = parentNode(el);
      const parent = groups.get(group) ?? rec;
      if (localName(el) === "optgroup") groups.set(el, entry(el, rec));
      else entry(el, parent);
    }
  }
  areas(img, rec) {
    const name = (attr(img, "usemap") || "").replace(/^#/, "");
    if (!name) return;
    for (const m of queryAll(document, "map")) {
      if (attr(m, "name") !== name && attr(m, "id") !== name) continue;
      let n = 0;
      for (const a of queryAllIn(m, "area[href]")) {
        if (++n > 200) { this.left++; continue; }
        this.records.push({ p: rec, i: 0, t: "area", s: 0, b: ++this.run });
        this.about[this.records.length - 1] = { node: a, c: { kind: ASK, role: null }, way: ASKED_ROW, box: null, far: this.about[rec].far };
      }
      return;
    }
  }

  // outside is how far from the viewport all of a box is that has an area, with what flows
  // out of it; 0 where it has none.
  outside(el, box) {
    if (!(box[2] > box[0] && box[3] > box[1])) return 0;
    const away = far(box, this.view);
    // What flows out to the right and below comes nearer only to what is there.
    return away && (box[2] <= this.view[0] || box[3] <= this.view[1]) ? far(overflowing(el, box), this.view) : away;
  }

  // isApart tells of what does not go on a line of what it is in, and can be left out.
  isApart(el, tag) {
    const display = getComputedStyle(el).display;
    if (display === "none" || display === "") return false;
    return (!isInlineDisplay(display) && !inFormula(el, tag)) || holdsBlock(el) || (tag.includes("-") && !shadowOf(el) && mayHoldBlock(el));
  }

  leaveOut(el, f, away) {
    const hole = { el, f, far: away, at: this.records.length, from: 0, to: 0, holes: null };
    this.into.push(hole);
    pushNearest(this.unfilled, hole);
    this.run++; this.space = false;
  }

  // fill walks what was left out, as far as the horizon goes now; isReached says that it
  // is walked in any case.
  fill(hole, isReached) {
    const { el, f } = hole, around = new Frame(f, null, null, false, f.shown);
    around.within = f.clips; around.own = f.clip; around.style = f.style ?? (f.cs ? f.text : PLAIN);
    around.rec = f.rec; around.box = f.box; around.far = f.far; around.display = f.display; around.block = false;
    around.next = once(el); around.kids = isReached ? [el] : null;
    this.elements--;
    this.into = hole.holes = [];
    hole.from = this.records.length;
    this.run++; this.space = false;
    this.stack.push(around);
    this.goOn();
    hole.to = this.records.length;
  }

  // reach walks what is on screen though it stands in what was left out.
  reach(elements) {
    const holes = new Map(this.unfilled.map((h) => [h.el, h])), into = new Set();
    for (const el of elements) {
      if (this.met.has(el)) continue;
      for (let n = el; n; n = flatParent(n)) if (holes.has(n)) { into.add(holes.get(n)); this.mustReach(el); break; }
    }
    if (!into.size) return;
    const rest = this.unfilled.filter((h) => !into.has(h));
    this.unfilled = [];
    for (const h of rest) pushNearest(this.unfilled, h);
    for (const kids of this.paths.values()) if (kids.length > 1) kids.sort(flatBefore);
    for (const h of into) if (!this.cut) this.fill(h, true);
  }

  // widen walks the nearest of what was left out, until there are so many records of
  // which none is farther away than what is left.
  widen(limit) {
    let enough = limit;
    for (let filled = 0; this.unfilled.length && !this.cut; filled++) {
      // A closed root that is not open to us yet says nothing: once it is, all is read anew.
      if (this.sure >= MAX_HOSTS && filled >= limit) return;
      if (this.records.length >= enough) {
        const away = this.about.map((a) => a.far).sort((a, b) => a - b)[limit - 1];
        if (away <= this.unfilled[0].far) return;
        enough = this.records.length + Math.max(20, limit / 20);
      }
      const hole = popNearest(this.unfilled);
      this.horizon = Math.max(this.horizon, hole.far + NEARBY);
      this.fill(hole, false);
    }
  }

  // arrange puts the records into the order of the document.
  arrange() {
    if (!this.holes.some((h) => h.holes)) return;
    const order = [], todo = [{ at: 0, to: this.first, holes: this.holes, next: 0 }];
    while (todo.length) {
      const part = todo[todo.length - 1], hole = part.holes[part.next++];
      for (const end = hole ? hole.at : part.to; part.at < end; part.at++) order.push(part.at);
      if (!hole) todo.pop();
      else if (hole.holes) todo.push({ at: hole.from, to: hole.to, holes: hole.holes, next: 0 });
    }
    const now = [];
    order.forEach((old, i) => { now[old] = i; });
    this.about = order.map((old) => this.about[old]);
    this.records = order.map((old) => this.records[old]);
    for (const r of this.records) if (r.p >= 0) r.p = now[r.p];
  }

  // choose leaves the records that the budget is spent on, each with those that it
  // is in; share is the part of it for those that are not on screen.
  choose(limit, share, inOrder) {
    const all = this.records;
    if (all.length <= share) return all.map((_, i) => i);
    if (inOrder) return all.slice(0, limit).map((_, i) => i);
    const order = all.map((_, i) => i).sort((a, b) => this.about[a].far - this.about[b].far || a - b);
    const chosen = new Set();
    for (const i of order) {
      const chain = [];
      for (let k = i; k >= 0 && !chosen.has(k); k = all[k].p) chain.push(k);
      if (chosen.size + chain.length > (this.about[i].far > 0 ? share : limit)) break;
      for (const k of chain) chosen.add(k);
    }
    return [...chosen].sort((a, b) => a - b);
  }

  // tell says all there is to say of the chosen records.
  tell(chosen) {
    const place = new Map(chosen.map((old, now) => [old, now]));
    const nearest = chosen.slice().sort((a, b) => this.about[a].far - this.about[b].far || a - b);
    const out = chosen.map((i) => this.records[i]);
    for (const r of out) r.p = place.get(r.p) ?? -1;
    const stream = this.telling && out.length > this.telling.size ? this.telling : null;
    for (const i of nearest) {
      const now = place.get(i);
      this.detail(out[now], this.about[i], now);
      if (stream) stream.hand(out, now);
    }
    this.records = out;
  }
  detail(r, about, now) {
    r.d = Math.round(about.far) || undefined;
    const el = about.node;
    if (!el) return;
    r.i = serialOf(el);
    if (!isElement(el)) { this.pieces.set(el, now); return; }
    this.index.set(el, now);
    const { c } = about, tag = r.t, cs = getComputedStyle(el);
    if (about.isPrivate) { r.s |= HIDES; r.c = R.generic; return; }
    if (c.named) r.s |= NAMED;
    if (c.kind === KNOWN) r.c = c.role;
    const words = about.way === ASKED_ROW ? settledName(el, c, cs, this.unsettled, about) : "";
    if (words && hasAttr(el, "title")) r.de = settledTitle(el, words);
    const isSettled = words !== "" || c.table === true, settled = el === focused ? AS_FOCUSED : AS_IT_IS;
    if (isSettled && !this.verify) { r.n = words; r.pl = settled; }
    else if (about.way === ASKED_ROW) {
      const name = plainName(el) || (tag === "option" ? optionLabel(el) : tag === "optgroup" ? attr(el, "label") || "" : "");
      if (name) r.n = name.slice(0, 1000);
      if (isSettled) { r.n = words; r.pl = settled; }
      if (heavy(el)) { if (c.kind !== KNOWN) r.c = -1; r.e = c.role || undefined; }
      else if (this.unsought.has(r)) r.q = -1;
      else this.want(el, r);
    }
    if (c.level) r.l = c.level;
    if (c.name) r.n = c.name;
    if (nameTainted(el)) r.s |= TAINTED;
    this.details(el, tag, c, r, cs);
    if (tag === "area") r.u = cap(areaHref(el));
    if (tag === "option" && optionSelected(el)) r.s |= SELECTED;
    if (tag === "input" && /^(checkbox|radio)$/.test(inputType(el))) r.k = inputIndeterminate(el) ? "mixed" : String(inputChecked(el));
    if (CAN_BE_DISABLED.test(tag) && matches(el, ":disabled")) r.no = 1;
    if (about.box && about.box[2] > about.box[0] && about.box[3] > about.box[1]) {
      r.o4 = [about.box[0], about.box[1], about.box[2] - about.box[0], about.box[3] - about.box[1]];
      if (about.way === ASKED_ROW) r.h = this.hidden(el, r, about);
      if ((/auto|scroll/.test(cs.overflowY) && scrollHeightOf(el) > clientHeightOf(el) + 1) || (/auto|scroll/.test(cs.overflowX) && scrollWidthOf(el) > clientWidthOf(el) + 1)) r.sc = 1;
    }
    if (r.f !== undefined || r.j !== undefined) r.fs = frameStep(el);
  }
  // isLate tells that there is no time left to look at points. What was not looked at is
  // said to be seen, and the reading to be cut.
  isLate() {
    if (performance.now() <= this.coveredUntil) return false;
    this.cut ||= "time";
    return true;
  }
  // hidden says why a point in the middle of an element is not it; of one that is
  // drawn in several lines it takes the largest that is.
  hidden(el, r, about) {
    if (!r.r) return (about.at && about.at.clips.gone) || (about.box[2] > 0 && about.box[3] > 0 && about.box[0] < innerWidth && about.box[1] < innerHeight) ? "clipped" : undefined;
    if (this.isLate()) return undefined;
    if (hits(el, r.o4[0] + r.o4[2] / 2, r.o4[1] + r.o4[3] / 2)) return undefined;
    const boxes = [...boxesOf(el)].slice(0, 20).map(rectOf).sort((a, b) => (b[2] - b[0]) * (b[3] - b[1]) - (a[2] - a[0]) * (a[3] - a[1]));
    const cut = [r.r[0], r.r[1], r.r[0] + r.r[2], r.r[1] + r.r[3]];
    if (boxes.length > 1) for (const b of boxes) {
      if (this.isLate()) return undefined;
      if (!hits(el, (b[0] + b[2]) / 2, (b[1] + b[3]) / 2)) continue;
      r.o4 = [b[0], b[1], b[2] - b[0], b[3] - b[1]];
      return undefined;
    }
    const middle = [r.o4[0] + r.o4[2] / 2, r.o4[1] + r.o4[3] / 2];
    if (middle[0] < cut[0] || middle[1] < cut[1] || middle[0] >= cut[2] || middle[1] >= cut[3]) return "clipped";
    return "covered";
  }
}

const clientHeightOf = getter(Element, "clientHeight"), clientWidthOf = getter(Element, "clientWidth");

// rowWay tells whether an element is a row, and whether the accessibility tree has to
// say so.
function rowWay(el, tag, c) {
  const reachable = hasAttr(el, "tabindex");
  if (c.kind === PLAIN_EL) return reachable ? ASKED_ROW : 0;
  if (tag === "svg" && !reachable && !c.named && !c.role && !titledForeign(el)) return 0;
  if (c.kind !== KNOWN) return ASKED_ROW;
  if (reachable || c.role === R.link || c.role === R.heading || c.role === R.option || c.table) return ASKED_ROW;
  return QUIET.has(c.role) ? 0 : SETTLED_ROW;
}
function titledForeign(el) {
  for (let c = firstChild(el), n = 0; c && n < 4; c = nextSibling(c), n++) if (isElement(c) && localName(c) === "title") return true;
  return false;
}

// holdsBlock tells of an element that stands in a line whether what it is made of in its
// shadow tree does not: a custom element is one unless its author says otherwise.
function holdsBlock(el) {
  const root = shadowOf(el);
  for (let n = root && firstChild(root); n; n = nextSibling(n)) {
    if (!isElement(n) || SKIPPED.has(localName(n))) continue;
    const { display } = getComputedStyle(n);
    return display !== "none" && !isInlineDisplay(display);
  }
  return false;
}

// mayHoldBlock tells it of a custom element without a root that we know, by what is in it:
// a block, or nothing that is drawn.
function mayHoldBlock(el) {
  for (let n = firstChild(el); n; n = nextSibling(n)) {
    if (!isElement(n)) continue;
    const { display } = getComputedStyle(n);
    return display !== "none" && !isInlineDisplay(display);
  }
  return !drawsInside(el);
}

// far is how far a box is from the viewport, in CSS px.
const far = (b, view) => Math.max(0, b[0] - view[2], -b[2]) + Math.max(0, b[1] - view[3], -b[3]);

// hits tells whether what is seen at a point is in an element, or is its label.
function hits(el, x, y) {
  let at = docElementFromPoint(document, x, y);
  for (let n = 0; at && n < 20; n++) {
    const root = shadowOf(at), inner = root && rootElementFromPoint(root, x, y);
    if (!inner || inner === at) break;
    at = inner;
  }
  for (let n = at; n; n = flatParent(n)) if (n === el) return true;
  const tag = localName(el);
  if (at && (tag === "option" || tag === "optgroup") && containsNode(at, el) && localName(at) === "select") return true;
  return false;
}

// readRows answers one reading of this document as read does.
function readRows(options) {
  ordinals = new WeakMap();
  findRoots();
  readOwns();
  const secrets = readSecrets();
  if (options.stirs) stir(true);
  const focus = focused = deepFocus();
  const deep = focus && activeDescendant(focus);
  focusChain = new Set();
  for (const end of [focus, deep]) for (let n = end; n; n = flatParent(n)) focusChain.add(n);
  const field = options.selected ? fieldSelection(focus) : null;
  const range = field || !options.selected ? null : treeSelection();
  const words = range && collect(range, options);
  const total = document.getElementsByTagName("*").length;
  const limit = options.records || SCAN_RECORDS, share = Math.min(options.share || limit, limit);

  const begun = performance.now();
  const after = (share) => (options.ms ? begun + options.ms * share : Infinity);
  const isBig = !options.inOrder && (total >= BIG_PAGE || (options.share && total > BIG_SHARE * share));
  const walk = new Rows(options, isBig ? 0 : Infinity);
  if (isBig) for (const n of [focus, deep]) if (n) walk.mustReach(n);
  walk.go();
  walk.first = walk.records.length;
  if (isBig && !walk.cut) {
    // What is on screen, and stands elsewhere in the page, comes before all that is not.
    walk.reach(new Set([...onScreen(options.ms ? performance.now() + options.ms * POINTS_SHARE : Infinity), ...afloat(after(AFLOAT_SHARE))]));
    walk.until = after(WIDEN_SHARE);
    walk.widen(share);
  }
  walk.arrange();
  const chosen = walk.choose(limit, share, options.inOrder);
  if (walk.unfilled.length && !walk.cut) walk.cut = "records";
  const beyond = walk.records.length - chosen.length + walk.left;
  if (options.seek && chosen.length === walk.records.length) walk.unsought = unsought(walk, options.seek, secrets);
  if (walk.cut && chosen.length >= share) walk.cut = "records";
  walk.coveredUntil = after(COVERED_SHARE);
  walk.tell(chosen);
  const pending = walk.cut ? undefined : beyond;

  const at = (n) => (n ? nearest(walk, n) : undefined);
  const facts = {
    url: cap(document.URL), title: docTitle(document).slice(0, 10000), state: docState(document),
    visible: docVisibility(document) === "visible", hasFocus: docHasFocus(document),
    width: innerWidth, height: innerHeight, scale: devicePixelRatio, x: screenX, y: screenY,
    total: Math.max(total, walk.elements), left: walk.left || undefined,
    unread: walk.cut ? Math.max(1, total - walk.elements) : undefined,
    ...told(walk.records, walk.telling), cut: walk.cut || undefined, pending, pdf: document.contentType === "application/pdf" || undefined,
    secrets: secrets.length ? secrets : undefined,
    focus: focus ? { rec: at(focus), deep: deep ? at(deep) : undefined, frame: frameTokens.get(focus) } : undefined,
    stirred: options.stirs ? takeStirred(options.since) : undefined,
    view: options.view ? viewport() : undefined,
  };
  if (field) facts.selection = { text: field.text.slice(0, SELECTION_LIMIT), rec: at(field.field), cut: field.text.length > SELECTION_LIMIT || undefined };
  else if (words) facts.selection = { text: words.text, rec: at(words.top), cut: words.cut || undefined };
  const hosts = [];
  if (options.hosts !== false) for (const n of [focus, range && childAt(range.from, range.fromAt)]) if (n && isElement(n) && couldHide(n)) hosts.push(n);
  for (const el of walk.hosts) hosts.push(el);
  return [JSON.stringify(facts), walk.ask, hosts, walk.frames];
}

// afloat gives what is on screen of what a style puts elsewhere than where it stands in
// the page, which a walk that leaves out what is far away would not come to.
function afloat(until) {
  const view = viewportClips().n, found = [];
  let n = 0;
  for (const root of liveRoots()) {
    const all = queryAll(root, "*");
    for (let i = 0, most = all.length; i < most; i++) {
      if ((++n & 255) === 0 && performance.now() > until) return found;
      const el = all[i], { position } = getComputedStyle(el);
      if (position !== "static" && position !== "relative" && inView(rectOf(boxOf(el)), view)) found.push(el);
    }
  }
  return found;
}

// A heap of what has a distance, the nearest first.
function pushNearest(heap, one) {
  let i = heap.push(one) - 1;
  for (let up; i && heap[(up = (i - 1) >> 1)].far > one.far; i = up) heap[i] = heap[up];
  heap[i] = one;
}
function popNearest(heap) {
  const first = heap[0], last = heap.pop();
  if (!heap.length) return first;
  let i = 0;
  for (let k; (k = 2 * i + 1) < heap.length; i = k) {
    if (k + 1 < heap.length && heap[k + 1].far < heap[k].far) k++;
    if (heap[k].far >= last.far) break;
    heap[i] = heap[k];
  }
  heap[i] = last;
  return first;
}

// caption is what a document calls itself, with the secrets that must not be in it.
function caption() {
  findRoots();
  return { title: docTitle(document).slice(0, 10000), url: cap(document.URL), state: docState(document),
    visible: docVisibility(document) === "visible", focus: docHasFocus(document), secrets: readSecrets(),
    outer: [screenX, screenY, outerWidth, outerHeight] };
}
