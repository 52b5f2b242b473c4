// Which elements matter, and which of them plain HTML settles, so that the
// accessibility tree need not be asked. Numbers are Chrome's roles
// (AXNode.chromeRole); a test compares both ways node by node.

const R = { none: 0, abbr: 1, article: 5, banner: 7, blockquote: 8, button: 9, caption: 11, cell: 13, checkbox: 14, code: 16, complementary: 22, contentinfo: 26,
  deletion: 24, insertion: 25, columnHeader: 19, definition: 29, definitionList: 30, details: 34, summary: 37, emphasis: 81,
  figcaption: 83, form: 87, generic: 88, group: 93, heading: 96, iframe: 97, image: 99, label: 104, legend: 108, lineBreak: 109, link: 110,
  list: 111, option: 113, listItem: 115, main: 118, mark: 119, navigation: 130, note: 131, paragraph: 133, radio: 141, region: 143, row: 145, rowHeader: 147, table: 167, search: 152, gridCell: 212, strong: 160, subscript: 185,
  superscript: 186, switch: 163, term: 169, time: 172 };

// never rendered, or rendered without words of their own in the tree
const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "base", "source",
  "track", "param", "datalist", "rp", "rt", "frameset-none", "col", "colgroup", "area"]);
// inline or block boxes that say nothing themselves; their children take their place
const PLAIN_TAGS = new Set(["html", "body", "div", "span", "center", "font", "b", "i", "u", "small", "big", "tt", "kbd", "samp",
  "var", "cite", "bdi", "bdo", "nobr", "pre", "wbr", "tbody", "thead", "tfoot", "ruby", "rb", "slot", "picture", "data",
  "q", "section", "hgroup-none"]);
// settled by the tag alone; what a page can name looks nothing up in Object.prototype
const SETTLED = { __proto__: null, p: R.paragraph, article: R.article, main: R.main, nav: R.navigation, blockquote: R.blockquote, code: R.code, del: R.deletion, s: R.deletion,
  ins: R.insertion, dl: R.definitionList, em: R.emphasis, strong: R.strong,
  sub: R.subscript, sup: R.superscript, mark: R.mark, time: R.time, ul: R.list, ol: R.list, menu: R.list,
  h1: R.heading, h2: R.heading, h3: R.heading, h4: R.heading, h5: R.heading, h6: R.heading,
  details: R.details, caption: R.caption, figcaption: R.figcaption, label: R.label, legend: R.legend,
  // these two are what their table is: the reader looks that up
  tr: R.row, td: R.cell };
// parts of a page that give no words to the name of a link or heading around them
const SECTIONS = new Set([R.article, R.main, R.navigation]);
// controls without anything in them that is reported
const DROPPED = new Set(["button", "meter", "progress", "hr", "select"]);
const DROPPED_ROLES = new Set(["button", "slider", "progressbar", "scrollbar", "separator", "meter", "menu", "menubar",
  "menuitem", "menuitemcheckbox", "menuitemradio"]);
const TICKED_ROLES = { __proto__: null, checkbox: R.checkbox, radio: R.radio, switch: R.switch };
const SKIP = 0, DROP = 1, PLAIN_EL = 2, KNOWN = 3, ASK = 4;

