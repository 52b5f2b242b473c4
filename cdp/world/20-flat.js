// The flat tree, as drawn: shadow trees in place of light children, slotted
// nodes in place of slots, owned elements (aria-owns) below their owner.

const roots = new Set();      // shadow roots met so far, held weakly
let rootsStale = true;        // a reading has to look through all of the tree
let treeStirred = true;       // something changed since that was last done
let came = [];                // elements that came since a reading looked
// What comes is looked through alone, so that a row that comes does not cost what the page
// costs. Beyond so many changes one notice is enough until the next look: a page that
// changes at every frame must not pay for more.
const MAX_FOLLOWED = 300;
let followed = 0;
const structure = new MutationObserver(treeChanged);
const TREE_CHANGES = { childList: true, subtree: true };
function treeChanged(records) {
  if (rootsStale || !records.length) return;
  treeStirred = true;
  for (const r of records) {
    followed += 1 + r.addedNodes.length;
    if (followed > MAX_FOLLOWED) {
      rootsStale = true;
      came = [];
      structure.disconnect();
      break;
    }
    for (const n of r.addedNodes) if (isElement(n)) came.push(n);
  }
  lookSoon();
}
// Between reads all of the page is looked at again, since a root that is not known is not
// watched for what becomes of its password fields, and an element can get one at any time:
// only when the page has nothing to do, so little at a time that no frame waits for it,
// and of its time a thousandth.
const LOOK_AGAIN = 1000, LOOK_SHARE = 1000; // ms; the least, and as often as it takes long
const LOOK_SLICE = 2, LOOK_STEP = 100; // ms; elements from one look at the clock to the next
let look = null, lookDue = false, lookAfter = LOOK_AGAIN;
function lookSoon() {
  if (lookDue || look) return;
  lookDue = true;
  setTimeout(() => requestIdleCallback(beginLook, { timeout: LOOK_AGAIN }), lookAfter);
}
function beginLook() {
  lookDue = false;
  // A read may have looked meanwhile.
  if (!treeStirred) return;
  look = lookAtAll();
  goOnLooking(look);
}
// goOnLooking looks at some of what is left. What is inserted meanwhile is another
// look's: structure tells of it.
function goOnLooking(l) {
  // A read has looked at all of it.
  if (look !== l) return;
  const start = performance.now();
  lookUntil(l, start + LOOK_SLICE);
  l.spent += performance.now() - start;
  if (look) { requestIdleCallback(() => goOnLooking(l), { timeout: LOOK_AGAIN }); return; }
  lookAfter = Math.max(LOOK_AGAIN, LOOK_SHARE * l.spent);
  if (treeStirred) lookSoon();
}
// Elements of the page's own making that have no root yet; one that goes is kept until the
// next look at all.
let customHosts = [];
const MAX_CUSTOM = 10000;

function* liveRoots() {
  yield document;
  for (const ref of roots) {
    const r = ref.deref();
    if (r && isConnected(rootHost(r))) yield r;
    else {
      roots.delete(ref);
      // It may come back.
      if (r) knownRoots.delete(r);
    }
  }
}
const knownRoots = new WeakSet();
// noteRoot has a root watched, and tells whether it was not known.
function noteRoot(root) {
  if (knownRoots.has(root)) return false;
  knownRoots.add(root);
  roots.add(new WeakRef(root));
  watchSecrets(root);
  noteSecrets(root);
  markSoon(root);
  if (!rootsStale) structure.observe(root, TREE_CHANGES);
  return true;
}
// comeAcross notes a root that was met otherwise than by looking.
function comeAcross(root) { if (noteRoot(root)) came.push(rootHost(root)); }
function findRoots() {
  treeChanged(structure.takeRecords());
  // An element upgraded late gets its root without any change of the tree.
  if (customHosts.some(openRoot)) {
    came.push(...customHosts.filter(openRoot));
    customHosts = customHosts.filter((el) => !openRoot(el));
  }
  if (rootsStale) look = lookAtAll();
  if (look?.needed) lookUntil(look, Infinity);
  else if (look) { came.push(...look.came); look.came = []; }
  if (came.length) lookUntil(lookAt(came), Infinity);
  came = []; followed = 0;
}
const lookAt = (queue) => ({ queue, seen: new Set(queue), hosts: [], at: 0, elements: null, next: 0, spent: 0, needed: false, all: false, came: [] });
// lookAtAll begins with the roots that are known; meetRoot adds those that are met.
function lookAtAll() {
  const l = lookAt([...liveRoots()]);
  l.all = true; l.needed = rootsStale; l.came = came;
  if (rootsStale) {
    structure.disconnect();
    for (const root of l.queue) structure.observe(root, TREE_CHANGES);
  }
  came = []; followed = 0;
  rootsStale = treeStirred = false;
  return l;
}
function lookUntil(l, end) {
  while (l.at < l.queue.length) {
    if (performance.now() > end) return;
    const top = l.queue[l.at];
    l.elements ??= isElement(top) ? [top, ...queryAllIn(top, "*")] : queryAll(top, "*");
    for (const stop = Math.min(l.next + LOOK_STEP, l.elements.length); l.next < stop; l.next++) meetRoot(l.elements[l.next], l);
    if (l.next === l.elements.length) { l.at++; l.elements = null; l.next = 0; }
  }
  if (!l.all) { customHosts.push(...l.hosts.slice(0, MAX_CUSTOM - customHosts.length)); return; }
  customHosts = l.hosts;
  look = null;
}
function meetRoot(el, { queue, seen, hosts }) {
  const root = shadowOf(el);
  if (root && !seen.has(root)) {
    seen.add(root);
    queue.push(root);
    noteRoot(root);
  } else if (!root && localName(el).includes("-") && hosts.length < MAX_CUSTOM) hosts.push(el);
}

