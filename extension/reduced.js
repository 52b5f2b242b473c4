// What can be had of a tab that the debugger may not attach to, since another
// extension has a frame in it: some words, and a picture of what is in front.

import { look } from "./look.js";
import * as sharing from "./sharing.js";

/** How many characters of a page are told at most, and unless fewer are asked for. */
const TEXT = 20_000;

/** How often a picture is taken while what must not be seen moves. */
const TRIES = 3;

/** By how many pixels more than its box something is covered: letters lean out. */
const LEAN = 2;

/** @param {string} key */
async function reducedTab(key) {
  const id = sharing.all().find((tabId) => sharing.stateOf(tabId).key === key);
  if (id === undefined || sharing.stateOf(id).state !== "reduced") throw new Error("the tab is not shared, or not reduced");
  return chrome.tabs.get(id);
}

/**
 * Whether a site may be looked into by a script, since its user gave leave, or has
 * just clicked on our button there.
 *
 * @param {number} tabId
 * @param {number} limit
 */
async function sightOf(tabId, limit) {
  /** @type {{result?: import("./look.js").Sight}[]} */
  let got = [];
  try {
    got = await /** @type {any} */ (chrome.scripting).executeScript({ target: { tabId }, func: look, args: [limit] });
  } catch {
    throw new Error("its user has not given leave to look into this site by a script");
  }
  const sight = got[0]?.result;
  if (!sight) throw new Error("the page is too large to be looked at by a script");
  return sight;
}

/**
 * What a script tells of the tab's main document.
 *
 * @param {{tab: string, options?: {text?: number}}} request
 */
export async function read(request) {
  const tab = await reducedTab(request.tab);
  const asked = request.options?.text;
  const limit = Number.isSafeInteger(asked) ? Math.min(Math.max(0, Number(asked)), TEXT) : TEXT;
  const { covers, width, height, ...told } = await sightOf(/** @type {number} */ (tab.id), limit);
  await reducedTab(request.tab);
  return { documents: [told] };
}

/**
 * A picture of what the tab shows, which Chrome gives only of the tab in front. What
 * must not be seen, and all frames, is painted over before it leaves.
 *
 * @param {{tab: string}} request
 * @returns {Promise<{data: string}>} a PNG in base64
 */
export async function capture(request) {
  for (let i = 0; i < TRIES; i++) {
    const tab = await reducedTab(request.tab);
    const tabId = /** @type {number} */ (tab.id);
    if (!tab.active) throw new Error("the tab is not in front");
    const before = await sightOf(tabId, 0);
    const picture = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
    const after = await sightOf(tabId, 0);
    const now = await reducedTab(request.tab);
    if (!now.active || now.windowId !== tab.windowId || now.url !== tab.url) throw new Error("another tab came in front");
    if (JSON.stringify(before) === JSON.stringify(after)) return { data: await cover(picture, before) };
  }
  throw new Error("the page, or what must not be seen on it, keeps moving");
}

/**
 * @param {string} picture As a data: address.
 * @param {import("./look.js").Sight} sight
 */
async function cover(picture, sight) {
  const file = Uint8Array.from(atob(picture.slice(picture.indexOf(",") + 1)), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([file], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0);
  context.fillStyle = "#808080";
  const scale = image.width / sight.width;
  for (const [x, y, width, height] of sight.covers) {
    context.fillRect(Math.floor(x * scale) - LEAN, Math.floor(y * scale) - LEAN, Math.ceil(width * scale) + 2 * LEAN, Math.ceil(height * scale) + 2 * LEAN);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  let binary = "";
  const STEP = 0x8000;
  for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(binary);
}
