// Who is shared. The user's acts alone add to it: they come from worker.js, which
// takes them from the popup, the shortcut and the menu. Everything else here only
// pauses, resumes and ends.

import * as debuggee from "./debuggee.js";
import * as memory from "./memory.js";
import * as restored from "./restored.js";
import { siteOf } from "./site.js";

/**
 * @typedef {object} Share
 * @property {string} site What was shared: the tab is seen only while it shows this.
 * @property {boolean} bySite It is shared since its site always is.
 * @property {boolean} [passing] Its user had what is kept of it forgotten: it ends with the browser.
 *
 * @typedef {object} State
 * @property {"attached" | "attaching" | "reduced" | "paused" | "unreachable"} state
 * @property {string} problem One of the words of the relay, or "".
 * @property {string} key
 */

const SHARES = "shares";
const STOPPED = "stopped";

/** How long after a change what is kept is noted, ms: several come together. A page that never rests puts it off no further. */
const REST = 300;

/** The same after a window was closed, ms: where the browser is ending, it is gone by then, and what it takes along was not closed by its user. */
const CLOSING = 5_000;

/** How long no tab must have come before it is seen which of them were shared, ms: Chrome brings all of them back at once. */
const QUIET = 1_000;

/** @type {Map<number, Share>} */
const shares = new Map();

/** Tabs that the user stopped sharing although their site always is. @type {Set<number>} */
const stopped = new Set();

/** Keys of shared tabs that have no debuggee, by tab. @type {Map<number, {key: string, why: string}>} */
const idle = new Map();

/** Whether there is somebody to read: nothing is attached for nobody. */
let served = false;

/** @type {() => void} */
let changed = () => {};

/** @param {() => void} fn Called when what is shared, or its state, is another. */
export function onChange(fn) {
  changed = fn;
}

