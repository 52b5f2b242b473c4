// Rows: every element that the accessibility tree has and that says something, and
// every piece of text, with where it is. What is on screen comes first, then what is
// nearest to it, within a budget; what is told stays in the order of the document.

// SCAN_RECORDS bounds what is looked at before the budget is spent, in memory and
// time; BIG_PAGE is from how many elements on what is on screen is looked for first,
// so that a walk that runs out of time has it, and then what is within a horizon that
// widens until the budget is spent: what is far away is not walked.
const SCAN_RECORDS = 100000, BIG_PAGE = 3000;
// How many times the records that the budget takes a horizon should have, as things
// stand within the one before, and how much wider than that one it is at most.
const AHEAD = 1.3, WIDER = 12;
// Shares of the time after which it is no longer looked for what is drawn far from where
// it stands, at points of the screen and by its style, and for what is covered: on a page
// of thousands of layers to look at one point takes tens of milliseconds.
const POINTS_SHARE = 0.1, AFLOAT_SHARE = 0.5, COVERED_SHARE = 0.9;
const ROW_TEXT = 2000, ROW_OPTIONS = 5000;
// The share of the time that the walk may take; the rest is for what is said of what
// was chosen, and for where it is covered.
const SCAN_SHARE = 0.6;
// Roles that plain HTML settles and that say nothing without a name.
const QUIET = new Set([R.paragraph, R.emphasis, R.strong, R.subscript, R.superscript, R.mark, R.time, R.code, R.deletion, R.insertion,
  R.label, R.legend, R.caption, R.figcaption, R.lineBreak, R.generic, R.abbr]);
const SETTLED_ROW = 1, ASKED_ROW = 2;
// The way to what has the focus is nearer than all that is on screen.
const FOCUSED = -1;

class Rows extends Walk {
  // horizon is how far from the viewport is walked, CSS px; Infinity: everywhere.
  constructor(options, horizon) {
    super({ scope: "page", verify: options.verify, records: SCAN_RECORDS, ms: options.ms && options.ms * SCAN_SHARE, textCap: options.textCap || ROW_TEXT, frames: options.frames });
    this.horizon = horizon;
    this.pruned = false;
    this.met = new Set(); // elements come to, of a walk of what is on screen
    this.coveredUntil = Infinity;
    this.about = []; // of each record: its node, and what is known of it
    this.unsought = NONE;
    this.unsettled = new Map(); // of elements whose ancestors were looked at
  }
  noteUnit() {}
  noteOther() {}

  piece(s, node, f, pre, cut, left) {
    super.piece(s, node, f, pre, cut, left);
    const r = this.records[this.records.length - 1];
    this.about[this.records.length - 1] = { node, far: r.r ? 0 : f.box ? far(f.box, this.view) : f.far };
  }
  lineBreak() { this.space = true; }
  classOf(el, tag) { return classify(el, tag); }
  isLeftOut(el) { return (hasAttr(el, "aria-hidden") && isAriaHidden(el)) || hasAttr(el, "inert"); }

