// The worker: who listens to what. Chrome ends it and wakes it as it likes, so that
// every listener is set here, at once, and what must last is in storage.

import * as badge from "./badge.js";
import * as debuggee from "./debuggee.js";
import * as facts from "./facts.js";
import * as memory from "./memory.js";
import * as menus from "./menus.js";
import * as pages from "./pages.js";
import * as reads from "./reads.js";
import * as reduced from "./reduced.js";
import * as relay from "./relay.js";
import * as restored from "./restored.js";
import * as sharing from "./sharing.js";
import * as wake from "./wake.js";

/** Brings everything that shows or tells what is shared up to date, at once. */
function renew() {
  facts.renew(true);
  badge.renew();
  menus.renew();
  pages.renew();
  pace();
}

/** Has the alarm come as often as it must. */
function pace() {
  wake.renew(relay.isOpen() && sharing.all().length > 0);
}

sharing.onChange(renew);
restored.onChange(pages.renew);
facts.onTell((message) => relay.say(message));

debuggee.serve({
  said: (tab, m) => relay.say(/** @type {any} */ ({ kind: "cdp", tab, m })),
  changed: renew,
  ended: (key, reason) => facts.noteGone(key, reason),
  stays: sharing.stays,
  thrown: sharing.thrown,
  canceled: () => sharing.stopAll("canceled_by_user"),
});

/** What the host may ask of us. @type {Record<string, (message: any) => Promise<object>>} */
const requests = { capture: reduced.capture, reduced: reduced.read };

relay.serve({
  opened: () => {
    facts.reset();
    facts.renew(true);
    pages.watch();
    sharing.setServed(true);
    pace();
  },
  closed: () => {
    pages.setAgents([]);
    sharing.setServed(false);
    pace();
  },
  changed: () => pages.renew(),
  cdp: (tab, m) => debuggee.send(tab, m),
  request: async (what, message) => {
    if (!Object.hasOwn(requests, what)) throw new Error(`there is no ${what}`);
    return requests[what](message);
  },
  told: (message) => {
    if (message.kind === "agents") pages.setAgents(message.agents);
    if (message.kind === "read") reads.add(message);
    if (message.kind === "changed") pages.changed();
    else pages.renew();
  },
});

/** What must be loaded before anything is decided. */
const ready = (async () => {
  await chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
  await Promise.all([memory.load(), reads.load(), facts.load()]);
  await sharing.load();
  relay.connect();
  renew();
})();

chrome.runtime.onInstalled.addListener(async () => {
  await ready;
  menus.renew();
});
chrome.runtime.onStartup.addListener(() => ready);
chrome.runtime.onConnect.addListener((port) => ready.then(() => pages.connected(port)));
chrome.alarms.onAlarm.addListener(async (alarm) => {
  await ready;
  if (alarm.name === wake.ALARM) relay.connect();
});

chrome.commands.onCommand.addListener(async (command, tab) => {
  await ready;
  if (command !== "toggle-share" || tab?.id === undefined) return;
  // Also in a paused tab: who presses it to stop must not share the site that is there.
  if (sharing.of(tab.id)) sharing.stop(tab.id);
  else sharing.share(tab.id);
});
chrome.contextMenus.onClicked.addListener(async (info, tab) => {
  await ready;
  menus.clicked(info.menuItemId, tab);
});

chrome.debugger.onEvent.addListener((source, method, params) => debuggee.heard(source, method, params));
chrome.debugger.onDetach.addListener(async (source, reason) => {
  await ready;
  debuggee.thrown(source, reason);
});

chrome.tabs.onUpdated.addListener(async (_, change, tab) => {
  await ready;
  sharing.meet(tab);
  if (change.url !== undefined) sharing.note();
  if (tab.id === undefined || !sharing.of(tab.id)) return;
  facts.renew();
  // A new document takes the mark off our button.
  if (change.status) badge.renew();
});
chrome.tabs.onCreated.addListener(() => ready.then(() => {
  sharing.seek();
  sharing.note();
}));
chrome.tabs.onRemoved.addListener(async (tabId, how) => {
  await ready;
  sharing.close(tabId, how.isWindowClosing);
  sharing.note();
});
chrome.tabs.onReplaced.addListener((added, removed) => ready.then(() => sharing.replace(added, removed)));
chrome.tabs.onActivated.addListener(async () => {
  await ready;
  facts.renew();
  menus.renew();
});
for (const event of [chrome.tabs.onMoved, chrome.tabs.onAttached, chrome.tabs.onDetached]) {
  /** @type {any} */ (event).addListener(() => ready.then(() => sharing.note()));
}
for (const event of [chrome.tabs.onMoved, chrome.tabs.onAttached, chrome.tabs.onDetached, chrome.tabs.onZoomChange, chrome.windows.onBoundsChanged]) {
  /** @type {any} */ (event).addListener(() => ready.then(() => facts.renew()));
}
chrome.windows.onFocusChanged.addListener(async (windowId) => {
  await ready;
  facts.noteFocus(windowId);
  facts.renew();
  menus.renew();
});
chrome.windows.onRemoved.addListener((windowId) => ready.then(() => facts.forgetWindow(windowId)));
