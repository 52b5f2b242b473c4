// The page's context menu: one entry to share the tab, one to stop, of which the one
// that would do something is shown.

import * as sharing from "./sharing.js";

const SHARE = "share";
const STOP = "stop";

/** Makes the entries. Chrome keeps them while the extension is installed. */
export async function install() {
  await chrome.contextMenus.removeAll();
  for (const [id, title] of [[SHARE, "menuShare"], [STOP, "menuStop"]]) {
    chrome.contextMenus.create({ id, title: chrome.i18n.getMessage(title), contexts: ["page", "selection", "link", "image"], visible: id === SHARE });
  }
}

/** Shows the entry that is of use in the tab that is in front. */
export async function renew() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const shared = tab?.id !== undefined && sharing.of(tab.id) !== undefined;
  try {
    await chrome.contextMenus.update(SHARE, { visible: !shared });
    await chrome.contextMenus.update(STOP, { visible: shared });
  } catch {
    // They are made only once the extension is installed, in a moment.
  }
}

/**
 * Takes a click on an entry, which only the user can make.
 *
 * @param {string | number} id
 * @param {chrome.tabs.Tab | undefined} tab
 */
export function clicked(id, tab) {
  if (tab?.id === undefined) return;
  if (id === SHARE) sharing.share(tab.id);
  if (id === STOP) sharing.stop(tab.id);
}
