// The page's context menu: one entry, to share the tab or to stop. There is one at a
// time, so that it stands in the menu itself: Chrome puts several into a menu of their
// own. And each has a name of its own, so that a click does what its user read, also
// where another tab came in front meanwhile.

import * as sharing from "./sharing.js";

/** What each entry says. */
const entries = { share: "menuShare", stop: "menuStop" };

/** @typedef {keyof typeof entries} Entry */

/** The entry that there is. @type {Entry | undefined} */
let there;

/** Changes of the menu, one after the other. @type {Promise<void>} */
let work = Promise.resolve();

/** Has the menu offer what is of use in the tab that is in front. */
export async function renew() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  /** @type {Entry} */
  const entry = tab?.id !== undefined && sharing.of(tab.id) !== undefined ? "stop" : "share";
  if (entry === there) return;
  there = entry;
  work = work.then(async () => {
    await chrome.contextMenus.removeAll();
    chrome.contextMenus.create({ id: entry, title: chrome.i18n.getMessage(entries[entry]), contexts: ["page", "selection", "link", "image"] });
  });
}

/**
 * Takes a click on an entry, which only the user can make.
 *
 * @param {string | number} id
 * @param {chrome.tabs.Tab | undefined} tab
 */
export function clicked(id, tab) {
  if (tab?.id === undefined) return;
  if (id === "share") sharing.share(tab.id);
  if (id === "stop") sharing.stop(tab.id);
}
