// What the accessibility tree need not be asked of although it has a name: parts of a
// page whose author names them, and links and headings that are named by the words in
// them. There are thousands in one page. What is not sure to be as plain HTML and the
// rules of ARIA have it is asked for.

// Parts of a page, by their role, or by their tag where they have none.
const LABELLED_ROLES = { __proto__: null, article: R.article, banner: R.banner, complementary: R.complementary, contentinfo: R.contentinfo, form: R.form,
  group: R.group, list: R.list, main: R.main, navigation: R.navigation, note: R.note, region: R.region, search: R.search };
const LABELLED_TAGS = { __proto__: null, article: R.article, form: R.form, main: R.main, menu: R.list, nav: R.navigation, ol: R.list, section: R.region, ul: R.list };
const ROLE_TAGS = /^(article|aside|div|form|footer|header|main|nav|section|span)$/;
const LABELLED_ATTRIBUTES = /^(role|aria-label|class|id|style|lang|dir|name|action|method|target|novalidate|autocomplete|data-(?!private$|subrole$).*)$/;
const LONGEST_NAME = 1000;
// Chrome leaves some of these out of a name, and writes others in another way.
const ODD = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;

// settledLabel is what a part of a page is that aria-label names, null where the tree
// has to be asked. Where it is has to be looked at besides; see isUnsettled.
function settledLabel(el, tag, role) {
  const is = role ? ROLE_TAGS.test(tag) && LABELLED_ROLES[role] : LABELLED_TAGS[tag];
  if (!is || attrNames(el).some((a) => !LABELLED_ATTRIBUTES.test(a))) return null;
  const name = attr(el, "aria-label").trim();
  return !name || name.length > LONGEST_NAME || ODD.test(name) ? null : { kind: KNOWN, role: is, name, named: true, labelled: true };
}

// Ancestors that say of what is in them that it is disabled, or is theirs alone.
const UNSETTLING = "[aria-disabled],summary,button," + ["button", "checkbox", "img", "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "option",
  "progressbar", "radio", "scrollbar", "separator", "slider", "switch", "tab", "math"].map((r) => `[role~="${r}" i]`).join();
const SETTLED_ATTRIBUTES = /^(href|class|id|style|target|rel|hreflang|download|ping|referrerpolicy|type|title|lang|xml:lang|dir|name|item(?:prop|scope|type|id|ref)|on[a-z]+|data-.*)$/;
// What may stand in a link or heading that its words name, in the line.
const WORDS_IN = /^(b|bdi|em|font|i|small|span|strong|u)$/;
const WORDS_IN_ATTRIBUTES = /^(class|id|style|lang|dir|data-.*|item(?:prop|scope|type|id|ref))$/;
const MOST_WORDS_IN = 20;
const NOT_KNOWN = { isBare: false, style: null };

// settledName is the name of what the accessibility tree has nothing else to tell of but
// what settledTitle says: it is "" where the tree has to be asked. made is what is known of
// how it is drawn: that no style sheet makes anything before or after what is in it, and how
// words in it are written.
function settledName(el, c, cs, unsettled, made) {
  if (c.kind !== KNOWN || shadowOf(el) || owns.has(el) || editable(el)) return "";
  if (c.labelled) {
    // What scrolls may have the focus.
    return cs.overflowX === "visible" && cs.overflowY === "visible" ? c.name : "";
  }
  if ((c.role !== R.link && c.role !== R.heading) || (focusChain.has(el) && el !== focused) || attrNames(el).some((a) => !SETTLED_ATTRIBUTES.test(a))) return "";
  const title = attr(el, "title") || "";
  if (title.length > LONGEST_NAME || ODD.test(title) || /[^\S ]/.test(title)) return "";
  const words = wordsIn(el, cs, { left: MOST_WORDS_IN }, made);
  if (words === null || isUnsettled(el, unsettled)) return "";
  const name = words.replace(/ +/g, " ").trim();
  return name.length <= LONGEST_NAME && !ODD.test(name) ? name : "";
}

// wordsIn are the words of an element that holds nothing but words, drawn as they are
// written; null where it holds anything else.
function wordsIn(el, cs, budget, made) {
  if (--budget.left < 0) return null;
  const style = made.style || textStyle(cs);
  if (!style.shown || style.fold !== 2 || style.transform !== "none" || style.secure || cs.display === "list-item" || cs.content !== "normal") return null;
  if (!made.isBare && (madeStyle(el, "::before") || madeStyle(el, "::after"))) return null;
  let words = "";
  for (let n = firstChild(el); n; n = nextSibling(n)) {
    if (--budget.left < 0 || owned.has(n)) return null;
    const type = nodeType(n);
    if (type === TEXT) { words += applyText(dataOf(n), style); continue; }
    if (type !== ELEMENT) continue;
    if (!isHTML(n) || !WORDS_IN.test(localName(n)) || shadowOf(n) || attrNames(n).some((a) => !WORDS_IN_ATTRIBUTES.test(a))) return null;
    const within = getComputedStyle(n), inner = within.display === "inline" ? wordsIn(n, within, budget, NOT_KNOWN) : null;
    if (inner === null) return null;
    words += inner;
  }
  return words;
}

// settledTitle is what its title adds to what has a name: Chrome compares it before it
// makes one space of several.
function settledTitle(el, name) {
  const title = attr(el, "title").trim();
  return title === name ? undefined : title.replace(/ +/g, " ") || undefined;
}

// isUnsettled tells whether an element or what it is in, also across the borders of
// shadow trees, says something of it. known keeps what was found out of ancestors.
function isUnsettled(el, known) {
  const way = [];
  let is = false;
  for (let n = el; n; n = flatParent(n)) {
    const before = known.get(n);
    if (before !== undefined) { is = before; break; }
    way.push(n);
    if (isElement(n) && matches(n, UNSETTLING)) { is = true; break; }
  }
  for (const n of way) known.set(n, is);
  return is;
}

