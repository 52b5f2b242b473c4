// The walk: from the root down the flat tree, one record for each element that may
// be reported and for each piece of text, in document order. It never recurses, so
// that a page nested 50,000 deep cannot overflow it, and it stops at its limits.

// Flags of a record.
const BARE = 1, CUT = 2, SELECTED = 4, SECRET = 8, HIDES = 16, NAMED = 32, TAINTED = 64, INLINE = 128, POPOVER = 256,
  EDITOR = 512;

// How much is looked at of an ancestor in a pointing read, only to learn whether
// its whole content is one run of text; and of a subtree that is reported.
// PROBE_TEXT is more than a title can hold.
const PROBE_TEXT = 400, POINTED_OPTIONS = 60;
const PROBE_NODES = 200, SUBTREE_RECORDS = 400, WINDOW_SIBLINGS = 60;
const ENTRY_NODES = 300;
// Five times the frames that the reader follows.
const MAX_NEW_FRAMES = 1000;
// One walk asks about this many possible hosts of closed shadow roots: those of a whole
// page are opened together, since the page is walked anew once they are.
const MAX_HOSTS = 300, PAGE_HOSTS = 10000, MAYBE_HOSTS = { pointing: 150, visible: 300, page: 4000 };
const RELATIONS = { "aria-controls": "controls", "aria-details": "details", "aria-describedby": "describedby",
  "aria-flowto": "flowto", "aria-errormessage": "errormessage", "aria-owns": "owns" };

const ENTRIES = new Set([R.listItem, R.link, R.heading, R.cell, R.term, R.definition, R.paragraph]);

class Walk {
  constructor(options) {
    this.records = [];
    this.ask = [];
    this.asked = new Map();
    this.run = 0;
    this.space = false;
    this.visited = 0;
    this.limit = options.records || Infinity;
    this.until = options.ms ? performance.now() + options.ms : Infinity;
    this.textCap = options.textCap || Infinity;
    // What one element is asked for by its id is said whole.
    this.longest = options.target || options.scope !== "pointing" ? this.textCap : Math.min(this.textCap, SELECTION_LIMIT);
    this.subtree = options.subtree || (options.target ? Infinity : SUBTREE_RECORDS);
    this.scope = options.scope;
    this.stream = options.scope === "page" ? openStream(options) : null;
    this.pointing = options.scope === "pointing";
    this.onScreen = options.scope === "visible";
    this.cut = "";
    this.index = new Map();   // element → its record
    this.seen = new Set();    // what a pointing walk has visited
    this.pieces = new Map();  // text node → its record
    this.range = document.createRange();
    this.view = viewportClips().n;
    this.root = docElement(document); this.body = docBody(document);
    this.stack = [];
    this.paths = new Map();   // node → its children that must be walked
    this.full = new Set();    // elements whose subtree is reported
    this.verify = options.verify || false;
    this.plain = [];
    this.authors = readAuthors();
    this.left = 0;            // elements known and left out
    this.elements = 0;        // elements looked at
    this.mostHosts = options.scope === "page" ? PAGE_HOSTS : MAX_HOSTS;
    this.hosts = [];          // elements that may hide a closed shadow root
    this.reader = options.reader || 0;
    this.newFrames = options.frames || false;
    this.frames = [];         // elements that may hold a document the reader has not told of
    this.unsettled = new Map(); // of elements whose ancestors were looked at, see isUnsettled
    this.tables = new Tables(this.unsettled);
  }

  // mustReach adds the flat ancestors of a node to what is walked in any case.
  mustReach(node) {
    for (let n = node, p; n; n = p) {
      p = flatParent(n);
      if (!p) { if (n !== docElement(document)) return; p = document; }
      let kids = this.paths.get(p);
      if (!kids) this.paths.set(p, (kids = []));
      if (kids.includes(n)) return;
      kids.push(n);
      if (p === document) return;
    }
  }

  // beginning is what is read alone, if anything is.
  beginning() { return topmost(); }

