// The sites that the user always shares, remembered in this browser alone.

import { isLasting } from "./site.js";

const KEY = "sites";

/** @type {Set<string>} */
let sites = new Set();

/** Loads what is remembered. */
export async function load() {
  const stored = (await chrome.storage.local.get(KEY))[KEY];
  sites = new Set(Array.isArray(stored) ? stored.filter((s) => typeof s === "string" && isLasting(s)) : []);
}

/** @param {string} site */
export function has(site) {
  return sites.has(site);
}

/** The sites, in the order of their names. */
export function all() {
  return [...sites].sort();
}

/** @param {string} site */
export function add(site) {
  if (!isLasting(site) || sites.has(site)) return;
  sites.add(site);
  save();
}

/** @param {string} site */
export function forget(site) {
  if (sites.delete(site)) save();
}

/** Forgets all sites. */
export function forgetAll() {
  sites.clear();
  save();
}

function save() {
  chrome.storage.local.set({ [KEY]: [...sites] });
}
