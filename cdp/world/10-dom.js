// Safe access to the DOM. A page can shadow any property of a form or of the
// document (`<input name=parentNode>`), also as seen from an isolated world, so
// nothing here is read through the object itself.

const bind = (f) => Function.prototype.call.bind(f);
const getter = (type, name) => bind(Object.getOwnPropertyDescriptor(type.prototype, name).get);
const method = (type, name) => bind(type.prototype[name]);

const nodeType = getter(Node, "nodeType");
const firstChild = getter(Node, "firstChild");
const lastChild = getter(Node, "lastChild");
const nextSibling = getter(Node, "nextSibling");
const previousSibling = getter(Node, "previousSibling");
const parentNode = getter(Node, "parentNode");
const rootOf = method(Node, "getRootNode");
const comparePosition = method(Node, "compareDocumentPosition");
const containsNode = method(Node, "contains");
const isConnected = getter(Node, "isConnected");
const textContent = getter(Node, "textContent");
const dataOf = getter(CharacterData, "data");

const localName = getter(Element, "localName");
const namespaceURI = getter(Element, "namespaceURI");
const openRoot = getter(Element, "shadowRoot");
const slotOfElement = getter(Element, "assignedSlot");
const slotOfText = getter(Text, "assignedSlot");
const attr = method(Element, "getAttribute");
const hasAttr = method(Element, "hasAttribute");
const hasAttrs = method(Element, "hasAttributes");
const attrNames = method(Element, "getAttributeNames");
const matches = method(Element, "matches");
const closest = method(Element, "closest");
const queryIn = method(Element, "querySelector");
const queryAllIn = method(Element, "querySelectorAll");
const boxOf = method(Element, "getBoundingClientRect");
const boxesOf = method(Element, "getClientRects");
const isChecked = method(Element, "checkVisibility");
const assignedNodes = method(HTMLSlotElement, "assignedNodes");
const scrollHeightOf = getter(Element, "scrollHeight");
const scrollWidthOf = getter(Element, "scrollWidth");

const rangeBox = method(Range, "getBoundingClientRect");
const docElement = getter(Document, "documentElement");
const docBody = getter(Document, "body");
const docTitle = getter(Document, "title");
const docActive = getter(Document, "activeElement");
const docFullscreen = getter(Document, "fullscreenElement");
const docQueryAll = method(Document, "querySelectorAll");
const docById = method(Document, "getElementById");
const docSelection = method(Document, "getSelection");
const docHasFocus = method(Document, "hasFocus");
const docState = getter(Document, "readyState");
const docVisibility = getter(Document, "visibilityState");
const docElementFromPoint = method(Document, "elementFromPoint");
const rootActive = getter(ShadowRoot, "activeElement");
const rootElementFromPoint = method(ShadowRoot, "elementFromPoint");
const rootHost = getter(ShadowRoot, "host");
const rootQueryAll = method(ShadowRoot, "querySelectorAll");
const rootById = method(ShadowRoot, "getElementById");

const inputType = getter(HTMLInputElement, "type");
const inputValue = getter(HTMLInputElement, "value");
const inputChecked = getter(HTMLInputElement, "checked");
const inputIndeterminate = getter(HTMLInputElement, "indeterminate");
const inputStart = getter(HTMLInputElement, "selectionStart");
const inputEnd = getter(HTMLInputElement, "selectionEnd");
const areaValue = getter(HTMLTextAreaElement, "value");
const areaStart = getter(HTMLTextAreaElement, "selectionStart");
const areaEnd = getter(HTMLTextAreaElement, "selectionEnd");
const optionSelected = getter(HTMLOptionElement, "selected");
const optionLabel = getter(HTMLOptionElement, "label");
const selectMultiple = getter(HTMLSelectElement, "multiple");
const selectSize = getter(HTMLSelectElement, "size");
const linkHref = getter(HTMLAnchorElement, "href");
const areaHref = getter(HTMLAreaElement, "href");
const imageSource = getter(HTMLImageElement, "currentSrc");
const mediaSource = getter(HTMLMediaElement, "currentSrc");
const objectWindow = getter(HTMLObjectElement, "contentWindow");
const isEditable = getter(HTMLElement, "isContentEditable");

const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;
const HTML_NS = "http://www.w3.org/1999/xhtml";
const MATHML_NS = "http://www.w3.org/1998/Math/MathML";
const SVG_NS = "http://www.w3.org/2000/svg";
const isElement = (n) => nodeType(n) === ELEMENT;
const editable = (n) => n instanceof HTMLElement && isEditable(n);
const isHTML = (el) => namespaceURI(el) === HTML_NS;

// queryAll and byId work on a document or a shadow root.
const queryAll = (root, css) => (nodeType(root) === DOCUMENT ? docQueryAll(root, css) : rootQueryAll(root, css));
function byId(near, id) {
  const root = rootOf(near);
  if (nodeType(root) === DOCUMENT) return docById(root, id);
  return root instanceof ShadowRoot ? rootById(root, id) : null;
}
// A list of ids, as aria-owns and its like hold them; at most 64, more is an attack.
function byIds(near, list) {
  const out = [];
  for (const id of (list || "").split(/\s+/, 64)) {
    const el = id && byId(near, id);
    if (el && !out.includes(el)) out.push(el);
  }
  return out;
}

// Identity: a node has one number for as long as it lives in this document. The
// wrapper of a node lives as long as the node, so a WeakMap keeps it.
const serials = new WeakMap();
const bySerial = new Map();
let lastSerial = 0, sweepAt = 4096;
function serialOf(node) {
  let s = serials.get(node);
  if (s === undefined) {
    s = ++lastSerial;
    serials.set(node, s);
    bySerial.set(s, new WeakRef(node));
    if (bySerial.size > sweepAt) {
      for (const [k, ref] of bySerial) if (!ref.deref()) bySerial.delete(k);
      sweepAt = 2 * bySerial.size + 4096;
    }
  }
  return s;
}
function nodeOf(serial) {
  const n = bySerial.get(serial)?.deref();
  return n && isConnected(n) ? n : null;
}

// Closed shadow roots cannot be reached from a script; the reader resolves them
// over the protocol and leaves them here. An extension's own world may ask for them.
const closedRoots = new WeakMap();
const anyRoot = typeof chrome === "object" && chrome?.dom?.openOrClosedShadowRoot;
const shadowOf = anyRoot ? (el) => (el instanceof HTMLElement ? anyRoot(el) : openRoot(el))
  : (el) => openRoot(el) || closedRoots.get(el) || null;

// Which document sits in which frame element: left here by the reader too.
const frameTokens = new WeakMap();
const frameElements = new Set();
const isObjectFrame = (el) => frameTokens.has(el) || (el instanceof HTMLObjectElement && objectWindow(el) !== null);

// newFrames gives frame elements of which the reader has not told yet. Whether an
// embed holds a document cannot be seen; it may where frames are left over.
function newFrames(root, most) {
  const out = [], embeds = [];
  let held = 0;
  for (const el of queryAll(root, "iframe,frame,fencedframe,object,embed")) {
    const tag = localName(el);
    if (tag === "object" && !isObjectFrame(el)) continue;
    if (tag === "embed") { embeds.push(el); if (!frameTokens.has(el)) continue; }
    held++;
    if (!frameTokens.has(el) && out.length < most) out.push(el);
  }
  if (embeds.length && (root !== document || frames.length > held)) for (const el of embeds) if (!frameTokens.has(el) && out.length < most) out.push(el);
  return out;
}

// Words that a pointing read reports of one selection, or one field, in characters;
// what is beyond is counted.
const SELECTION_LIMIT = 20000;
