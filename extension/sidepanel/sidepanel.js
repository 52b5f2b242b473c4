// The side panel: what agents get now, who they are, and what they read. Pointing at a
// line of the outline, or going to it by keyboard, outlines its element on the page.

import { Link } from "../link.js";
import { localize, words } from "../localize.js";

/** How many lines are shown: more nobody reads, and they cost. */
const LINES = 5_000;

/** The page's outline is taken away by the host after 10 s unless it is asked for again: when that is done, ms. */
const POINT_AGAIN = 5_000;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {{id: string, depth: number}[]} */
let lines = [];

/** The line that the keyboard is at. */
let current = 0;

/** The element that is outlined on its page, "" for none. */
let pointed = "";

/** @type {ReturnType<typeof setInterval> | undefined} */
let again;

let asking = false;
let stale = false;

/** What the outline depends on besides the pages, as it was when it was last asked for. */
let basis = "";

localize();
document.title = words("panelTitle");

const link = new Link("panel", (state) => {
  showAgents(state);
  showReads(state.reads);
  const now = JSON.stringify([state.host.condition, state.shares.map((s) => [s.tab, s.state, s.problem])]);
  if (now !== basis) {
    basis = now;
    if (state.host.condition === "connected") renew();
    else showOutline("", [], words(`host_${state.host.condition}`, state.host.message));
  }
  document.body.dataset.ready = "yes";
}, renew);

/** @param {import("../link.js").Shown} state */
function showAgents(state) {
  part("agents").replaceChildren(...state.agents.map((agent) => {
    const entry = document.createElement("li");
    entry.textContent = words("panelAgent", agent.name, agent.version);
    return entry;
  }));
  part("agents").hidden = state.agents.length === 0;
  part("no-agents").hidden = state.agents.length > 0;
  part("no-agents").textContent = state.host.condition === "connected" ? words("panelNoAgents") : words(`host_${state.host.condition}`, state.host.message);
}

/** @param {import("../reads.js").Read[]} reads */
function showReads(reads) {
  part("reads").replaceChildren(...[...reads].reverse().map((read) => {
    const row = document.createElement("tr");
    const when = new Date(read.at).toLocaleTimeString();
    const what = [read.tool, read.what, read.outcome === "ok" ? "" : read.outcome].filter(Boolean).join(" · ");
    for (const text of [when, read.agent, what, size(read.bytes)]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  }));
  part("reads-box").hidden = reads.length === 0;
  part("no-reads").hidden = reads.length > 0;
  part("clear").hidden = reads.length === 0;
}

/** @param {number} bytes */
function size(bytes) {
  if (bytes < 1000) return words("bytes", String(bytes));
  if (bytes < 1_000_000) return words("kilobytes", (bytes / 1000).toFixed(1));
  return words("megabytes", (bytes / 1_000_000).toFixed(1));
}

/** Asks for the outline; while one is under way, once more after it. */
async function renew() {
  if (asking) {
    stale = true;
    return;
  }
  asking = true;
  try {
    const got = await link.ask("outline");
    showOutline(String(got.text ?? ""), Array.isArray(got.lines) ? got.lines : [], words("panelOutlineSize", size(Number(got.bytes ?? 0))));
  } catch (error) {
    showOutline("", [], error instanceof Error ? error.message : String(error));
  }
  asking = false;
  if (stale) {
    stale = false;
    renew();
  }
}

/**
 * @param {string} text
 * @param {{id: string, depth: number}[]} told
 * @param {string} state
 */
function showOutline(text, told, state) {
  const all = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const box = part("lines");
  const at = lines[current]?.id;
  lines = all.slice(0, LINES).map((_, i) => told[i] ?? { id: "", depth: 0 });
  const found = at ? lines.findIndex((l) => l.id === at) : -1;
  current = Math.max(0, found >= 0 ? found : Math.min(current, lines.length - 1));
  box.replaceChildren(...all.slice(0, LINES).map((line, i) => {
    const entry = document.createElement("div");
    entry.role = "option";
    entry.id = `line-${i}`;
    entry.textContent = line || " ";
    return entry;
  }));
  box.hidden = all.length === 0;
  mark();
  const left = all.length - lines.length;
  say(left > 0 ? `${state} ${words("panelLeft", String(left))}` : state);
}

/** @param {string} text */
function say(text) {
  if (part("outline-state").textContent !== text) part("outline-state").textContent = text;
}

/** Shows which line the keyboard is at, and which are of the element that is pointed at. */
function mark() {
  const box = part("lines");
  [...box.children].forEach((entry, i) => {
    entry.setAttribute("aria-selected", String(i === current));
    entry.classList.toggle("pointed", pointed !== "" && lines[i]?.id === pointed);
  });
  if (lines.length > 0) box.setAttribute("aria-activedescendant", `line-${current}`);
  else box.removeAttribute("aria-activedescendant");
}

/**
 * Has an element outlined on its page, "" for none.
 *
 * @param {string} id
 */
function point(id) {
  if (id === pointed) return;
  pointed = id;
  clearInterval(again);
  if (id) again = setInterval(() => tell(id), POINT_AGAIN);
  tell(id);
  mark();
}

/** @param {string} element */
function tell(element) {
  link.ask("point", { element }).catch(() => {
    // The element, or the host, has gone: there is nothing to outline.
  });
}

/** @param {Event} event */
function lineOf(event) {
  const entry = /** @type {HTMLElement} */ (event.target).closest?.("#lines > div");
  return entry ? [...part("lines").children].indexOf(entry) : -1;
}

part("lines").addEventListener("pointermove", (event) => point(lines[lineOf(event)]?.id ?? ""));
part("lines").addEventListener("pointerleave", () => point(document.activeElement === part("lines") ? lines[current]?.id ?? "" : ""));
part("lines").addEventListener("click", (event) => go(lineOf(event)));
part("lines").addEventListener("focus", () => point(lines[current]?.id ?? ""));
part("lines").addEventListener("blur", () => point(""));
part("lines").addEventListener("keydown", (event) => {
  const page = 10;
  /** @type {Record<string, number>} */
  const to = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: lines.length - 1 };
  if (event.key === "Escape") point("");
  if (!(event.key in to) || lines.length === 0) return;
  event.preventDefault();
  go(Math.max(0, Math.min(lines.length - 1, to[event.key])));
});

/** @param {number} line */
function go(line) {
  if (line < 0) return;
  current = line;
  mark();
  part("lines").children[line]?.scrollIntoView({ block: "nearest" });
  point(lines[line]?.id ?? "");
}

part("clear").addEventListener("click", (event) => {
  if (event.isTrusted) link.ask("clearReads");
});
