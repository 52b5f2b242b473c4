// Tables and header cells of which the accessibility tree has nothing to tell but what
// HTML says. Chrome takes many a table for a means of layout, by how it looks; one with a
// caption, a head or a foot it never does. Of header cells only those are settled that
// stand in a row of nothing else, or before cells that are none.

const TABLE_ATTRIBUTES = /^(class|id|style|lang|dir|border|cellpadding|cellspacing|width|height|align|valign|bgcolor|colspan|rowspan|nowrap|data-(?!private$|subrole$).*)$/;
const tableCaption = getter(HTMLTableElement, "caption");
const tableHead = getter(HTMLTableElement, "tHead");
const tableFoot = getter(HTMLTableElement, "tFoot");
const ROW_GROUPS = { __proto__: null, thead: "table-header-group", tbody: "table-row-group", tfoot: "table-footer-group" };
// More cells in a row are not looked at.
const MOST_CELLS = 500;

// isPlainPart tells of an element that it is what its tag says, and drawn so.
const isPlainPart = (el, cs, display) => cs.display === display && cs.content === "normal" && cs.overflowX === "visible" && cs.overflowY === "visible" &&
  !attrNames(el).some((a) => !TABLE_ATTRIBUTES.test(a)) && !owns.has(el) && !owned.has(el);

class Tables {
  // unsettled is what is known of elements; see isUnsettled.
  constructor(unsettled) {
    this.unsettled = unsettled;
    this.known = new Map(); // tables, by whether they are settled, and rows, by the role of header cells in them; 0: not settled
  }
  // settle is what a table or a header cell is, null where the tree has to be asked.
  settle(el, tag, cs) {
    if (tag === "table") return this.table(el, cs);
    const row = parentNode(el);
    if (!isPlainPart(el, cs, "table-cell") || !row || !isElement(row)) return null;
    let role = this.known.get(row);
    if (role === undefined) this.known.set(row, (role = this.headers(row)));
    if (!role) return null;
    return this.found(role, drawnWords(el, cs));
  }
  found(role, name) { return name === null ? null : { kind: KNOWN, role, name, named: false, labelled: true, table: true }; }
  table(el, cs) {
    let name = null;
    if (el instanceof HTMLTableElement && isPlainPart(el, cs, "table") && !editable(el) && !isUnsettled(el, this.unsettled)) {
      const caption = tableCaption(el);
      if (caption) name = this.caption(caption);
      else if (tableHead(el) || tableFoot(el)) name = "";
    }
    const found = this.found(R.table, name);
    this.known.set(el, found !== null);
    return found;
  }
  // caption is what names a table; null where only the tree can say it.
  caption(el) {
    const style = getComputedStyle(el);
    return (isPlainPart(el, style, "table-caption") && drawnWords(el, style)) || null;
  }
  // headers is the role of the header cells in a row.
  headers(row) {
    const within = parentNode(row);
    if (!within || !isElement(within) || localName(row) !== "tr" || !isHTML(row) || !isPlainPart(row, getComputedStyle(row), "table-row")) return 0;
    let table = within;
    const group = ROW_GROUPS[localName(within)];
    if (group) {
      if (!isPlainPart(within, getComputedStyle(within), group)) return 0;
      table = parentNode(within);
    }
    if (this.known.get(table) !== true) return 0;
    let headers = 0, others = 0;
    for (let n = firstChild(row); n; n = nextSibling(n)) {
      if (!isElement(n)) continue;
      const tag = localName(n);
      if (!isHTML(n) || hasAttr(n, "role") || headers + others >= MOST_CELLS || (tag === "th" ? others : tag !== "td")) return 0;
      if (tag === "th") headers++; else others++;
    }
    if (!others) return R.columnHeader;
    return headers === 1 ? R.rowHeader : 0;
  }
}

// drawnWords are the words of an element that holds nothing else, as they name it; null
// where it does.
function drawnWords(el, cs) {
  const words = shadowOf(el) ? null : wordsIn(el, cs, { left: MOST_WORDS_IN }, NOT_KNOWN);
  if (words === null) return null;
  const name = words.replace(/ +/g, " ").trim();
  return name.length <= LONGEST_NAME && !ODD.test(name) ? name : null;
}
