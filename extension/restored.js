// Which tabs that were shared singly are shared again when Chrome brings them back:
// after its end, or after a crash. Of each is kept where it stood and a print of its
// address, not the address. What is kept makes no tab shared by itself: Chrome must
// say of the tab that it restored it, which neither a page nor a command line can have
// it say.

import { isLasting } from "./site.js";

/** The local storage's key for what is kept. */
const KEY = "restorable";

/** The session storage's key for until when tabs are looked for in this run of the browser, ms since 1970. */
const UNTIL = "restoring";

/** How long tabs are looked for after the browser's start, ms: who is asked after a crash whether to restore takes their time to answer. */
const PATIENCE = 120_000;

/**
 * @typedef {object} Kept A tab that was shared.
 * @property {number} tab Its number, which no tab has in another run of the browser.
 * @property {string} print Of its address.
 * @property {number} window Its window's place in the order in which windows were made.
 * @property {number} index Its place in the window.
 * @property {boolean} alone No other tab showed the same address.
 *
 * @typedef {object} Memory
 * @property {string} salt So that prints of one address differ between browsers.
 * @property {Kept[]} kept
 * @property {Kept[]} sought
 */

/** @type {() => void} */
let changed = () => {};

/** @param {() => void} fn Called when what is kept is another. */
export function onChange(fn) {
  changed = fn;
}

/** What is shared now. @type {Kept[]} */
let kept = [];

/** What was shared when the browser ended, and has not been found. @type {Kept[]} */
let sought = [];

let salt = "";

/** Until when tabs are looked for, ms since 1970. */
let until = 0;

/** Tabs of which Chrome did not say that it restored them: it is asked once. @type {Set<number>} */
const others = new Set();

/** Numbers what is noted, so that an older note never comes after a newer one. */
let turn = 0;

/**
 * Loads what was kept: to go on with it in this run of the browser, or to look for it
 * where this is another.
 *
 * @param {chrome.tabs.Tab[]} tabs All that there are.
 */
export async function load(tabs) {
  const memory = /** @type {Memory | undefined} */ ((await chrome.storage.local.get(KEY))[KEY]);
  const noted = /** @type {number | undefined} */ ((await chrome.storage.session.get(UNTIL))[UNTIL]);
  until = noted ?? Date.now() + PATIENCE;
  if (noted === undefined) await chrome.storage.session.set({ [UNTIL]: until });
  if (typeof memory?.salt !== "string" || !Array.isArray(memory.kept) || !Array.isArray(memory.sought)) return;
  salt = memory.salt;
  kept = memory.kept.filter(isKept);
  sought = memory.sought.filter(isKept);
  if (noted !== undefined) return;
  // An extension that was switched off and on again has lost what was shared, and that
  // is no end of the browser.
  const alive = new Set(tabs.map((tab) => tab.id));
  if (kept.some((k) => alive.has(k.tab))) {
    forget();
    return;
  }
  sought = [...sought, ...kept];
  kept = [];
  save();
}

/** @param {any} k */
function isKept(k) {
  return typeof k === "object" && k !== null && Number.isSafeInteger(k.tab) && typeof k.print === "string" &&
    Number.isSafeInteger(k.window) && Number.isSafeInteger(k.index) && typeof k.alone === "boolean";
}

/** Whether there are tabs to look for still. */
export function isSeeking() {
  if (sought.length > 0 && Date.now() >= until) giveUp();
  return sought.length > 0;
}

/** How long tabs are looked for still, ms. */
export function patience() {
  return Math.max(0, until - Date.now());
}

/** How many tabs something is kept of. */
export function count() {
  return kept.length + sought.length;
}

/** Looks for nothing any more. */
function giveUp() {
  sought = [];
  save();
}

/** Forgets all that is kept. */
export function forget() {
  turn++;
  kept = [];
  giveUp();
}

/**
 * Forgets a tab, at once.
 *
 * @param {number} tabId
 */
export function drop(tabId) {
  turn++;
  const less = kept.filter((k) => k.tab !== tabId);
  if (less.length === kept.length) return;
  kept = less;
  save();
}

/**
 * Notes the tabs that are shared singly, where they are now and what they show.
 *
 * @param {(tab: chrome.tabs.Tab) => boolean} fits Whether a tab is shared, and shows what was shared.
 */
export async function note(fits) {
  const mine = ++turn;
  const tabs = await restorable();
  const all = tabs.filter((tab) => isLasting(tab.url ?? "") && fits(tab));
  if (all.length === 0 && kept.length === 0) return;
  salt ||= crypto.randomUUID();
  const now = await Promise.all(all.map(async (tab) => ({
    tab: /** @type {number} */ (tab.id), print: await print(tab), ...placeOf(tab, tabs),
    alone: tabs.filter((other) => other.url === tab.url).length === 1,
  })));
  if (mine !== turn || JSON.stringify(now) === JSON.stringify(kept)) return;
  kept = now;
  save();
}

/** The tabs that Chrome may bring back: it forgets incognito windows. */
async function restorable() {
  return (await chrome.tabs.query({})).filter((tab) => !tab.incognito && tab.id !== undefined);
}

/**
 * @param {chrome.tabs.Tab} tab
 * @param {chrome.tabs.Tab[]} tabs
 */
function placeOf(tab, tabs) {
  const windows = [...new Set(tabs.map((t) => t.windowId))].sort((a, b) => a - b);
  return { window: windows.indexOf(tab.windowId), index: tab.index };
}

/** @param {chrome.tabs.Tab} tab */
async function print(tab) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt} ${tab.url}`));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

/**
 * The tabs that are what was shared when the browser ended. Each is given once.
 *
 * @param {(tabId: number) => Promise<boolean>} wasRestored What Chrome says of a tab.
 * @returns {Promise<chrome.tabs.Tab[]>}
 */
export async function claim(wasRestored) {
  const tabs = await restorable();
  const prints = await Promise.all(tabs.map(print));
  /** @type {chrome.tabs.Tab[]} */
  const found = [];
  for (const k of sought) {
    /** @type {chrome.tabs.Tab[]} */
    const restored = [];
    for (const [i, tab] of tabs.entries()) {
      const id = /** @type {number} */ (tab.id);
      if (prints[i] !== k.print || found.includes(tab) || others.has(id)) continue;
      if (await wasRestored(id)) restored.push(tab);
      else others.add(id);
    }
    // Of several that are alike it is the one in the same place, or none.
    const at = k.alone && restored.length === 1 ? restored[0] : restored.find((tab) => {
      const place = placeOf(tab, tabs);
      return place.window === k.window && place.index === k.index;
    });
    if (!at || !sought.includes(k)) continue;
    found.push(at);
    sought = sought.filter((other) => other !== k);
    save();
  }
  return found;
}

function save() {
  changed();
  if (count() > 0) {
    chrome.storage.local.set({ [KEY]: { salt, kept, sought } });
    return;
  }
  salt = "";
  chrome.storage.local.remove(KEY);
}