  element(el, f, kids) {
    this.elements++;
    const tag = localName(el);
    const c = this.classOf(el, tag);
    if (c.kind === SKIP) {
      if (tag === "use") for (const words of usedWords(el)) this.piece(applyText(words, f.text), null, f, false, false);
      if (!(tag === "img" && hasAttr(el, "tabindex"))) return;
      c.kind = ASK; c.leaf = true;
    }
    const cs = getComputedStyle(el), display = cs.display;
    if (display === "none") return;
    if (display === "") {
      if (f.el && !shadowOf(f.el) && this.hosts.length < MAX_HOSTS) this.hosts.push(f.el);
      return;
    }
    if (this.isLeftOut(el)) return;
    if (tag === "br") { this.lineBreak(); return; }
    const block = !isInlineDisplay(display) && !inFormula(el, tag);
    if (block) { this.run++; this.space = false; }
    const at = new Frame(f, el, cs, el === this.root || el === this.body, cs.visibility === "visible");
    if (c.kind === PLAIN_EL && cs.content !== "normal") c.kind = ASK;
    const box = display === "contents" ? null : rectOf(boxOf(el));
    if (!this.horizon) this.met.add(el);
    if (this.horizon < Infinity && !kids && box && (block || holdsBlock(el)) && this.isBeyond(box, at)) { this.pruned = true; this.run++; return; }
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
    if (hides && this.hosts.length < (hides === MAYBE ? MAYBE_HOSTS.page : MAX_HOSTS)) { this.hosts.push(el); noteAsked(el, box); }
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

  // isBeyond says that all of a block is beyond the horizon, and what flows out of it.
  isBeyond(box, at) {
    if (!this.horizon) return this.offScreen(box, at);
    return box[2] > box[0] && box[3] > box[1] && far(box, this.view) > this.horizon && far(overflowing(at.el, box), this.view) > this.horizon;
  }

  // within counts the records that are within the horizon: a line may go on beyond.
  within() {
    let n = 0;
    for (const a of this.about) if (a.far <= this.horizon) n++;
    return n;
  }

  // addMissing takes over what another walk met on screen that this one, which was cut,
  // did not come to.
  addMissing(other) {
    const at = new Map(), now = [];
    this.about.forEach((a, i) => { if (a && a.node) at.set(a.node, i); });
    const run = this.run + 1;
    let beyond = false;
    other.records.forEach((r, i) => {
      const { node } = other.about[i], known = node ? at.get(node) : undefined;
      if (known !== undefined) { now[i] = known; return; }
      if (node) beyond = true;
      // Generated words that lie before are met already.
      if (!beyond) { now[i] = -1; return; }
      now[i] = this.records.length;
      r.p = r.p >= 0 ? now[r.p] : -1;
      r.b += run;
      this.records.push(r);
      this.about[now[i]] = other.about[i];
    });
    this.elements = Math.max(this.elements, other.elements);
  }

  // choose leaves the records that the budget is spent on, each with those that it
  // is in.
  choose(limit, inOrder) {
    const all = this.records;
    if (all.length <= limit) return all.map((_, i) => i);
    if (inOrder) return all.slice(0, limit).map((_, i) => i);
    const order = all.map((_, i) => i).sort((a, b) => this.about[a].far - this.about[b].far || a - b);
    const chosen = new Set();
    for (const i of order) {
      const chain = [];
      for (let k = i; k >= 0 && !chosen.has(k); k = all[k].p) chain.push(k);
      if (chosen.size + chain.length > limit) break;
      for (const k of chain) chosen.add(k);
    }
    return [...chosen].sort((a, b) => a - b);
  }

  // tell says all there is to say of the chosen records.
  tell(chosen) {
    const place = new Map(chosen.map((old, now) => [old, now]));
    const nearest = chosen.slice().sort((a, b) => this.about[a].far - this.about[b].far || a - b);
    const out = chosen.map((i) => this.records[i]);
    for (const i of nearest) this.detail(this.records[i], this.about[i], place.get(i));
    for (const r of out) r.p = place.get(r.p) ?? -1;
    this.records = out;
  }
  detail(r, about, now) {
    r.d = Math.round(about.far) || undefined;
    const el = about.node;
    if (!el) return;
    r.i = serialOf(el);
    if (!isElement(el)) { this.pieces.set(el, now); return; }
    this.index.set(el, now);
    const { c } = about, tag = r.t;
    if (about.isPrivate) { r.s |= HIDES; r.c = R.generic; return; }
    if (c.named) r.s |= NAMED;
    if (c.kind === KNOWN) r.c = c.role;
    const words = about.way === ASKED_ROW ? settledName(el, c, this.unsettled) : "";
    if (words && !this.verify) { r.n = words; r.pl = 1; }
    else if (about.way === ASKED_ROW) {
      const name = plainName(el) || (tag === "option" ? optionLabel(el) : tag === "optgroup" ? attr(el, "label") || "" : "");
      if (name) r.n = name.slice(0, 1000);
      if (words) { r.n = words; r.pl = 1; }
      if (heavy(el)) { if (c.kind !== KNOWN) r.c = -1; r.e = c.role || undefined; }
      else if (this.unsought.has(r)) r.q = -1;
      else this.want(el, r);
    }
    if (c.level) r.l = c.level;
    if (c.name) r.n = c.name;
    if (nameTainted(el)) r.s |= TAINTED;
    this.details(el, tag, c, r, getComputedStyle(el));
    if (tag === "area") r.u = cap(areaHref(el));
    if (tag === "option" && optionSelected(el)) r.s |= SELECTED;
    if (tag === "input" && /^(checkbox|radio)$/.test(inputType(el))) r.k = inputIndeterminate(el) ? "mixed" : String(inputChecked(el));
    if (matches(el, ":disabled")) r.no = 1;
    if (about.box && about.box[2] > about.box[0] && about.box[3] > about.box[1]) {
      r.o4 = [about.box[0], about.box[1], about.box[2] - about.box[0], about.box[3] - about.box[1]];
      if (about.way === ASKED_ROW) r.h = this.hidden(el, r, about);
      const x = getComputedStyle(el);
      if ((/auto|scroll/.test(x.overflowY) && scrollHeightOf(el) > clientHeightOf(el) + 1) || (/auto|scroll/.test(x.overflowX) && scrollWidthOf(el) > clientWidthOf(el) + 1)) r.sc = 1;
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
  if (reachable || c.role === R.link || c.role === R.heading || c.role === R.option) return ASKED_ROW;
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
    if (isElement(n) && !SKIPPED.has(localName(n))) return !/^(none|contents)$/.test(getComputedStyle(n).display) && !isInlineDisplay(getComputedStyle(n).display);
  }
  return false;
}

// Ancestors that say of what is in them that it is disabled, or is theirs alone.
const UNSETTLING = "[aria-disabled],summary,button," + ["button", "checkbox", "img", "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "option",
  "progressbar", "radio", "scrollbar", "separator", "slider", "switch", "tab", "math"].map((r) => `[role~="${r}" i]`).join();
const SETTLED_ATTRIBUTES = /^(href|class|id|style|target|rel|hreflang|download|ping|referrerpolicy|type|data-.*)$/;

// settledName is the name of a plain link or heading of which the accessibility tree
// has nothing else to tell: all that is in it is words, drawn as they are written.
// There are thousands of them in a list. It is "" where the tree has to be asked.
function settledName(el, c, unsettled) {
  if (c.kind !== KNOWN || (c.role !== R.link && c.role !== R.heading) || shadowOf(el) || focusChain.has(el) || owns.has(el)) return "";
  const text = firstChild(el);
  if (!text || nodeType(text) !== TEXT || nextSibling(text) || editable(el) || attrNames(el).some((a) => !SETTLED_ATTRIBUTES.test(a))) return "";
  const cs = getComputedStyle(el), style = textStyle(cs);
  if (style.fold !== 2 || style.transform !== "none" || style.secure || cs.display === "list-item" || isUnsettled(el, unsettled)) return "";
  for (const which of ["::before", "::after"]) if (!/^(none|normal)$/.test(getComputedStyle(el, which).content)) return "";
  const words = applyText(dataOf(text), style).trim();
  return words.length <= 1000 && !/[\p{Cc}\p{Cf}\p{Co}]/u.test(words) ? words : "";
}

// isUnsettled tells whether an element or what it is in, also across the borders of
// shadow trees, says something of it. known keeps what was found out of ancestors.
function isUnsettled(el, known) {
  const way = [];
  let is = false;
  for (let n = el; n; n = flatParent(n)) {
    const before = known.get(n);
    if (before !== undefined) { is = before; break; }
    way.push(n);
    if (isElement(n) && matches(n, UNSETTLING)) { is = true; break; }
  }
  for (const n of way) known.set(n, is);
  return is;
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
  const focus = deepFocus();
  const deep = focus && activeDescendant(focus);
  focusChain = new Set();
  for (const end of [focus, deep]) for (let n = end; n; n = flatParent(n)) focusChain.add(n);
  const field = fieldSelection(focus);
  const range = field ? null : treeSelection();
  const words = range && collect(range, options.selection || SELECTION_LIMIT);
  const total = document.getElementsByTagName("*").length;
  const limit = options.records || SCAN_RECORDS;

  const begun = performance.now();
  const after = (share) => (options.ms ? begun + options.ms * share : Infinity);
  const reached = [focus, deep].filter(Boolean);
  const look = (horizon) => {
    const left = options.ms ? Math.max(1, options.ms - (performance.now() - begun)) : 0;
    const w = new Rows({ ...options, ms: left }, horizon);
    if (horizon < Infinity) for (const n of reached) w.mustReach(n);
    w.go();
    return w;
  };
  let walk = null;
  if (total >= BIG_PAGE && !options.inOrder) {
    reached.push(...onScreen(after(POINTS_SHARE)));
    walk = look(0);
    // What is on screen where it stands comes first.
    const apart = walk.cut ? [] : afloat(after(AFLOAT_SHARE)).filter((el) => !walk.met.has(el));
    if (apart.length) {
      reached.push(...apart);
      const more = look(0);
      if (more.cut) more.addMissing(walk);
      more.hosts = walk.hosts.concat(more.hosts);
      walk = more;
    }
  }
  while (!walk || (walk.pruned && !walk.cut && walk.within() < limit)) {
    const wider = look(walk && options.records ? widen(walk.horizon, walk.within(), limit) : Infinity);
    if (wider.cut && walk) wider.addMissing(walk);
    if (walk) wider.hosts = walk.hosts.concat(wider.hosts);
    walk = wider;
  }
  const chosen = walk.choose(limit, options.inOrder);
  if (walk.pruned && !walk.cut) walk.cut = "records";
  const beyond = walk.records.length - chosen.length + walk.left;
  if (options.seek && chosen.length === walk.records.length) walk.unsought = unsought(walk, options.seek, secrets);
  if (walk.cut && chosen.length >= limit) walk.cut = "records";
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
    records: walk.records, cut: walk.cut || undefined, pending, pdf: document.contentType === "application/pdf" || undefined,
    secrets: secrets.length ? secrets : undefined,
    focus: focus ? { rec: at(focus), deep: deep ? at(deep) : undefined, frame: frameTokens.get(focus) } : undefined,
    stirred: options.stirs ? takeStirred(options.since) : undefined,
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
  for (const root of liveRoots()) for (const el of queryAll(root, "*")) {
    if ((++n & 255) === 0 && performance.now() > until) return found;
    if (/^(?:static|relative)$/.test(getComputedStyle(el).position)) continue;
    if (inView(rectOf(boxOf(el)), view)) found.push(el);
  }
  return found;
}

// widen is the next horizon, where one had so many records.
function widen(horizon, records, limit) {
  const seen = innerHeight + horizon;
  return Math.max(seen, Math.min(seen * (AHEAD * limit) / Math.max(records, 1), WIDER * seen) - innerHeight);
}

// caption is what a document calls itself, with the secrets that must not be in it.
function caption() {
  findRoots();
  return { title: docTitle(document).slice(0, 10000), url: cap(document.URL), state: docState(document),
    visible: docVisibility(document) === "visible", focus: docHasFocus(document), secrets: readSecrets(),
    outer: [screenX, screenY, outerWidth, outerHeight] };
}
