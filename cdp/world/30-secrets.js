// What must never leave: which fields are secret, and which names could carry
// what they hold.

const WORDS = new Set(["password", "passwd", "pwd", "passcode", "passphrase", "pin", "otp", "cvc", "cvv", "csc",
  "secret", "token", "apikey", "ssn"]);
const TOKENS = /^(cc-.*|one-time-code|current-password|new-password)$/;
const FIELD_TYPES = new Set(["text", "search", "tel", "url", "email", "number", "password"]);

// What was seen of password fields before the first read (see world/early.js).
const { everSecret, watchSecrets, noteSecrets, pointer, outlook } = globalThis.webareaEarly;

const isField = (el) => el instanceof HTMLTextAreaElement ||
  (el instanceof HTMLInputElement && FIELD_TYPES.has(inputType(el)));
const valueOf = (el) => (el instanceof HTMLTextAreaElement ? areaValue(el) : inputValue(el));

function saysSecret(s) {
  if (!s) return false;
  s = s.slice(0, 2000);
  const words = s.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase().split(/[^\p{L}]+/u).filter(Boolean);
  for (let i = 0; i < words.length; i++) {
    if (WORDS.has(words[i])) return true;
    const two = words[i] + (words[i + 1] || "");
    if (WORDS.has(two) || two === "securitycode" || two === "cardnumber") return true;
  }
  return false;
}

// isSecret decides for a text field or an editing host.
function isSecret(el) {
  if (everSecret.has(el)) return true;
  if (decideSecret(el)) { everSecret.add(el); return true; }
  return false;
}
function decideSecret(el) {
  if (el instanceof HTMLInputElement && inputType(el) === "password") return true;
  for (const t of (attr(el, "autocomplete") || "").toLowerCase().split(/\s+/)) if (TOKENS.test(t)) return true;
  for (const a of ["name", "id", "aria-label", "placeholder", "title"]) if (saysSecret(attr(el, a))) return true;
  for (const other of byIds(el, attr(el, "aria-labelledby"))) if (saysSecret(textContent(other))) return true;
  const labels = el instanceof HTMLTextAreaElement ? areaLabels(el) : el instanceof HTMLInputElement ? inputLabels(el) : null;
  if (labels) for (const l of labels) if (saysSecret(textContent(l))) return true;
  return textSecurity(getComputedStyle(el)) !== "none";
}
const inputLabels = getter(HTMLInputElement, "labels");
const areaLabels = getter(HTMLTextAreaElement, "labels");
const textSecurity = (cs) => cs.webkitTextSecurity || "none";

// A text field that the page made of other elements.
const isTextbox = (el) => /(^|\s)(textbox|searchbox|combobox|spinbutton)(\s|$)/i.test(attr(el, "role") || "") && !isField(el);
// holdsSecret tells of an element whose inside is a secret field's.
const holdsSecret = (el) => (isEditableHost(el) || isTextbox(el)) && isSecret(el);
// underSecret tells whether a node is in something that must not be told.
function underSecret(node) {
  for (let n = node; n; n = flatParent(n)) if (isElement(n) && (hasAttr(n, "data-private") || holdsSecret(n))) return true;
  return false;
}

const PRIVATE = "[data-private]";
const FIELDS = '[contenteditable],[role~="textbox" i],[role~="searchbox" i],[role~="combobox" i],[role~="spinbutton" i]';
// The fields of a document, with a bound: a page of more fields than this is not
// one that a person fills in, and beyond it all of them count as secret.
const MAX_FIELDS = 5000;

// readSecrets finds the secret values of the document and the elements whose
// accessible name could repeat one, or anything private.
let tainted = new Set(), anyPrivate = false;
function readSecrets() {
  const values = new Set();
  tainted = new Set(); anyPrivate = false;
  let count = 0;
  for (const el of marks("fields")) {
    if (hasAttr(el, "data-private")) { anyPrivate = true; taint(el); }
    const field = isField(el);
    if (!field && !isEditableHost(el) && !isTextbox(el)) continue;
    if (++count > MAX_FIELDS || isSecret(el)) {
      if (count > MAX_FIELDS) everSecret.add(el);
      taint(el);
      const held = field ? [valueOf(el), attr(el, "value")] : [textContent(el)];
      for (const v of held) if (v && v.length >= 4) values.add(v.slice(0, 10000));
    }
  }
  return [...values];
}
function isEditableHost(el) {
  return editable(el) && hasAttr(el, "contenteditable") && !editable(parentNode(el));
}
function taint(el) {
  for (let n = el; n && !tainted.has(n); n = flatParent(n)) tainted.add(n);
}
// nameTainted says whether the accessible name of el may hold what is secret.
function nameTainted(el) {
  if (!tainted.size) return false;
  // A text field's name is its author's; what it holds is no part of it.
  if (isField(el) || isEditableHost(el) || isTextbox(el)) return labelsTainted(el);
  return tainted.has(el) || labelsTainted(el);
}
function labelsTainted(el) {
  const refs = byIds(el, (attr(el, "aria-labelledby") || "") + " " + (attr(el, "aria-describedby") || ""));
  const labels = el instanceof HTMLTextAreaElement ? areaLabels(el) : el instanceof HTMLInputElement ? inputLabels(el) : null;
  if (labels) for (const l of labels) if (!containsNode(l, el)) refs.push(l);
  for (const r of refs) if (r !== el && (tainted.has(r) || (anyPrivate && underPrivate(r)))) return true;
  return false;
}
function underPrivate(node) {
  for (let n = node; n; n = flatParent(n)) if (isElement(n) && hasAttr(n, "data-private")) return true;
  return false;
}
