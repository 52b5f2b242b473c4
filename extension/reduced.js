// What can be had of a tab that the debugger may not attach to, since another
// extension has a frame in it: what our script tells of its main document, and a
// picture of what is in front. The script is the same that the host brings into
// other pages, and stands beside this file once the extension is installed.

import * as sharing from "./sharing.js";

const SCRIPT = "world.js";

/** The functions of the script that the host may call: reads. */
const functions = new Set(["alone"]);

/** How often a picture is taken while what must not be seen moves. */
const TRIES = 3;

/** By how many pixels more than its box something is covered: letters lean out. */
const LEAN = 2;

/** Numbers the pictures. */
let pictures = 0;

/** @param {string} key */
async function reducedTab(key) {
  const id = sharing.all().find((tabId) => sharing.stateOf(tabId).key === key);
  if (id === undefined || sharing.stateOf(id).state !== "reduced") throw new Error("the tab is not shared, or not reduced");
  return chrome.tabs.get(id);
}

/**
 * Calls a function of our script in a tab's main document. Chrome allows it where the
 * user gave leave for the site, or has just clicked on our button there.
 *
 * @param {chrome.tabs.Tab} tab
 * @param {string} name
 * @param {unknown} argument
 * @returns {Promise<any>}
 */
async function call(tab, name, argument) {
  const scripting = /** @type {any} */ (chrome.scripting);
  const target = { tabId: tab.id };
  try {
    await scripting.executeScript({ target, files: [SCRIPT] });
  } catch (error) {
    throw new Error(/load file/i.test(String(error)) ? "the extension was not installed whole" : "its user has not given leave to look into this site by a script");
  }
  /** @type {{result?: unknown}[]} */
  const got = await scripting.executeScript({
    target,
    func: (/** @type {string} */ name, /** @type {unknown} */ argument) => /** @type {any} */ (globalThis).webarea[name](argument),
    args: [name, argument ?? null],
  });
  return got[0]?.result;
}

/**
 * What a function of our script says.
 *
 * @param {{tab: string, function?: string, argument?: unknown}} request
 * @returns {Promise<{value: unknown}>}
 */
export async function read(request) {
  const name = request.function ?? "";
  if (!functions.has(name)) throw new Error(`${name} may not be called`);
  const value = await call(await reducedTab(request.tab), name, request.argument);
  // It may have been unshared meanwhile.
  await reducedTab(request.tab);
  return { value };
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
    if (!tab.active) throw new Error("the tab is not in front");
    const number = ++pictures;
    const view = await call(tab, "viewport", null);
    const before = await call(tab, "hiddenBoxes", { begin: number });
    const picture = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
    const after = await call(tab, "hiddenBoxes", { end: number });
    const still = await call(tab, "viewport", null);
    const now = await reducedTab(request.tab);
    if (!now.active || now.windowId !== tab.windowId || now.url !== tab.url) throw new Error("another tab came in front");
    if (!after.moved && same(before.boxes, after.boxes) && same(place(view), place(still)) && view.scale === 1) return { data: await cover(picture, before.boxes, view.width) };
  }
  throw new Error("the page, or what must not be seen on it, keeps moving");
}

/** @param {any} view What must not change while a picture is taken. */
function place(view) {
  return [view.width, view.height, view.scale, view.scrollX, view.scrollY];
}

/** @param {unknown} a @param {unknown} b */
function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * @param {string} picture As a data: address.
 * @param {number[][]} boxes Left, top, right, bottom; CSS px.
 * @param {number} width The picture's, CSS px.
 */
async function cover(picture, boxes, width) {
  const file = Uint8Array.from(atob(picture.slice(picture.indexOf(",") + 1)), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([file], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0);
  context.fillStyle = "#808080";
  const scale = image.width / width;
  for (const [left, top, right, bottom] of boxes) {
    const x = Math.floor(left * scale) - LEAN, y = Math.floor(top * scale) - LEAN;
    context.fillRect(x, y, Math.ceil(right * scale) + LEAN - x, Math.ceil(bottom * scale) + LEAN - y);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  let binary = "";
  const STEP = 0x8000;
  for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(binary);
}