  go() {
    const root = docElement(document);
    if (!root) return;
    for (const kids of this.paths.values()) if (kids.length > 1) kids.sort(flatBefore);
    const first = this.beginning() || root;
    const reached = first === root ? this.paths.has(document) : [...this.paths.values()].some((kids) => kids.includes(first));
    if (this.pointing && !reached) return;
    const probe = this.pointing ? { nodes: 0, limit: 0, done: true, full: false, runs: new Set() } : null;
    const around = rootFrame();
    around.next = once(first); around.kids = reached ? [first] : null; around.probe = probe;
    this.stack.push(around);
    this.goOn();
  }
  goOn() {
    while (this.stack.length) {
      if ((++this.visited & 15) === 0) this.pause();
      const f = this.stack[this.stack.length - 1];
      const n = this.step(f);
      if (n === null) this.leave(f);
      else this.visit(n, f);
    }
  }

  pause() {
    if (performance.now() > this.until) this.stopAll();
    if (this.stream) this.stream.walked(this.records, this.stack);
  }

  // step gives the next child of a frame: all of them, or, when enough is known,
  // only those that must be reached, each with the run of text it stands in.
  step(f) {
    for (;;) {
      if (f.window > 0) {
        const n = f.from;
        f.window--;
        if (n && (isInlineNode(n) || (f.kids && f.kids.includes(n)))) { f.from = nextSibling(n); if (owned.has(n)) continue; return n; }
        f.window = 0;
        this.run++;
      }
      const skip = f.skip || (f.probe && f.probe.done);
      if (!skip) return f.next();
      if (!f.kids || !f.kids.length) return null;
      const n = f.kids[0];
      if (f.rec >= 0 && !f.skip) this.records[f.rec].s |= CUT;
      if (!isInlineNode(n) || owned.has(n)) { this.run++; return n; }
      let s = n, joined = false;
      for (let i = 0; i < WINDOW_SIBLINGS; i++) {
        const p = previousSibling(s);
        if (!p || !isInlineNode(p)) break;
        if (this.seen.has(p)) { joined = true; break; }
        s = p;
      }
      if (!joined) this.run++;
      f.from = s; f.window = 2 * WINDOW_SIBLINGS;
      // with siblings of a slot or an owner the window is the node alone
      if (s !== n && flatParent(s) !== flatParent(n)) { f.window = 0; return n; }
    }
  }

  leave(f) {
    if (f.el) {
      this.pseudo(f, "::after");
      if (f.mustAsk && !(f.wordsOnly && f.worded) && this.records[f.rec].q === undefined) this.want(f.el, this.records[f.rec]);
    }
    if (f.block) { this.run++; this.space = false; }
    this.stack.pop();
  }

  stopAll() {
    this.cut = "time";
    this.until = Infinity;
    this.markCut();
    for (const f of this.stack) f.skip = true;
  }

  // noteUnit tells the probes above that a run of words, or something that is
  // surely not a run, was found; two of them settle what a probe asks. What is in
  // an element that was asked about may yet be dropped, so it counts only for it.
  noteUnit(run, decisive) {
    for (let i = this.stack.length - 1; i >= 0; i = Math.min(i, this.stack.length) - 1) {
      const { probe, asked } = this.stack[i];
      if (probe && !probe.done && !probe.full) {
        probe.runs.add(decisive ? -1 - this.records.length : run);
        if (decisive || probe.runs.size > 1) this.settle(probe);
      }
      if (asked) return;
    }
  }
  settle(p) {
    p.done = true;
    let k = this.stack.length - 1;
    while (k >= 0 && this.stack[k].probe !== p) k--;
    if (k < 0) return;
    for (let i = k; i >= 0 && this.stack[i].probe === p; i--) if (this.stack[i].rec >= 0) this.records[this.stack[i].rec].s |= CUT;
    // Frames above k that no path needs were only looked at for this probe.
    if (this.stack.slice(k + 1).every((f) => !f.kids)) {
      for (let i = k + 1; i < this.stack.length; i++) if (this.stack[i].rec >= 0) this.records[this.stack[i].rec].s |= CUT;
      if (this.stack.slice(k + 1).some((f) => f.block)) { this.run++; this.space = false; }
      this.stack.length = k + 1;
    }
  }

