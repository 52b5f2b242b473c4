// The words of a page as they are drawn: white space folded, text-transform
// applied, generated text included.

// textStyle is what the words below an element depend on.
function textStyle(cs) {
  const white = cs.whiteSpaceCollapse;
  return {
    shown: cs.visibility === "visible",
    fold: white === "collapse" ? 2 : white === "preserve-breaks" ? 1 : 0,
    transform: cs.textTransform,
    secure: textSecurity(cs) !== "none",
    select: cs.userSelect !== "none",
  };
}
const PLAIN = { shown: true, fold: 2, transform: "none", secure: false, select: true };

function applyText(s, style) {
  if (style.fold === 2) s = s.replace(/[ \t\n\r\f]+/g, " ");
  else if (style.fold === 1) s = s.replace(/[ \t\f]+/g, " ").replace(/ ?\r?\n ?/g, "\n");
  const t = style.transform;
  if (t !== "none" && t !== "") {
    if (t.includes("uppercase")) s = s.toUpperCase();
    else if (t.includes("lowercase")) s = s.toLowerCase();
    else if (t.includes("capitalize")) s = s.replace(/(^|[^\p{L}\p{N}\p{M}'’_])(\p{L})/gu, (_, a, b) => a + b.toUpperCase());
  }
  return s;
}

// generated gives the text of a ::before or ::after box, and whether it stands in
// a block of its own; null where there is none.
function generated(el, which) { const cs = madeStyle(el, which); return cs && madeText(el, cs); }
// madeStyle is the style of such a box, null where a style sheet makes none.
function madeStyle(el, which) {
  const cs = getComputedStyle(el, which), content = cs.content;
  return content === "none" || content === "normal" ? null : cs;
}
function madeText(el, cs) {
  const content = cs.content;
  if (content === '""' || content === "") return null;
  if (cs.display === "none") return null;
  let s = "", rest = content;
  const alt = rest.match(/^(.*?) \/ ("(?:[^"\\]|\\.)*")$/s);
  if (alt) rest = alt[2];
  const token = /"((?:[^"\\]|\\.)*)"|open-quote|close-quote|no-open-quote|no-close-quote|attr\(([\w-]+)[^)]*\)|[\w-]+\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^)]*\))*\)/g;
  for (let m; (m = token.exec(rest));) {
    if (m[1] !== undefined) s += m[1].replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/gs, (_, hex, ch) => (hex ? String.fromCodePoint(Math.min(parseInt(hex, 16) || 0xfffd, 0x10ffff)) : ch));
    else if (m[2]) s += attr(el, m[2]) || "";
    else if (m[0] === "open-quote") s += "\u201c";
    else if (m[0] === "close-quote") s += "\u201d";
  }
  if (!s) return null;
  const style = textStyle(cs);
  if (!style.shown || style.secure) return null;
  return { text: applyText(s, style), block: !isInlineDisplay(cs.display), fold: style.fold };
}

const ALPHA = (n, a, len) => { let s = ""; while (n > 0) { n--; s = String.fromCharCode(a + (n % len)) + s; n = Math.floor(n / len); } return s; };
function roman(n) {
  let s = "";
  for (const [v, r] of [[1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"], [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]]) while (n >= v) { s += r; n -= v; }
  return s;
}
const COUNTERS = { __proto__: null,
  "decimal": (n) => String(n),
  "decimal-leading-zero": (n) => (Math.abs(n) < 10 ? (n < 0 ? "-0" : "0") + Math.abs(n) : String(n)),
  "lower-alpha": (n) => ALPHA(n, 97, 26), "lower-latin": (n) => ALPHA(n, 97, 26),
  "upper-alpha": (n) => ALPHA(n, 65, 26), "upper-latin": (n) => ALPHA(n, 65, 26),
  "lower-roman": (n) => (n > 0 && n < 4000 ? roman(n).toLowerCase() : String(n)),
  "upper-roman": (n) => (n > 0 && n < 4000 ? roman(n) : String(n)),
};
// marker gives the number of an ordered list's entry ("5."), or "".
function marker(li, cs) {
  const count = COUNTERS[cs.listStyleType];
  if (!count || cs.display !== "list-item") return "";
  if (getComputedStyle(li, "::marker").content !== "normal") return "";
  const s = count(ordinal(li));
  return s && s + ".";
}
let ordinals = new WeakMap();
function ordinal(li) {
  const known = ordinals.get(li);
  if (known !== undefined) return known;
  const list = parentNode(li);
  const reversed = list instanceof HTMLOListElement && hasAttr(list, "reversed");
  const start = list instanceof HTMLOListElement && /^[-+]?\d+/.test(attr(list, "start") || "") ? parseInt(attr(list, "start"), 10) : null;
  const items = [];
  let base = null;
  for (let n = li; n; n = previousSibling(n)) {
    if (!isElement(n) || localName(n) !== "li") continue;
    const k = n === li ? undefined : ordinals.get(n);
    if (k !== undefined) { base = k; break; }
    if (n !== li && getComputedStyle(n).display === "none") continue;
    items.push(n);
  }
  if (base === null) {
    let first = start ?? 1;
    if (reversed && start === null) { first = 0; for (let n = list && firstChild(list); n; n = nextSibling(n)) if (isElement(n) && localName(n) === "li" && getComputedStyle(n).display !== "none") first++; }
    base = reversed ? first + 1 : first - 1;
  }
  for (let i = items.length - 1; i >= 0; i--) {
    const v = attr(items[i], "value");
    base = v && /^[-+]?\d+/.test(v.trim()) ? parseInt(v, 10) : reversed ? base - 1 : base + 1;
    ordinals.set(items[i], base);
  }
  return base;
}
