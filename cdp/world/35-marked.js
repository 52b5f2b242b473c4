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
// Presence is found fast; only what has it is looked at closely.
const ANY_MARK = "input,textarea,select,dialog,[aria-owns],[aria-selected],[contenteditable],[data-private],[itemprop],[rel],[role]";

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

let marked = null, markedOf = -1; // lists by name; how many roots had been met
const marking = new MutationObserver(forgetMarks);
// One notice is enough until the next reading.
function forgetMarks() {
  marked = null;
  marking.disconnect();
}
// marks gives the elements of the document and of all shadow roots that have a mark, of
// each root in their order: a page may have thousands of roots, and none is looked into
// while nothing changes. A root that goes changes what it was in.
function marks(name) {
  if (marking.takeRecords().length || markedOf !== rootsMet) forgetMarks();
  marksUsed = performance.now();
  if (!marksTimed) { marksTimed = true; setTimeout(restMarks, MARKS_LIFE); }
  if (!marked) {
    marked = {};
    markedOf = rootsMet;
    for (const n in MARKS) marked[n] = [];
    for (const root of liveRoots()) {
      for (const el of queryAll(root, ANY_MARK)) for (const n in MARKS) if (matches(el, MARKS[n])) marked[n].push(el);
      marking.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: MARKED_BY });
    }
  }
  return marked[name];
}