// owned maps an element to the element that owns it; owns is the other way.
// Rules as Chrome keeps them: the first owner wins, no cycles, and nothing may
// own its own ancestor.
let owned = new Map(), owns = new Map();
function readOwns() {
  owned = new Map(); owns = new Map();
  let count = 0;
  for (const owner of marks("owners")) {
    if (++count > 2000) return;
    if (childless(owner)) continue;
    for (const el of byIds(owner, attr(owner, "aria-owns"))) {
      if (owned.has(el) || el === owner || el === docBody(document) || underPrivate(el)) continue;
      let up = owner, cycle = false;
      for (let n = 0; up && n < 5000; n++, up = flatParent(up)) if (up === el) { cycle = true; break; }
      if (cycle) continue;
      owned.set(el, owner);
      if (!owns.has(owner)) owns.set(owner, []);
      owns.get(owner).push(el);
    }
  }
}

// What has no children of its own cannot own any.
const childless = (el) => isField(el) || editable(el) || LEAVES.has(localName(el)) || DROPPED.has(localName(el)) || localName(el) === "br";

function flatParent(node) {
  const owner = owned.get(node);
  if (owner) return owner;
  const p = parentNode(node);
  if (!p) return null;
  if (nodeType(p) === FRAGMENT) return p instanceof ShadowRoot ? rootHost(p) : null;
  if (!isElement(p)) return null;
  if (shadowOf(p)) {
    const slot = isElement(node) ? slotOfElement(node) : nodeType(node) === TEXT ? slotOfText(node) : null;
    if (slot) return slot;
    return closedSlot(p, node);
  }
  if (p instanceof HTMLSlotElement && rootOf(p) instanceof ShadowRoot && assignedNodes(p).length) return null;
  return p;
}
// assignedSlot hides the slots of a closed root.
function closedSlot(host, node) {
  const root = closedRoots.get(host);
  if (!root) return null;
  for (const slot of rootQueryAll(root, "slot")) if (assignedNodes(slot).includes(node)) return slot;
  return null;
}

// flatChildren gives the children in order as a function that yields one at a
// time and null at the end: sibling links for the usual case, so that a parent of
// 20,000 children costs nothing to open. Given one of them, what stands before it may be
// left out.
function flatChildren(node, from = null) {
  const extra = owns.get(node);
  let first = null, list = null;
  const shadow = isElement(node) ? shadowOf(node) : null;
  if (shadow) { comeAcross(shadow); first = firstChild(shadow); }
  else if (node instanceof HTMLSlotElement && rootOf(node) instanceof ShadowRoot) {
    const given = assignedNodes(node);
    if (given.length) list = given; else first = firstChild(node);
  } else first = firstChild(node);
  if (from && !list && !owned.has(from) && parentNode(from) === (shadow || node)) first = from;
  let at = 0, tail = 0;
  return () => {
    for (;;) {
      let n = null;
      if (list) { if (at < list.length) n = list[at++]; }
      else if (first) { n = first; first = nextSibling(first); }
      if (!n) return extra && tail < extra.length ? extra[tail++] : null;
      if (owned.size && owned.has(n)) continue;
      return n;
    }
  };
}

// flatOrder sorts two different nodes of the flat tree. Given their chains of
// ancestors it compares the two children where the chains part.
function flatBefore(a, b) {
  const sa = shadowOrder(a), sb = shadowOrder(b);
  if (sa !== sb) return sa - sb;
  return comparePosition(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
function shadowOrder(n) { return owned.has(n) ? 1 : 0; }

// Which elements can hold a shadow root at all, and so a closed one that no script
// sees. The reader finds out by the protocol, once for each size an element has:
// of those that look like it (custom elements, and boxes drawn with nothing in them
// that draws) always, of all others that a walk passes some at a time.
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
function couldHide(el) {
  if (!isHTML(el) || shadowOf(el)) return false;
  const tag = localName(el);
  return tag.includes("-") || HOSTS.test(tag);
}
const hostSizes = new WeakMap();
const SURE = 2, MAYBE = 1;
function hidesSome(el, box) {
  if (!couldHide(el)) return 0;
  const size = box ? Math.round(box[2] - box[0]) + "x" + Math.round(box[3] - box[1]) : "";
  const known = hostSizes.get(el);
  if (known === size) return 0;
  if (localName(el).includes("-") || (box && box[2] - box[0] >= 2 && box[3] - box[1] >= 2 && !drawsInside(el))) return SURE;
  return known === undefined ? MAYBE : 0;
}
function drawsInside(el) {
  for (let n = firstChild(el); n; n = nextSibling(n)) if (isElement(n) || /\S/.test(textContent(n))) return true;
  return false;
}
function noteAsked(el, box) {
  hostSizes.set(el, box ? Math.round(box[2] - box[0]) + "x" + Math.round(box[3] - box[1]) : "");
}
// What a reader was given to find out about counts as asked only when it says that it
// has: another, at the same time, must not take for settled what is still on its way.
// A reader that gave up says nothing.
const given = new Map(), MAX_GIVEN = 32;
function give(reader, el, box) {
  let list = given.get(reader);
  if (!list) {
    given.set(reader, (list = []));
    if (given.size > MAX_GIVEN) given.delete(given.keys().next().value);
  }
  list.push([el, box]);
}
function asked(reader) {
  for (const [el, box] of given.get(reader) || []) noteAsked(el, box);
  given.delete(reader);
}
