// What is sought in a reading that only has to find some rows: the accessibility tree
// need not be asked about what cannot be one of them, since plain HTML names it by its
// words and those are others. A test holds such readings to whole ones.

const NONE = new Set();
// Their name is made of the words in them, where nothing below says otherwise.
const WORDED = /^(a|button|h[1-6])$/;
const SAYS_MORE = /^(aria-.*|role|title|tabindex|contenteditable|popover|data-private)$/;
const PLAIN_INSIDE = ":not(span,b,i,em,strong,small,code,u,s,mark,sub,sup,br,wbr,font,time)";
// Letters whose case is not changed one by one, or not alike everywhere.
const ODD_CASE = /[\u0130\u0131\u017f\u212a\u212b\u1e9e\u03a3\u03c2]/;
const squeeze = (s) => s.replace(/\s+/g, "").toLowerCase();
const labelsOf = getter(HTMLButtonElement, "labels");

// unsought gives the records that cannot be sought, of all that a walk met.
function unsought(walk, seek, secrets) {
  // What stands in the place of a secret is in no text here.
  if (walk.cut || secrets.length || seek.words.some((w) => ODD_CASE.test(w))) return NONE;
  const { records, about } = walk, words = seek.words.map(squeeze), named = new Set(seek.serials), said = new Map();
  for (const r of records) {
    if (r.p < 0) continue;
    const so = said.get(r.p);
    if (so !== null) said.set(r.p, r.x === undefined || r.z ? null : (so || "") + r.x);
  }
  const out = new Set();
  records.forEach((r, i) => {
    const a = about[i];
    if (!a || a.way !== ASKED_ROW || a.isPrivate) return;
    const el = a.node;
    if (named.size && named.has(serials.get(el))) return;
    const name = r.t === "option" ? optionLabel(el) : WORDED.test(r.t) ? said.get(i) : "";
    if (!name || !name.trim() || ODD_CASE.test(name) || !isWorded(el, r.t)) return;
    const squeezed = squeeze(name);
    if (!words.some((w) => squeezed.includes(w))) out.add(r);
  });
  return out;
}
function isWorded(el, tag) {
  if (!isHTML(el) || owns.has(el) || owned.has(el) || (tag === "a" && !linkHref(el)) || (tag === "button" && labelsOf(el).length)) return false;
  if (hasAttrs(el)) for (const a of attrNames(el)) if (SAYS_MORE.test(a)) return false;
  return tag === "option" || !queryIn(el, PLAIN_INSIDE);
}
