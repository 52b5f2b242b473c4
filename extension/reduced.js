// What can be had of a tab that the debugger may not attach to, since another
// extension has a frame in it.

import * as sharing from "./sharing.js";

/** @param {string} key */
async function reducedTab(key) {
  const id = sharing.all().find((tabId) => sharing.stateOf(tabId).key === key);
  if (id === undefined || sharing.stateOf(id).state !== "reduced") throw new Error("the tab is not shared, or not reduced");
  return chrome.tabs.get(id);
}

/**
 * A picture of what the tab shows, which Chrome gives only of the tab in front, and
 * only after a click of the user on our button or menu there.
 *
 * @param {{tab: string, format?: string}} request
 * @returns {Promise<{data: string}>} in base64
 */
export async function capture(request) {
  const tab = await reducedTab(request.tab);
  if (!tab.active) throw new Error("the tab is not in front");
  const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: request.format === "jpeg" ? "jpeg" : "png" });
  const now = await reducedTab(request.tab);
  if (!now.active || now.url !== tab.url) throw new Error("another tab came in front");
  return { data: url.slice(url.indexOf(",") + 1) };
}