  visit(n, f) {
    if (this.pointing) this.seen.add(n);
    let kids = null;
    if (f.kids) {
      const at = f.kids.indexOf(n);
      if (at >= 0) { f.kids.splice(at, 1); kids = (this.paths.get(n) || []).slice(); }
    }
    if (f.probe && !f.probe.done && ++f.probe.nodes > f.probe.limit && kids === null) {
      if (f.probe.full) { f.probe.done = true; this.markCut(); }
      else this.settle(f.probe);
      return;
    }
    if (this.records.length >= this.limit && kids === null) {
      if (!this.cut) this.cut = "records";
      this.markCut();
      f.skip = true;
      return;
    }
    const type = nodeType(n);
    if (type === TEXT) this.text(n, f);
    else if (type === ELEMENT) this.element(n, f, kids);
  }
  markCut() { for (const f of this.stack) if (f.rec >= 0) this.records[f.rec].s |= CUT; }

  text(n, f) {
    if (!f.shown) return;
    let s = dataOf(n);
    if (!s) return;
    const style = f.text;
    if (style.secure) return;
    let cut = false;
    const cap = this.pointing && f.probe && !f.probe.full ? PROBE_TEXT : this.longest;
    let left = 0;
    if (s.length > cap) { left = s.length - cap; s = s.slice(0, cap); cut = true; }
    s = applyText(s, style);
    if (style.fold && !/[^ \n\t\r\f]/.test(s)) { if (s) this.space = true; return; }
    this.piece(s, n, f, style.fold === 0, cut, left);
  }