// classify looks at an element once: {kind, role?, level?, named, ...}
function classify(el, tag) {
  if (!isHTML(el)) return classifyForeign(el, tag);
  if (SKIPPED.has(tag)) return { kind: SKIP };
  let role = null, aria = false, named = false, titled = false, other = false;
  if (hasAttrs(el)) {
    for (const a of attrNames(el)) {
      switch (a) {
        case "role": role = attr(el, a).trim().toLowerCase() || null; break;
        case "title": titled = attr(el, a).trim() !== ""; break;
        case "aria-label": case "aria-labelledby": named = attr(el, a).trim() !== ""; aria = aria || named; break;
        case "aria-roledescription": case "data-subrole": case "popover": case "data-private": case "lang": other = true; break;
        case "contenteditable": if (editable(el)) return { kind: ASK, named, host: true }; break;
        case "aria-hidden": break;
        default: if (a.startsWith("aria-")) aria = true;
      }
    }
  }
  if (role) {
    if (DROPPED_ROLES.has(role)) return { kind: DROP };
    if (TICKED_ROLES[role] !== undefined) return { kind: DROP, role: TICKED_ROLES[role], checked: attr(el, "aria-checked") };
    const labelled = named && settledLabel(el, tag, role);
    if (labelled) return labelled;
    const settled = !named && !titled && !other && ariaEntry(el, role);
    if (settled) return { kind: KNOWN, named, role: settled };
    return { kind: ASK, named, role: role };
  }
  if (DROPPED.has(tag) && !(tag === "select" && (selectMultiple(el) || selectSize(el) > 1))) return { kind: DROP };
  if (tag === "input") {
    const type = inputType(el);
    if (FIELD_TYPES.has(type)) return { kind: ASK, named };
    if (type === "checkbox" || type === "radio") {
      const mixed = inputIndeterminate(el);
      return { kind: DROP, role: type === "radio" ? R.radio : R.checkbox, checked: mixed ? "mixed" : String(inputChecked(el)) };
    }
    return { kind: DROP };
  }
  const labelled = named && settledLabel(el, tag, "");
  if (labelled) return labelled;
  if (PLAIN_TAGS.has(tag) || tag.includes("-")) {
    if (named || titled || (other && hasAttr(el, "aria-roledescription"))) return { kind: ASK, named };
    if (other && (hasAttr(el, "data-subrole") || hasAttr(el, "data-private"))) return { kind: KNOWN, role: R.generic, named };
    if (hasAttr(el, "popover")) return { kind: ASK, named };
    return { kind: PLAIN_EL };
  }
  if (tag === "iframe" && !hasAttr(el, "aria-labelledby")) {
    // A page may have thousands; only a role of its own makes one anything else.
    return { kind: KNOWN, role: R.iframe, named, name: (attr(el, "aria-label") || "").trim() || (attr(el, "title") || "").trim(), leaf: false };
  }
  if (aria) return { kind: ASK, named };
  switch (tag) {
    case "a":
      if (el instanceof HTMLAnchorElement && hasAttr(el, "href")) return { kind: KNOWN, role: R.link, named };
      // Chrome takes one without an address for a link where it can be clicked.
      return { kind: ASK, named };
    case "br": return { kind: KNOWN, role: R.lineBreak };
    case "li": {
      const p = parentNode(el);
      const plain = p && isElement(p) && isHTML(p) && /^(ul|ol|menu)$/.test(localName(p)) && !hasAttr(p, "role");
      return plain && !titled ? { kind: KNOWN, role: R.listItem, named } : { kind: ASK, named };
    }
    case "dt": case "dd": {
      const p = parentNode(el), pp = p && isElement(p) ? (localName(p) === "div" ? parentNode(p) : p) : null;
      const plain = pp && isElement(pp) && localName(pp) === "dl" && !hasAttr(pp, "role");
      return plain && !titled ? { kind: KNOWN, role: tag === "dt" ? R.term : R.definition, named } : { kind: ASK, named };
    }
    case "tr": case "td": {
      const p = parentNode(el);
      if (p && isElement(p) && hasAttr(p, "role")) return { kind: ASK, named };
      break;
    }
    case "img": {
      const alt = attr(el, "alt");
      if (titled || hasAttr(el, "usemap") || alt === null) return { kind: ASK, named };
      if (alt === "") return { kind: SKIP };
      if (!alt.trim()) return { kind: ASK, named };
      return { kind: KNOWN, role: R.image, name: alt, leaf: true };
    }
  }
  const c = SETTLED[tag];
  if (c === undefined) return { kind: ASK, named };
  if (titled && c !== R.heading) return { kind: ASK, named };
  return { kind: KNOWN, role: c, named, level: c === R.heading ? +tag[1] : 0 };
}

// Entries of lists and tables that the page makes of other elements, by the
// thousand: settled where nothing about them needs the tree. Chrome gives the role
// only below one that may hold it.
const ARIA_ENTRIES = { __proto__: null, option: [R.option, /^listbox$/], listitem: [R.listItem, /^list$/], row: [R.row, /^(table|grid|treegrid)$/],
  cell: [R.cell, /^row$/], gridcell: [R.gridCell, /^row$/] };
const ENTRY_ATTRIBUTES = /^(role|class|id|style|tabindex|data-.*|aria-(selected|posinset|setsize|rowindex|colindex|hidden))$/;
const BETWEEN = /^(group|rowgroup|none|presentation)$/;
function ariaEntry(el, role) {
  const entry = ARIA_ENTRIES[role];
  if (!entry || !/^(div|span|li|a)$/.test(localName(el)) || attrNames(el).some((a) => !ENTRY_ATTRIBUTES.test(a))) return 0;
  for (let p = parentNode(el), n = 0; p && n < 4 && isElement(p); p = parentNode(p), n++) {
    const r = attr(p, "role");
    if (r === null ? !/^(div|span)$/.test(localName(p)) : !BETWEEN.test(r)) return r !== null && entry[1].test(r) ? entry[0] : 0;
  }
  return 0;
}

// SVG and MathML: a drawing has thousands of shapes, and only those with a name,
// a role or words are on the tree.
const FOREIGN_SKIPPED = new Set(["defs", "clipPath", "mask", "symbol", "linearGradient", "radialGradient", "pattern",
  "filter", "marker", "metadata", "style", "script", "title", "desc", "annotation", "annotation-xml", "animate",
  "animateTransform", "set"]);
function classifyForeign(el, tag) {
  if (FOREIGN_SKIPPED.has(tag)) return { kind: SKIP };
  const named = hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby");
  if (tag === "use") return usedTitle(el) ? { kind: KNOWN, role: R.group, leaf: true } : { kind: SKIP };
  if (tag === "svg" || tag === "math" || tag === "a" || tag === "image" || named || hasAttr(el, "role")) return { kind: ASK, named, role: attr(el, "role") };
  if (namespaceURI(el) === SVG_NS) for (let c = firstChild(el), n = 0; c && n < 4; c = nextSibling(c), n++) if (isElement(c) && localName(c) === "title") return { kind: ASK, named };
  return { kind: PLAIN_EL };
}

// Elements whose inside is theirs alone: never walked.
const LEAVES = new Set(["input", "textarea", "select", "video", "audio", "iframe", "frame", "embed", "object", "img", "option", "fencedframe"]);
// A heading's or a link's name differs from its words only where something in it
// is not words; then it is asked for.
const NAMED_BY_WORDS = new Set([R.heading, R.link]);
