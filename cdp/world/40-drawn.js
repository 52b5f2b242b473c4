// What is drawn: boxes cut by what clips them, down to the viewport of this
// frame. The frame's own place in its parent is the reader's to add.

// A clip is [left, top, right, bottom] in CSS px of the viewport. Three travel
// down the tree, since what clips a box depends on how it is positioned: n for
// boxes in the flow, a for absolute ones, f for fixed ones.
function viewportClips() {
  const v = [0, 0, innerWidth, innerHeight];
  return { n: v, a: v, f: v, gone: false };
}
const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const rectOf = (r) => [r.left, r.top, r.right, r.bottom];

// clipsWithin gives the clips for the box of el (as own) and for its children.
function clipsWithin(el, cs, clips, isRoot) {
  const position = cs.position;
  let own = position === "fixed" ? clips.f : position === "absolute" ? clips.a : clips.n;
  let gone = clips.gone || cs.opacity === "0";
  if (!gone && (position === "absolute" || position === "fixed") && cs.clip !== "auto") {
    const side = cs.clip.match(/-?[\d.]+(?=px)/g);
    if (side && side.length === 4 && (side[1] - side[3] <= 1 || side[2] - side[0] <= 1)) gone = true;
  }
  const path = cs.clipPath;
  if (!gone && path !== "none") {
    if (/^inset\((?:50%|100%|0px 0px 100%|0px 0px 99)/.test(path) || /^circle\(0/.test(path) ||
        /^polygon\((?:0(?:px|%)? 0(?:px|%)?(?:, )?)+\)$/.test(path)) gone = true;
  }
  let inner = own;
  const clipped = !isRoot && (cs.overflowX !== "visible" || cs.overflowY !== "visible") && cs.display !== "inline" && cs.display !== "contents";
  if (clipped) {
    const box = rectOf(boxOf(el)), cut = meet(own, box);
    inner = own.slice();
    if (cs.overflowX !== "visible") { inner[0] = cut[0]; inner[2] = cut[2]; }
    if (cs.overflowY !== "visible") { inner[1] = cut[1]; inner[3] = cut[3]; }
  }
  const isSame = gone === clips.gone && inner === clips.n && own === clips.n;
  // Nothing else is asked where all boxes are clipped alike, as most are: a transform alone
  // takes as long to ask for as the rest together.
  if (isSame && clips.a === clips.n && clips.f === clips.n) return { own, within: clips };
  const holdsFixed = cs.transform !== "none" || cs.filter !== "none" || cs.perspective !== "none";
  const holdsAbsolute = holdsFixed || position !== "static";
  if (isSame && !holdsAbsolute) return { own, within: clips };
  return { own, within: { n: inner, a: holdsAbsolute ? inner : clips.a, f: holdsFixed ? inner : clips.f, gone } };
}

// drawn cuts a rectangle by a clip; null where less than 2 square pixels are left,
// which is how pages hide text from sight.
function drawn(rect, clip, gone) {
  if (gone) return null;
  const r = meet(rect, clip);
  const w = r[2] - r[0], h = r[3] - r[1];
  if (!(w > 0 && h > 0 && w * h >= 2)) return null;
  return [Math.floor(r[0]), Math.floor(r[1]), Math.ceil(w), Math.ceil(h)];
}

const isInlineDisplay = (d) => d.startsWith("inline") || d === "contents" || d.startsWith("ruby") || d === "math";

// The elements that the accessibility tree leaves out while a modal dialog or a
// fullscreen element has the page: only `only` and what is inside counts.
function topmost() {
  const full = docFullscreen(document);
  if (full) return full;
  let last = null;
  for (const el of marks("dialogs")) if (matches(el, ":modal")) last = el;
  return last;
}

// Chrome ignores aria-hidden on the root and body, and on anything that holds
// the focus.
function isAriaHidden(el) {
  if (attr(el, "aria-hidden") !== "true") return false;
  if (el === docElement(document) || el === docBody(document)) return false;
  return !focusChain.has(el);
}
let focusChain = new Set();
let focused = null; // the element that has the focus itself