  piece(s, node, f, pre, cut, left) {
    if (this.space && !pre) s = " " + s;
    this.space = false;
    const r = { p: f.rec, x: s, b: this.run };
    for (let i = this.stack.length - 1; i >= 0 && i > this.stack.length - 30; i--) if (this.stack[i].mustAsk) this.stack[i].worded = true;
    if (node) { r.i = serialOf(node); this.pieces.set(node, this.records.length); }
    if (pre) r.w = 1;
    if (cut) { r.s = CUT; r.z = left; }
    const box = node ? this.textBox(node, f) : f.el ? this.boxIn(f) : null;
    if (box) r.r = box;
    this.records.push(r);
    this.noteUnit(this.run, this.inDecisive());
  }
  // Words in one of these are surely something other than a plain run.
  inDecisive() {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const f = this.stack[i];
      if (f.asked) return false;
      if (f.kids) return false;
      if (f.decisive) return true;
    }
    return false;
  }
  boxIn(f) {
    if (f.box === undefined) f.box = f.el && f.display !== "contents" ? rectOf(boxOf(f.el)) : null;
    return f.box && inView(f.box, this.view) ? drawn(f.box, f.clips.n, f.clips.gone) : null;
  }
  textBox(node, f) {
    const cutBox = this.boxIn(f);
    if (f.box) {
      const area = (f.box[2] - f.box[0]) * (f.box[3] - f.box[1]);
      if (!cutBox && area > 4) return null;
      if (cutBox && Math.abs(cutBox[2] * cutBox[3] - area) <= cutBox[2] + cutBox[3] + 1) return cutBox;
    }
    this.range.selectNodeContents(node);
    const rect = rectOf(this.range.getBoundingClientRect());
    return inView(rect, this.view) ? drawn(rect, f.clips.n, f.clips.gone) : null;
  }

  pseudo(f, which) {
    if (!f.el) return;
    const cs = madeStyle(f.el, which);
    if (!cs) return;
    f.made = true;
    const g = madeText(f.el, cs);
    if (!g) return;
    if (g.block) { this.run++; this.space = false; }
    if (!g.fold) this.piece(g.text, null, f, true, false);
    else if (/[^ \n\t]/.test(g.text)) this.piece(g.text, null, f, false, false);
    else this.space = true;
    if (g.block) { this.run++; this.space = false; }
  }

  want(el, r) {
    r.q = this.ask.length;
    this.ask.push(el);
  }

  classOf(el, tag) {
    const c = classify(el, tag);
    return c.labelled && isUnsettled(el, this.unsettled) ? { kind: ASK, named: true, role: attr(el, "role") } : c;
  }

  element(el, f, kids) {
    this.elements++;
    const tag = localName(el);
    let c = this.classOf(el, tag);
    if (c.kind === SKIP) {
      if (tag === "use") for (const words of usedWords(el)) this.piece(applyText(words, f.text), null, f, false, false);
      return;
    }
    const cs = getComputedStyle(el);
    const display = cs.display;
    if (display === "none") return;
    if (display === "") {
      // Not in the flat tree: its parent has a shadow root without a slot for it.
      if (f.el && !shadowOf(f.el) && this.hosts.length < this.mostHosts) this.hosts.push(f.el);
      return;
    }
    if (hasAttr(el, "aria-hidden") && isAriaHidden(el)) return;
    if (hasAttr(el, "inert")) return;
    const block = !isInlineDisplay(display) && !inFormula(el, tag);
    if (tag === "br") { this.lineBreak(el, f, cs); return; }
    if (block) { this.run++; this.space = false; }
    const at = new Frame(f, el, cs, el === this.root || el === this.body, cs.visibility === "visible");
    // A box that the style sheet replaces with a picture.
    if (c.kind === PLAIN_EL && cs.content !== "normal") c.kind = ASK;
    if (c.kind === ASK && (tag === "table" || tag === "th")) c = this.tables.settle(el, tag, cs) || c;
    if (c.kind === DROP) {
      this.noteOther();
      if (c.role !== undefined && at.shown) this.records.push({ p: f.rec, i: serialOf(el), t: tag, c: c.role, s: 0, k: c.checked || "" });
      if (block) this.run++;
      return;
    }
    const box = display === "contents" ? null : rectOf(boxOf(el));
    if (this.onScreen && !kids && box && this.isOff(tag, block, box, at)) { this.run++; if (f.rec >= 0) this.records[f.rec].s |= CUT; return; }
    if (this.verify && c.kind === PLAIN_EL && at.shown) { this.plain.push([tag, this.ask.length, serialOf(el)]); this.ask.push(el); }
    const isPrivate = hasAttr(el, "data-private");
    let rec = f.rec, mine = false;
    if ((c.kind !== PLAIN_EL && (at.shown || isPrivate)) || isPrivate) {
      mine = true;
      rec = this.records.length;
      this.record(el, tag, c, f, cs, isPrivate, this.drawnOf(box, at), kids);
    }
    if (mine && (c.kind === ASK || c.role === R.image || c.labelled || SECTIONS.has(c.role))) this.noteOther();
    const leaf = isPrivate || c.leaf || ((c.host || c.role) && holdsSecret(el)) || (LEAVES.has(tag) && !(tag === "object" && !isObjectFrame(el)));
    if (leaf) {
      if (mine && tag === "select") this.options(el, rec, at);
      if (mine && tag === "img" && hasAttr(el, "usemap")) this.areas(el, rec);
      if (mine && !c.leaf && c.kind === KNOWN) this.noteUnit(this.run, true);
      if (mine && c.role === R.image && this.pointing) this.noteUnit(this.run, true);
      if (block) { this.run++; this.space = false; }
      return;
    }
    const hides = hidesSome(el, box);
    if (hides && this.reader && this.hosts.length < (hides === MAYBE ? MAYBE_HOSTS[this.scope] : this.mostHosts)) { this.hosts.push(el); give(this.reader, el, box); }
    let probe = f.probe;
    if (this.pointing && mine && kids !== null && !(probe && probe.full)) {
      probe = this.full.has(el) ? { nodes: 0, limit: this.subtree, done: false, full: true, runs: new Set() }
        : { nodes: 0, limit: PROBE_NODES, done: false, full: false, runs: new Set() };
    }
    let next = flatChildren(el);
    if (tag === "details" && !hasAttr(el, "open")) next = once(firstSummary(el));
    else if (cs.contentVisibility === "hidden" || (cs.contentVisibility === "auto" && contentSkipped(el))) next = () => null;
    at.rec = rec; at.mine = mine; at.next = next; at.kids = kids; at.probe = probe;
    at.box = box; at.display = display; at.block = block;
    at.asked = mine && (c.kind === ASK || c.table === true);
    at.mustAsk = mine && NAMED_BY_WORDS.has(c.role) && c.kind === KNOWN;
    at.decisive = mine && c.kind === KNOWN && (c.role === R.link || c.role === R.heading || c.role === R.listItem || c.role === R.term || c.role === R.definition);
    at.entry = mine && ENTRIES.has(c.role);
    this.stack.push(at);
    this.pseudo(at, "::before");
  }

  lineBreak(el, f, cs) {
    if (cs.visibility !== "visible" || !f.shown) return;
    this.space = false;
    this.records.push({ p: f.rec, x: "\n", b: this.run, w: 1 });
  }

  record(el, tag, c, f, cs, isPrivate, box, kids) {
    const r = { p: f.rec, i: serialOf(el), t: tag, s: 0, b: this.run };
    this.index.set(el, this.records.length);
    this.records.push(r);
    if (box) r.r = box;
    if (isInlineDisplay(cs.display) && cs.display !== "contents") r.s |= INLINE;
    if (c.named) r.s |= NAMED;
    if (isPrivate) { r.s |= HIDES; r.c = R.generic; return; }
    if (c.kind === KNOWN) r.c = c.role;
    else if (heavy(el)) { r.c = -1; r.n = plainName(el); r.e = c.role || undefined; }
    else {
      this.want(el, r);
      // What is said where the accessibility tree does not answer in time.
      const name = plainName(el);
      if (name) r.n = name;
    }
    if (this.verify && c.kind === KNOWN) this.want(el, r);
    if (c.level) r.l = c.level;
    if (c.name) r.n = c.name;
    if (this.pointing && kids !== null && !this.full.has(el) && !(f.probe && f.probe.full)) r.s |= BARE;
    if (nameTainted(el)) r.s |= TAINTED;
    this.details(el, tag, c, r, cs);
  }

  // details reads what only the DOM knows.
  details(el, tag, c, r, cs) {
    if (hasAttrs(el)) {
      const a = {};
      for (const [name, key] of DETAILS) if (hasAttr(el, name)) { const v = attr(el, name).slice(0, 1000); if (v.trim()) a[key] = v; }
      if (attr(el, "aria-selected") === "true") r.s |= SELECTED;
      if (hasAttr(el, "popover")) r.s |= POPOVER;
      for (const name in RELATIONS) if (hasAttr(el, name)) {
        for (const to of byIds(el, attr(el, name)).slice(0, 8)) relate(r, RELATIONS[name], to);
      }
      if (c.role === "tabpanel") for (const to of byIds(el, attr(el, "aria-labelledby")).slice(0, 8)) relate(r, "labelledby", to);
      if (c.role === "combobox" || tag === "input") {
        const option = activeDescendant(el), list = option && closest(option, '[role="listbox"]');
        if (list) relate(r, "owns", list);
      }
      if (Object.keys(a).length) r.a = a;
    }
    if (tag === "label" && el instanceof HTMLLabelElement) {
      const field = labelControl(el);
      if (field && (isField(field) || field instanceof HTMLSelectElement)) relate(r, "for", field);
    }
    if (tag === "code" && parentNode(el) instanceof HTMLPreElement) r.s &= ~INLINE;
    if (tag === "a" && el instanceof HTMLAnchorElement) r.u = cap(linkHref(el));
    else if (tag === "a" && hasAttr(el, "href")) { try { r.u = cap(new URL(attr(el, "href"), document.baseURI).href); } catch { /* no address */ } }
    else if (tag === "img" && el instanceof HTMLImageElement) r.u = cap(imageSource(el) || "");
    else if (el instanceof HTMLMediaElement) {
      r.u = cap(mediaSource(el) || mediaAddress(el));
      // Chrome names a player itself ("Unable to play media."); a name of the page's
      // own is told apart here.
      if ((attr(el, "title") || "").trim()) r.s |= NAMED;
    }
    else if (tag === "iframe" || tag === "frame" || tag === "fencedframe" || tag === "object" || tag === "embed") {
      r.f = frameTokens.get(el) || undefined;
      if (!r.f && this.newFrames && this.frames.length < MAX_NEW_FRAMES) r.j = heavy(el) ? -1 : this.frames.push(el) - 1;
      r.u = cap(frameAddress(el, tag));
      const b = boxOf(el);
      r.g = [b.left, b.top, b.width, b.height];
    }
    if (!r.u) delete r.u;
    if (tag === "use") r.n = usedTitle(el);
    if (tag === "li") { const m = marker(el, cs); if (m) r.m = m; }
    if (isField(el)) {
      r.y = el instanceof HTMLTextAreaElement ? "textarea" : inputType(el);
      if (isSecret(el)) r.s |= SECRET;
      else {
        const v = valueOf(el), cap = this.longest;
        if (v) r.v = v.slice(0, cap);
        if (v.length > cap) { r.s |= CUT; r.z = v.length - cap; }
      }
    } else if (holdsSecret(el)) {
      r.s |= SECRET | HIDES | (c.host ? EDITOR : 0);
    } else if (c.host) {
      if (!editable(flatParent(el))) r.s |= EDITOR;
    } else if (editable(el) && !editable(parentNode(el))) r.s |= EDITOR;
    const by = this.authors.get(el);
    if (by) (r.a ||= {}).author = by;
  }

  options(select, rec, at) {
    const most = this.pointing ? POINTED_OPTIONS : this.limit;
    let n = 0;
    for (const o of queryAllIn(select, "option")) {
      if ((++n > most || this.records.length >= this.limit) && !optionSelected(o)) { this.records[rec].s |= CUT; this.left++; continue; }
      const cs = getComputedStyle(o);
      if (cs.display === "none") continue;
      const r = { p: rec, i: serialOf(o), t: "option", c: R.option, s: 0, b: ++this.run };
      if (hasAttr(o, "data-private")) r.s |= HIDES;
      else r.n = optionLabel(o) || textContent(o);
      if (optionSelected(o) && !(r.s & HIDES)) r.s |= SELECTED;
      const box = drawn(rectOf(boxOf(o)), at.clips.n, at.clips.gone);
      if (box) r.r = box;
      this.index.set(o, this.records.length);
      this.records.push(r);
    }
    this.run++;
  }
  areas(img, rec) {
    const name = (attr(img, "usemap") || "").replace(/^#/, "");
    if (!name) return;
    for (const m of queryAll(document, "map")) {
      if (attr(m, "name") !== name && attr(m, "id") !== name) continue;
      let n = 0;
      for (const a of queryAllIn(m, "area[href]")) {
        if (++n > 200) return;
        const r = { p: rec, i: serialOf(a), t: "area", s: 0, b: ++this.run, u: cap(areaHref(a)) };
        this.records.push(r);
        this.want(a, r);
      }
      return;
    }
  }

  // noteOther has the link or heading above asked for its name: it holds something
  // that is named and is not words.
  noteOther() {
    for (let i = this.stack.length - 1, n = 0; i >= 0 && n < 30; i--, n++) this.stack[i].wordsOnly = false;
  }

  // inEntry tells whether the walk is in something that is said as one (an entry,
  // a link, a heading), which is taken whole while it is small.
  inEntry() {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const f = this.stack[i];
      if (f.entry) return ++f.entered < ENTRY_NODES;
    }
    return false;
  }

  // drawnOf is what is drawn of an element's box; null where nothing is.
  drawnOf(box, at) { return box && inView(box, this.view) ? drawn(box, at.clip, at.clips.gone) : null; }

  isOff(tag, block, box, at) {
    if (LEAVES.has(tag)) return !this.drawnOf(box, at) && !this.inEntry();
    return block && !this.inEntry() && this.offScreen(box, at);
  }

  // offScreen says that nothing of a block can be on screen: its box is off, and so
  // is what flows out of it.
  offScreen(box, at) {
    const solid = box[2] > box[0] && box[3] > box[1];
    if (inView(box, this.view)) {
      if (at.clips.gone) return true;
      const cut = meet(box, at.clip);
      if (cut[2] - cut[0] > 0 && cut[3] - cut[1] > 0) return false;
    } else if (!solid) {
      return at.clips.gone;
    }
    const over = overflowing(at.el, box);
    if (solid && !inView(over, this.view)) return true;
    if (at.clips.gone) return true;
    if (at.clips.n !== at.clip) return solid;
    if (!solid) return false;
    const o = meet(over, at.clip);
    return !(o[2] - o[0] > 0 && o[3] - o[1] > 0);
  }
}

