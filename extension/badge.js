// The mark on our button that says of each tab whether it is shared.

import * as sharing from "./sharing.js";

/** The marks: their letters, their colour with at least 4.5:1 below white, and what is said of them. */
const marks = {
  attached: { text: "on", color: "#0b6b3a", title: "badgeAttached" },
  attaching: { text: "…", color: "#4a5560", title: "badgeAttaching" },
  reduced: { text: "on", color: "#8a4b00", title: "badgeReduced" },
  paused: { text: "II", color: "#4a5560", title: "badgePaused" },
  unreachable: { text: "!", color: "#a61b1b", title: "badgeUnreachable" },
};

/** Tabs that have a mark. @type {Set<number>} */
const marked = new Set();

/** Brings the marks of all tabs up to date. */
export function renew() {
  const now = new Set(sharing.all());
  for (const tabId of marked) if (!now.has(tabId)) mark(tabId, "", "", chrome.i18n.getMessage("name"));
  for (const tabId of now) {
    const m = marks[sharing.stateOf(tabId).state];
    mark(tabId, m.text, m.color, chrome.i18n.getMessage(m.title));
  }
}

/**
 * @param {number} tabId
 * @param {string} text
 * @param {string} color
 * @param {string} title
 */
async function mark(tabId, text, color, title) {
  if (text) marked.add(tabId);
  else marked.delete(tabId);
  try {
    if (color) {
      await chrome.action.setBadgeBackgroundColor({ tabId, color });
      await chrome.action.setBadgeTextColor({ tabId, color: "#ffffff" });
    }
    await chrome.action.setBadgeText({ tabId, text });
    await chrome.action.setTitle({ tabId, title });
  } catch {
    // The tab has gone.
    marked.delete(tabId);
  }
}