/** Loads what was shared when the worker was last alive in this run of the browser. */
export async function load() {
  const stored = await chrome.storage.session.get([SHARES, STOPPED]);
  for (const [id, share] of Object.entries(stored[SHARES] ?? {})) shares.set(Number(id), /** @type {Share} */ (share));
  for (const id of stored[STOPPED] ?? []) stopped.add(id);
  const alive = new Map((await chrome.tabs.query({})).map((tab) => [tab.id, tab]));
  for (const id of [...shares.keys()]) if (!alive.has(id)) shares.delete(id);
  for (const id of [...stopped]) if (!alive.has(id)) stopped.delete(id);
  await restored.load([...alive.values()]);
  for (const tab of alive.values()) meet(tab);
  save();
  seek();
  setTimeout(seek, restored.patience());
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noting;

/** When what is kept may be noted, ms since 1970. */
let closing = 0;

/** Has it noted which tabs are shared singly, and where they are, for when Chrome brings them back. */
export function note() {
  const ends = closing - Date.now();
  if (noting !== undefined && ends <= 0) return;
  clearTimeout(noting);
  noting = undefined;
  const single = [...shares.values()].some((share) => !share.bySite);
  if (!single && restored.count() === 0) return;
  noting = setTimeout(() => {
    noting = undefined;
    restored.note((tab) => {
      const share = shares.get(tab.id ?? -1);
      return share !== undefined && !share.bySite && !share.passing && siteOf(tab.url) === share.site;
    });
  }, Math.max(REST, ends));
}

/** Forgets what is kept of the tabs that are shared singly: they end with the browser. */
export function letPass() {
  for (const share of shares.values()) if (!share.bySite) share.passing = true;
  restored.forget();
  save();
  changed();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let seeking;

/** Shares again what was shared when the browser ended, once Chrome has brought it back. */
export function seek() {
  clearTimeout(seeking);
  if (restored.isSeeking()) seeking = setTimeout(reclaim, QUIET);
}

/** The claims, one after the other. @type {Promise<void>} */
let claiming = Promise.resolve();

function reclaim() {
  claiming = claiming.then(async () => {
    if (!restored.isSeeking()) return;
    // What its user has decided on since is found, too, so that no other takes its place.
    const decided = (/** @type {number} */ tabId) => shares.has(tabId) || stopped.has(tabId);
    for (const tab of await restored.claim(async (tabId) => decided(tabId) || debuggee.wasRestored(tabId))) {
      const tabId = /** @type {number} */ (tab.id);
      if (decided(tabId)) continue;
      shares.set(tabId, { site: siteOf(tab.url), bySite: false });
      save();
      await look(tabId);
      changed();
    }
  });
}

function save() {
  note();
  chrome.storage.session.set({ [SHARES]: Object.fromEntries(shares), [STOPPED]: [...stopped] });
}

/** The shared tabs' ids. */
export function all() {
  return [...shares.keys()];
}

/** @param {number} tabId */
export function of(tabId) {
  return shares.get(tabId);
}

/**
 * Shares a tab, as its user asked.
 *
 * @param {number} tabId
 * @param {string} [seen] The site that its user saw there: another is not shared.
 */
export async function share(tabId, seen) {
  const tab = await chrome.tabs.get(tabId);
  const site = siteOf(tab.url);
  if (!site || (seen !== undefined && seen !== site)) return;
  stopped.delete(tabId);
  shares.set(tabId, { site, bySite: false });
  save();
  review(tab);
  changed();
}

/**
 * Shares a tab's site always, as its user asked, and with it the tabs of that site
 * that are open. A tab in an incognito window is never part of that.
 *
 * @param {number} tabId
 * @param {string} seen The site that its user saw there: another is not shared.
 */
export async function shareSite(tabId, seen) {
  const tab = await chrome.tabs.get(tabId);
  const site = siteOf(tab.url);
  if (tab.incognito || site !== seen) return;
  memory.add(site);
  stopped.delete(tabId);
  for (const other of await chrome.tabs.query({})) meet(other);
  changed();
}

/**
 * Stops sharing a tab, at once, also where its site is always shared.
 *
 * @param {number} tabId
 * @param {string} [reason]
 */
export function stop(tabId, reason = "stopped") {
  if (!shares.delete(tabId)) return;
  stopped.add(tabId);
  end(tabId, reason);
}

/**
 * Stops sharing all tabs, at once.
 *
 * @param {string} [reason]
 */
export function stopAll(reason = "stopped") {
  restored.forget();
  for (const tabId of [...shares.keys()]) stop(tabId, reason);
}

/** Stops sharing all tabs and forgets the sites that always are. */
export function stopEverything() {
  memory.forgetAll();
  stopAll();
}

/**
 * Forgets a site that is always shared, and stops what was shared for that.
 *
 * @param {string} site
 */
export function forgetSite(site) {
  memory.forget(site);
  for (const [tabId, share] of [...shares]) if (share.bySite && share.site === site) stop(tabId);
  changed();
}

/** Forgets all sites that are always shared, and stops what was shared for that. */
export function forgetSites() {
  for (const site of memory.all()) forgetSite(site);
}

/**
 * @param {number} tabId
 * @param {string} reason
 */
function end(tabId, reason) {
  if (reason !== "closed" && reason !== "tab_discarded") restored.drop(tabId);
  idle.delete(tabId);
  debuggee.drop(tabId, reason);
  save();
  changed();
}

/**
 * Says that there is a host to read, or none any more.
 *
 * @param {boolean} yes
 */
export async function setServed(yes) {
  served = yes;
  idle.clear();
  if (!yes) {
    debuggee.dropAll("host_gone");
    changed();
    return;
  }
  for (const tabId of all()) look(tabId);
}

/**
 * Takes what is new of a tab.
 *
 * @param {chrome.tabs.Tab} tab
 */
export function meet(tab) {
  if (tab.id === undefined) return;
  if (!shares.has(tab.id)) {
    const site = siteOf(tab.url);
    if (tab.incognito || !memory.has(site) || stopped.has(tab.id)) return;
    shares.set(tab.id, { site, bySite: true });
    save();
    changed();
  }
  review(tab);
}

/**
 * Looks at a tab again.
 *
 * @param {number} tabId
 */
export async function look(tabId) {
  if (!shares.has(tabId)) return;
  try {
    review(await chrome.tabs.get(tabId));
  } catch {
    close(tabId);
  }
}

/**
 * Brings a shared tab into the state that it should be in: seen, paused, or out of
 * reach.
 *
 * @param {chrome.tabs.Tab} tab
 */
function review(tab) {
  const tabId = /** @type {number} */ (tab.id);
  const share = shares.get(tabId);
  if (!share) return;
  const why = siteOf(tab.url) !== share.site ? "left_site" : tab.discarded ? "tab_discarded" : "";
  if (why || !served) {
    rest(tabId, why);
    return;
  }
  const was = idle.delete(tabId);
  debuggee.want(tabId, tab.status === "complete");
  if (was) changed();
}

/**
 * @param {number} tabId
 * @param {string} why
 */
function rest(tabId, why) {
  if (idle.get(tabId)?.why === why) return;
  idle.set(tabId, { key: `${tabId}.${Date.now()}i`, why });
  debuggee.drop(tabId, why || "host_gone");
  changed();
}

/**
 * Whether a tab may be seen while it shows an address. Where not, nothing of it is
 * seen from here on.
 *
 * @param {number} tabId
 * @param {string} address
 */
export function stays(tabId, address) {
  const share = shares.get(tabId);
  if (!share) return false;
  if (siteOf(address) === share.site) return true;
  rest(tabId, "left_site");
  return false;
}

/**
 * Takes the news that a tab's debugger was thrown off.
 *
 * @param {number} tabId
 */
export async function thrown(tabId) {
  let tab;
  try {
    tab = await chrome.tabs.get(tabId);
  } catch {
    // Its closing, or what replaced it, is told of by itself.
    return;
  }
  const share = shares.get(tabId);
  if (!share) return;
  if (tab.discarded || siteOf(tab.url) !== share.site) review(tab);
  else debuggee.renew(tabId, "detached");
}

/**
 * Takes the news that a tab was closed.
 *
 * @param {number} tabId
 * @param {boolean} [withWindow] Its window was: so are all when the browser ends.
 */
export function close(tabId, withWindow = false) {
  if (withWindow) closing = Date.now() + CLOSING;
  else restored.drop(tabId);
  if (stopped.delete(tabId)) save();
  if (shares.delete(tabId)) end(tabId, "closed");
}

/**
 * Takes the news that a tab goes by another number, as one does that was discarded.
 *
 * @param {number} added
 * @param {number} removed
 */
export function replace(added, removed) {
  if (stopped.delete(removed)) stopped.add(added);
  const share = shares.get(removed);
  if (share) {
    shares.delete(removed);
    shares.set(added, share);
    end(removed, "tab_discarded");
    look(added);
  }
  save();
}

/**
 * The state of a shared tab.
 *
 * @param {number} tabId
 * @returns {State}
 */
export function stateOf(tabId) {
  const d = debuggee.of(tabId);
  if (d) return { state: d.state, problem: d.problem, key: d.key };
  const at = idle.get(tabId);
  if (at?.why === "left_site") return { state: "paused", problem: "left_site", key: at.key };
  if (at?.why) return { state: "unreachable", problem: at.why, key: at.key };
  return { state: "attaching", problem: "", key: at?.key ?? `${tabId}.0` };
}
