// What every reading asks for, wherever it stands in a document: kept until the tree
// or one of the attributes below changes, since looking for it costs as much as the
// page is large. What depends on anything else (a value, a style, what is checked) is
// asked at each reading.
const MARKS = {
  owners: "[aria-owns]",
  fields: "input,textarea," + FIELDS + "," + PRIVATE,
  authors: '[itemprop~="author"],[rel~="author"]',
  chosen: '[aria-selected="true"],select[multiple],select[size]',
  dialogs: "dialog",
};
const MARKED_BY = ["aria-owns", "aria-selected", "contenteditable", "data-private", "itemprop", "multiple", "rel", "role", "size"];
// What may have a mark is found fast; only that is looked at closely.
const ANY_MARK = 'input,textarea,select,dialog,[aria-owns],[aria-selected],[contenteditable],[data-private],[itemprop~="author"],[rel~="author"],[role*="box" i],[role*="spinbutton" i]';

// Watching attributes costs a page a little for each that it sets, also for those that
// are not watched. Once nobody has read for so long, ms, it ends.
const MARKS_LIFE = 30_000;
let marksUsed = 0, marksTimed = false;
function restMarks() {
  const left = MARKS_LIFE - (performance.now() - marksUsed);
  marksTimed = left > 0;
  if (marksTimed) setTimeout(restMarks, left);
  else forgetMarks();
}

let marked = null;      // lists by name
let unmarked = [];      // roots that were met since the lists were made
let marksFollowed = 0;  // changes since a reading asked
const marking = new MutationObserver(marksChanged);
// Most changes bring nothing that is marked and take nothing away that was. Beyond as many
// as structure follows, one notice is enough until the next reading.
function marksChanged(records) {
  if (!marked) return;
  let away = false;
  for (const r of records) {
    marksFollowed += 1 + r.addedNodes.length;
    if (r.type === "attributes" || marksFollowed > MAX_FOLLOWED) { forgetMarks(); return; }
    for (const n of r.addedNodes) if (isElement(n) && (matches(n, ANY_MARK) || queryIn(n, ANY_MARK))) { forgetMarks(); return; }
    away ||= r.removedNodes.length > 0;
  }
  if (away) for (const n in marked) if (!marked[n].every(isConnected)) { forgetMarks(); return; }
}
function forgetMarks() {
  marked = null;
  unmarked = [];
  marking.disconnect();
}
function markSoon(root) { if (marked) unmarked.push(root); }
// marks gives the elements of the document and of all shadow roots that have a mark, of
// each root in their order: a page may have thousands of roots, and none is looked into
// while nothing changes. A root that goes changes what it was in.
function marks(name) {
  marksChanged(marking.takeRecords());
  marksUsed = performance.now();
  marksFollowed = 0;
  if (!marksTimed) { marksTimed = true; setTimeout(restMarks, MARKS_LIFE); }
  if (!marked) {
    marked = {};
    for (const n in MARKS) marked[n] = [];
    for (const root of liveRoots()) markIn(root);
  }
  for (const root of unmarked) markIn(root);
  unmarked = [];
  return marked[name];
}
function markIn(root) {
  for (const el of queryAll(root, ANY_MARK)) for (const n in MARKS) if (matches(el, MARKS[n])) marked[n].push(el);
  marking.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: MARKED_BY });
}
