// What our own pages (popup, options, side panel) ask for and are told. Nobody else is
// heard: no other extension, no web page, no address.

import * as memory from "./memory.js";
import * as reads from "./reads.js";
import * as relay from "./relay.js";
import * as restored from "./restored.js";
import * as sharing from "./sharing.js";

/** The pages, by the name of their connection. */
const pages = {
  popup: "popup/popup.html",
  options: "options/options.html",
  panel: "sidepanel/sidepanel.html",
};

/** @typedef {keyof typeof pages} Name */

/** @type {Map<chrome.runtime.Port, Name>} */
const open = new Map();

/** @type {{id: number, name: string, version: string}[]} */
let agents = [];

/** @param {any[]} list As the host tells of them. */
export function setAgents(list) {
  agents = list.filter((a) => typeof a === "object" && a !== null).slice(0, 100)
    .map((a) => ({ id: Number(a.id), name: String(a.name ?? "").slice(0, 200), version: String(a.version ?? "").slice(0, 100) }));
}

/**
 * Which of our pages a connection comes from, or undefined.
 *
 * @param {chrome.runtime.Port} port
 * @returns {Name | undefined}
 */
function pageOf(port) {
  const sender = port.sender;
  const name = /** @type {Name} */ (port.name);
  if (!sender || sender.id !== chrome.runtime.id || sender.origin !== new URL(chrome.runtime.getURL("")).origin) return undefined;
  if (!Object.hasOwn(pages, name) || sender.url?.split(/[?#]/)[0] !== chrome.runtime.getURL(pages[name])) return undefined;
  // The popup that hangs from our button is in no tab. Opened in one it could be
  // laid out by whoever opened it.
  if (name === "popup" && sender.tab) return undefined;
  return name;
}

/** @param {chrome.runtime.Port} port */
export function connected(port) {
  const name = pageOf(port);
  if (!name) {
    port.disconnect();
    return;
  }
  open.set(port, name);
  port.onMessage.addListener((message) => take(port, name, message));
  port.onDisconnect.addListener(() => {
    open.delete(port);
    watch();
  });
  relay.connect();
  watch();
  send(port);
}

/** Tells the pages that are open what is so now. */
export function renew() {
  for (const port of open.keys()) send(port);
}

/** Tells the side panels that the outline may be another. */
export function changed() {
  for (const [port, name] of open) if (name === "panel") port.postMessage({ changed: true });
}

/** Has the host tell of changes while somebody looks. */
export function watch() {
  relay.say(/** @type {any} */ ({ kind: "watch", on: [...open.values()].includes("panel") }));
}

/** @param {chrome.runtime.Port} port */
function send(port) {
  port.postMessage({
    state: {
      host: relay.now(),
      agents,
      shares: sharing.all().map((tab) => ({ tab, ...sharing.of(tab), ...sharing.stateOf(tab) })),
      sites: memory.all(),
      kept: restored.count(),
      reads: open.get(port) === "panel" ? reads.all() : [],
    },
  });
}

/**
 * What each page may ask for.
 *
 * @type {Record<Name, Record<string, (message: any) => any>>}
 */
const requests = {
  popup: {
    share: (m) => sharing.share(m.tab, String(m.site)),
    shareSite: (m) => sharing.shareSite(m.tab, String(m.site)),
    forgetSite: (m) => sharing.forgetSite(m.site),
    stop: (m) => sharing.stop(m.tab),
    stopEverything: () => sharing.stopEverything(),
  },
  options: {
    forgetSite: (m) => sharing.forgetSite(m.site),
    forgetSites: () => sharing.forgetSites(),
    letPass: () => sharing.letPass(),
  },
  panel: {
    outline: () => relay.ask("outline"),
    point: (m) => relay.ask("point", { element: String(m.element ?? "") }),
    clearReads: () => {
      reads.clear();
      renew();
    },
  },
};

/**
 * @param {chrome.runtime.Port} port
 * @param {Name} name
 * @param {any} message
 */
async function take(port, name, message) {
  if (typeof message !== "object" || message === null || !Object.hasOwn(requests[name], message.ask)) return;
  let answer;
  try {
    answer = { id: message.id, result: (await requests[name][message.ask](message)) ?? {} };
  } catch (error) {
    answer = { id: message.id, error: error instanceof Error ? error.message : String(error) };
  }
  if (open.has(port)) port.postMessage({ answer });
}
