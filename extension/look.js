// What can be told of a page by a script in it, without the debugger.

/**
 * @typedef {object} Spot
 * @property {string} tag
 * @property {string} text
 *
 * @typedef {object} Sight
 * @property {string} url
 * @property {string} title
 * @property {string} lang
 * @property {string} text The words that are drawn, a line a block.
 * @property {boolean} cut There is more of it.
 * @property {string} selection
 * @property {Spot | null} focus
 * @property {Spot | null} hover
 * @property {number[][]} covers What must not be seen: left, top, width, height, CSS px of the viewport.
 * @property {number} width Of the viewport.
 * @property {number} height
 */

/**
 * Looks at the page that it runs in. It is sent there alone, so that it may use
 * nothing from outside itself. Since it knows less than the debugger tells, it leaves
 * out more: all that anybody could type into, all frames, all that is private, and
 * wherever what is typed stands elsewhere.
 *
 * @param {number} limit How many characters of text may be told.
 * @returns {Sight | undefined} Nothing where the page is too much to be sure of it.
 */
export function look(limit) {
  const NODES = 50_000, MS = 1_000, SPOT = 200, SHORTEST = 4;
  const LEFT_OUT = "[data-private], input, textarea, select, iframe, frame, object, embed, portal, fencedframe, [contenteditable]:not([contenteditable='false']), [role='textbox'], [role='searchbox'], [role='combobox'], [role='spinbutton']";
  const SILENT = /^(script|style|noscript|template|head|title|meta|link)$/;
  const end = Date.now() + MS;
  /** @type {number[][]} */
  const covers = [];
  /** @type {Set<string>} */
  const typed = new Set();
  /** @type {Set<Element>} */
  const leftOut = new Set();
  let text = "", nodes = 0, cut = false, lost = false;

  /** @param {Element} el @returns {ShadowRoot | null} */
  const rootOf = (el) => (el instanceof HTMLElement ? /** @type {any} */ (globalThis).chrome?.dom?.openOrClosedShadowRoot?.(el) ?? el.shadowRoot : null);

  /** @param {Element} el */
  const leaveOut = (el) => {
    leftOut.add(el);
    const value = /** @type {any} */ (el).value ?? (el instanceof HTMLElement ? el.innerText : "");
    for (const word of String(value).split(/\n/)) if (word.trim().length >= SHORTEST) typed.add(word.trim());
    for (const r of el.getClientRects()) covers.push([r.left, r.top, r.width, r.height]);
    // What hangs out of its box is covered too.
    if (el.matches("[data-private]")) for (const inner of el.querySelectorAll("*")) for (const r of inner.getClientRects()) covers.push([r.left, r.top, r.width, r.height]);
  };

  /** @param {Node} node */
  const walk = (node) => {
    if (lost) return;
    if (++nodes > NODES || Date.now() > end) {
      lost = true;
      return;
    }
    if (node.nodeType === Node.TEXT_NODE) {
      if (text.length < limit) text += /** @type {Text} */ (node).data.replace(/\s+/g, " ");
      else if (/** @type {Text} */ (node).data.trim()) cut = true;
      return;
    }
    if (!(node instanceof Element) || SILENT.test(node.localName)) return;
    const style = getComputedStyle(node);
    if (node.matches(LEFT_OUT) || /** @type {any} */ (style).webkitTextSecurity !== "none" || /** @type {any} */ (node).isContentEditable) {
      leaveOut(node);
      return;
    }
    if (style.display === "none") return;
    const block = !/^(inline|contents)/.test(style.display);
    if (block) text += "\n";
    const seen = style.visibility === "visible" && style.opacity !== "0";
    const before = text;
    const children = node instanceof HTMLSlotElement && node.assignedNodes().length > 0 ? node.assignedNodes() : (rootOf(node) ?? node).childNodes;
    for (const child of children) walk(child);
    if (!seen) text = before;
    if (block) text += "\n";
  };
  walk(document.documentElement);
  if (lost) return undefined;

  const words = [...typed].sort((a, b) => b.length - a.length).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const secret = words.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "giu") : undefined;
  /** @param {string} s @param {number} most */
  const say = (s, most) => (secret ? s.replace(secret, "[secret]") : s).slice(0, most);

  const selected = getSelection();
  let selection = "";
  if (selected && selected.rangeCount > 0 && !selected.isCollapsed) {
    const range = selected.getRangeAt(0);
    const within = range.commonAncestorContainer;
    const outer = within instanceof Element ? within : within.parentElement;
    if (![...leftOut].some((el) => range.intersectsNode(el) || el.contains(outer))) selection = say(selected.toString(), limit);
  }
  /** @param {Element | null | undefined} el @returns {Spot | null} */
  const spot = (el) => {
    if (!el || el === document.body || el === document.documentElement) return null;
    for (const out of leftOut) if (out === el || out.contains(el)) return out.matches("[data-private]") ? null : { tag: out.localName, text: "" };
    const inside = [...leftOut].some((out) => el.contains(out)) || rootOf(el);
    return { tag: el.localName, text: inside ? "" : say((el.textContent ?? "").replace(/\s+/g, " ").trim(), SPOT) };
  };
  return {
    url: say(location.href, limit), title: say(document.title, SPOT), lang: document.documentElement.lang,
    text: say(text.replace(/ *\n\s*/g, "\n").trim(), limit), cut, selection,
    focus: spot(document.activeElement), hover: spot([...document.querySelectorAll(":hover")].at(-1)),
    covers, width: innerWidth, height: innerHeight,
  };
}
