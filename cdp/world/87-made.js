// What style sheets put before, after and beside elements: words, numbers of lists and
// signs that a person sees. No script is told where their boxes are: the reader finds out
// by the protocol, and comes back to have told what of them is seen.

// MAX_MADE is more than a screen shows; MAX_MADE_FOR readers may be on their way at a time.
const MAX_MADE = 300, MAX_MADE_FOR = 16, MADE_AROUND = 400; // CSS px
const madeFor = new Map();

// madeOf says what there is to see of a pseudo-element, or null. Words are whole, of
// a sign there are none.
function madeOf(el, which) {
  const cs = getComputedStyle(el, which), content = cs.content;
  if (content === "none" || content === "" || (content === "normal" && which !== "::marker") || cs.display === "none") return null;
  if (cs.visibility !== "visible" || +cs.opacity === 0) return null;
  const g = content === "normal" ? null : generated(el, which);
  const words = g ? g.text : which === "::marker" ? marker(el, getComputedStyle(el)) : "";
  const block = !isInlineDisplay(cs.display), place = cs.position;
  if (words.trim() && !seeThrough(cs.webkitTextFillColor)) {
    const isSign = SIGNS.test(words) || SIGN_FONTS.test(cs.fontFamily);
    return { words: isSign ? "" : words, isSign, block, place };
  }
  return /url\(/.test(content) || /url\(/.test(cs.backgroundImage) || /url\(/.test(cs.maskImage || "") ? { words: "", isSign: true, block, place } : null;
}

// keepMade keeps what a layout has to come back to.
function keepMade(reader, made) {
  if (!made.length) return;
  madeFor.set(reader, made);
  if (madeFor.size > MAX_MADE_FOR) madeFor.delete(madeFor.keys().next().value);
}
// made gives the elements whose pseudo-elements a reader has to place.
function made(reader) { return (madeFor.get(reader) || []).map((m) => m.el); }

// seeMade tells what is seen of boxes, each [number, left, top, right, bottom]: the part
// that is, or null.
function seeMade({ reader, boxes }) {
  const all = madeFor.get(reader) || [];
  madeFor.delete(reader);
  const walk = { items: [], owners: [], full: false };
  for (const [n, ...box] of boxes) {
    const m = all[n], rect = m && isConnected(m.el) ? meet(box, m.clip) : box, whole = (box[2] - box[0]) * (box[3] - box[1]);
    const seen = m && rect[2] - rect[0] >= 1 && rect[3] - rect[1] >= 1 && (rect[2] - rect[0]) * (rect[3] - rect[1]) >= whole / 2 && !isCovered(m.el, rect, true);
    walk.owners.push(seen ? m.el : null);
    walk.items.push(seen ? { k: "made", r: rect } : null);
  }
  uncover(walk);
  return walk.items.map((i) => i && i.r);
}
