// What the host is told of shared tabs and of the windows that they are in.

import * as sharing from "./sharing.js";

/** The least time between two tellings, ms, but for what must be told at once. */
const PAUSE = 250;

/** The session storage's key for which window had the focus when. */
const FOCUS = "focus";

/** When windows had the focus, in order: higher is later. @type {Record<string, number>} */
let focused = {};

/** Keys that ended since the last telling. @type {{tab: string, reason: string}[]} */
let gone = [];

/** @type {(message: {kind: string}) => void} */
let tell = () => {};

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Tellings follow each other, so that an older state never comes after a newer one. @type {Promise<void>} */
let turn = Promise.resolve();

/** @param {(message: {kind: string}) => void} fn Called with what is to be told. */
export function onTell(fn) {
  tell = fn;
}

/** Loads which windows had the focus. */
export async function load() {
  focused = /** @type {Record<string, number>} */ ((await chrome.storage.session.get(FOCUS))[FOCUS] ?? {});
}

/** @param {number} windowId */
export function noteFocus(windowId) {
  if (windowId === chrome.windows.WINDOW_ID_NONE) return;
  focused[windowId] = Math.max(0, ...Object.values(focused)) + 1;
  chrome.storage.session.set({ [FOCUS]: focused });
}

/** @param {number} windowId */
export function forgetWindow(windowId) {
  delete focused[windowId];
  chrome.storage.session.set({ [FOCUS]: focused });
}

/**
 * Notes that a key has ended; it is told of with what is told next.
 *
 * @param {string} tab
 * @param {string} reason
 */
export function noteGone(tab, reason) {
  gone.push({ tab, reason });
}

/**
 * Has the tabs told: soon, or at once.
 *
 * @param {boolean} [urgent]
 */
export function renew(urgent = false) {
  if (urgent) {
    clearTimeout(timer);
    timer = undefined;
    now();
  } else if (timer === undefined) {
    timer = setTimeout(() => {
      timer = undefined;
      now();
    }, PAUSE);
  }
}

/** Forgets what was to be told: there is nobody any more. */
export function reset() {
  gone = [];
}

/** Whether a telling waits for its turn: what is asked for meanwhile is part of it. */
let waiting = false;

function now() {
  if (waiting) return;
  waiting = true;
  turn = turn.then(async () => {
    waiting = false;
    const ended = gone;
    gone = [];
    const tabs = (await Promise.all(sharing.all().map(tabFacts))).filter((t) => t !== undefined);
    const windows = (await Promise.all([...new Set(tabs.map((t) => t.window))].map(windowFacts))).filter((w) => w !== undefined);
    // What was unshared meanwhile is not told of.
    const still = tabs.filter((t) => sharing.of(t.id) && sharing.stateOf(t.id).key === t.tab);
    tell(/** @type {any} */ ({ kind: "tabs", tabs: still.map(({ id, ...told }) => told), windows, gone: ended }));
  });
}

/** @param {number} id */
async function tabFacts(id) {
  let tab, zoom;
  try {
    tab = await chrome.tabs.get(id);
    zoom = await chrome.tabs.getZoom(id);
  } catch {
    return undefined;
  }
  // It may have gone elsewhere, and that not be told of yet.
  sharing.meet(tab);
  if (!sharing.of(id)) return undefined;
  const { state, problem: noted, key } = sharing.stateOf(id);
  const frozen = /** @type {any} */ (tab).frozen === true;
  const problem = noted || (frozen && state === "attached" ? "tab_frozen" : "");
  return {
    id, tab: key, window: tab.windowId, index: tab.index, state, active: tab.active, pinned: tab.pinned, audible: tab.audible === true,
    loading: tab.status === "loading", discarded: tab.discarded, frozen, incognito: tab.incognito, zoom,
    ...(problem ? { problem } : {}),
    ...(state === "paused" ? {} : { title: tab.title ?? "", url: tab.url ?? "" }),
  };
}

/** @param {number} id */
async function windowFacts(id) {
  let w;
  try {
    w = await chrome.windows.get(id);
  } catch {
    return undefined;
  }
  const placed = [w.left, w.top, w.width, w.height].every((n) => typeof n === "number");
  return {
    window: id, focused: w.focused, order: focused[id] ?? 0, state: w.state ?? "normal", type: w.type ?? "normal",
    ...(placed ? { bounds: { x: w.left, y: w.top, width: w.width, height: w.height } } : {}),
  };
}