// overflowing is the box with what flows out of it, to the right and below.
const overflowing = (el, box) => [box[0], box[1], box[0] + Math.max(box[2] - box[0], scrollWidthOf(el)), box[1] + Math.max(box[3] - box[1], scrollHeightOf(el))];

const DETAILS = [["aria-roledescription", "rd"], ["data-subrole", "ds"], ["lang", "lang"], ["aria-rowindex", "row"],
  ["aria-colindex", "col"], ["role", "role"], ["colspan", "colspan"], ["rowspan", "rowspan"]];
const MAX_URL = 8192;
const cap = (s) => (s.length > MAX_URL ? (/^data:/.test(s) ? "data:" : s.slice(0, MAX_URL)) : s);
const frameAddress = (el, tag) => {
  const s = attr(el, tag === "object" ? "data" : "src");
  if (!s) return hasAttr(el, "srcdoc") ? "about:srcdoc" : "";
  try { return new URL(s, document.baseURI).href; } catch { return ""; }
};
function mediaAddress(el) {
  const source = hasAttr(el, "src") ? el : queryIn(el, ":scope > source[src]");
  if (!source) return "";
  try { return new URL(attr(source, "src"), document.baseURI).href; } catch { return ""; }
}
// The title of what an SVG <use> draws: the copy has the role of a group then.
function usedTitle(use) {
  const ref = (attr(use, "href") || attr(use, "xlink:href") || "").replace(/^#/, "");
  const of = ref && byId(use, ref);
  if (of) for (let c = firstChild(of), n = 0; c && n < 8; c = nextSibling(c), n++) if (isElement(c) && localName(c) === "title") return textContent(c).trim().slice(0, 1000) || undefined;
  return undefined;
}
// The words that an SVG <use> draws.
function usedWords(use) {
  const ref = (attr(use, "href") || attr(use, "xlink:href") || "").replace(/^#/, "");
  const of = ref && byId(use, ref);
  if (!of || containsNode(of, use)) return [];
  return [...queryAllIn(of, "text")].slice(0, 50).map((t) => textContent(t)).filter((t) => t.trim());
}
const once = (n) => { let done = !n; return () => (done ? null : ((done = true), n)); };
function isInlineNode(n) {
  if (nodeType(n) !== ELEMENT) return true;
  return isInlineDisplay(getComputedStyle(n).display) || inFormula(n, localName(n));
}
// The parts of a formula stand in a line, whatever CSS calls their boxes.
const inFormula = (el, tag) => namespaceURI(el) === MATHML_NS && !/^(math|mtable|mtr|mtd)$/.test(tag);
function firstSummary(details) {
  for (let n = firstChild(details); n; n = nextSibling(n)) if (isElement(n) && localName(n) === "summary") return n;
  return null;
}
function contentSkipped(el) {
  for (let n = firstChild(shadowOf(el) || el), i = 0; n && i < 50; n = nextSibling(n), i++) {
    if (isElement(n)) return !isChecked(n, { contentVisibilityAuto: true }) && isChecked(n, {});
  }
  return false;
}
// Who wrote what, where the page shows it and says so in its markup: for each
// article, comment or entry the first such words in it.
function readAuthors() {
  const authors = new Map();
  let count = 0;
  for (const a of marks("authors")) {
    if (++count > 500) return authors;
    if (!isChecked(a, { visibilityProperty: true })) continue;
    const of = closest(a, 'article,li,tr,[role="article"],[role="comment"],[role="row"],[role="listitem"],[role="treeitem"],[role="option"]');
    const name = queryIn(a, '[itemprop~="name"],[rel~="author"]') || a;
    const s = of && !authors.has(of) && !(anyPrivate && (underPrivate(a) || queryIn(a, PRIVATE))) && textContent(name).replace(/\s+/g, " ").trim();
    if (s && s.length <= 200) authors.set(of, s);
  }
  return authors;
}
function relate(r, name, to) { ((r.o ||= {})[name] ||= []).push([serialOf(to), attr(to, "id") || ""]); }
const labelControl = getter(HTMLLabelElement, "control");
// The protocol's node serialization carries every attribute, so an element with
// megabytes in them (a data: URL, a srcdoc) is named here instead of asked about.
function heavy(el) {
  let sum = 0;
  if (hasAttrs(el)) for (const a of attrNames(el)) { sum += a.length + attr(el, a).length; if (sum > 16384) return true; }
  return false;
}
function plainName(el) {
  for (const a of ["aria-label", "alt", "title", "placeholder"]) { const v = attr(el, a); if (v && v.trim()) return v.slice(0, 1000); }
  return "";
}
