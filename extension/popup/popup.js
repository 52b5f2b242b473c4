// The popup: what is so with the tab in front, and the buttons that share it and stop.

import { Link } from "../link.js";
import { localize, words } from "../localize.js";
import { isLasting, siteOf } from "../site.js";

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The words and their colour for each state of a shared tab. @type {Record<string, [string, string]>} */
const states = {
  attached: ["stateAttached", "good"],
  attaching: ["stateAttaching", ""],
  reduced: ["stateReduced", "warn"],
  paused: ["statePaused", "warn"],
  unreachable: ["stateUnreachable", "stop-words"],
};

/** @type {chrome.tabs.Tab | undefined} */
let tab;

/** @type {import("../link.js").Shown | undefined} */
let shown;

localize();

const link = new Link("popup", (state) => {
  shown = state;
  show();
});

async function findTab() {
  [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  show();
}
findTab();
chrome.tabs.onUpdated.addListener((id) => {
  if (id === tab?.id) findTab();
});

/**
 * Has a click of the user ask the worker for something.
 *
 * @param {string} id
 * @param {() => Promise<unknown>} act
 */
function onClick(id, act) {
  part(id).addEventListener("click", (event) => {
    // Where it fails, the tab or the worker has gone, which is shown by itself.
    if (event.isTrusted) act().catch(() => {});
  });
}

onClick("share", () => link.ask("share", { tab: tab?.id, site: siteOf(tab?.url) }));
onClick("stop", () => link.ask("stop", { tab: tab?.id }));
onClick("always", () => {
  const site = siteOf(tab?.url);
  return shown?.sites.includes(site) ? link.ask("forgetSite", { site }) : link.ask("shareSite", { tab: tab?.id, site });
});
onClick("allow", async () => {
  // Chrome asks the user, and closes the popup for that.
  await chrome.permissions.request({ origins: [pattern()] });
  show();
});
onClick("everything", () => link.ask("stopEverything"));
onClick("panel", async () => {
  if (tab) await chrome.sidePanel.open({ windowId: tab.windowId });
  window.close();
});
onClick("options", () => chrome.runtime.openOptionsPage());

/** What Chrome is to be asked for, to look into a page by a script. */
function pattern() {
  const url = new URL(tab?.url ?? "");
  return url.protocol === "file:" ? "file:///*" : `${url.protocol}//${url.hostname}/*`;
}

/** @param {boolean} reduced */
async function showAllow(reduced) {
  part("allow").hidden = !reduced || (await chrome.permissions.contains({ origins: [pattern()] }));
}

function show() {
  if (!shown || !tab) return;
  const share = shown.shares.find((s) => s.tab === tab?.id);
  const site = siteOf(tab.url);
  const [name, color] = share ? states[share.state] ?? states.attaching : ["stateUnshared", ""];
  const held = document.activeElement;
  const waiting = share?.state === "attaching" && shown.host.condition !== "connected";
  say("shared", words(waiting ? "stateWaiting" : name), color);
  say("more", explanation(share, site), "quiet");
  // In a paused tab it shares the site that is there now instead.
  part("share").hidden = site === "" || (share !== undefined && share.state !== "paused");
  part("share").textContent = words(share ? "popupShareNow" : "popupShare");
  part("stop").hidden = share === undefined;
  showAllow(share?.state === "reduced");
  const always = part("always");
  always.hidden = !isLasting(site) || tab.incognito;
  always.textContent = words(shown.sites.includes(site) ? "popupForgetSite" : "popupAlways", site);
  part("everything").hidden = shown.shares.length === 0 && shown.sites.length === 0;
  // The keyboard is not lost with the button that it was on.
  if (held?.closest("[hidden]")) /** @type {HTMLElement | null} */ (document.querySelector("#acts button:not([hidden])"))?.focus();
  part("bar").hidden = shown.shares.length === 0;
  showHost(shown.host);
  document.body.dataset.ready = "yes";
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} color
 */
function say(id, text, color) {
  const el = part(id);
  if (el.textContent !== text) el.textContent = text;
  el.className = color;
}

/**
 * @param {{site: string, bySite: boolean, state: string, problem: string} | undefined} share
 * @param {string} site
 */
function explanation(share, site) {
  if (!share) return tab?.incognito ? words("unsharedIncognito") : words("unsharedMore");
  if (share.state === "paused") return words("problem_left_site", share.site);
  if (share.problem) return words(`problem_${share.problem}`);
  return share.bySite ? words("sharedBySite", site) : words("sharedOnce", site);
}

/** @param {{condition: string, version: string, message: string}} host */
function showHost(host) {
  const box = part("host");
  const count = shown?.agents.length ?? 0;
  const lines = [["p", words(`host_${host.condition}`, host.message)]];
  if (host.condition === "connected") lines[0][1] = count === 0 ? words("panelNoAgents") : count === 1 ? words("hostAgent", shown?.agents[0].name ?? "") : words("hostAgents", String(count));
  if (host.condition === "missing") lines.push(["code", "webarea install"]);
  box.replaceChildren(...lines.map(([tag, text]) => {
    const el = document.createElement(tag);
    el.textContent = text;
    return el;
  }));
  box.className = host.condition === "connected" || host.condition === "connecting" ? "quiet" : "warn";
}
