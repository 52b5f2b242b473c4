// The connection to the host: Chrome starts it, we greet it, and messages go both
// ways until either ends. Then we try again, ever more seldom.

import { Joiner, cut } from "./parts.js";

const HOST = "com.webarea.host";
const PROTOCOL = 1;

/** How long the host may take to greet, ms: it has only to start. */
const GREETING = 15_000;

/** When to try again, ms. */
const RETRY_FIRST = 500;
const RETRY_MOST = 30_000;

/** How long an answer of the host may take, ms. */
const PATIENCE = 15_000;

/**
 * @typedef {"connecting" | "connected" | "missing" | "forbidden" | "ended" | "refused"} Condition
 *
 * @typedef {object} Status
 * @property {Condition} condition
 * @property {string} version The host's, "" where it is not known.
 * @property {string} message What it said when it refused.
 *
 * @typedef {object} Owner
 * @property {() => void} opened The host has greeted.
 * @property {() => void} closed It has gone.
 * @property {() => void} changed The status is another.
 * @property {(key: string, m: any) => void} cdp A command for a tab.
 * @property {(what: string, message: any) => Promise<object>} request What the host asks of us.
 * @property {(message: any) => void} told Anything else that it says.
 */

/** @type {Owner} */
let owner;

/** @type {chrome.runtime.Port | undefined} */
let port;

let joiner = new Joiner();
let attempts = 0;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let greeting;

/** @type {Status} */
let status = { condition: "connecting", version: "", message: "" };

/** The questions that wait for the host. @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
const questions = new Map();
let question = 0;

/** @param {Owner} o */
export function serve(o) {
  owner = o;
}

/** The status of now. */
export function now() {
  return status;
}

/** Whether the host is there and has greeted. */
export function isOpen() {
  return status.condition === "connected";
}

/** Connects, where there is no connection: there is never a second host. */
export async function connect() {
  if (port) return;
  clearTimeout(retry);
  joiner = new Joiner();
  const p = chrome.runtime.connectNative(HOST);
  port = p;
  p.onMessage.addListener((message) => {
    if (port === p) take(p, message);
  });
  p.onDisconnect.addListener(() => {
    const error = chrome.runtime.lastError?.message ?? "";
    if (port === p) lost(error);
  });
  greeting = setTimeout(() => {
    if (port === p && !isOpen()) end(p, "the host did not greet");
  }, GREETING);
  const browser = await browserName();
  if (port === p) p.postMessage({ kind: "hello", protocol: PROTOCOL, extension: chrome.runtime.getManifest().version, browser });
}

/** The browser's name and version: the most particular of those that it gives itself. */
async function browserName() {
  const data = /** @type {any} */ (navigator).userAgentData;
  /** @type {{brand: string, version: string}[]} */
  const brands = (await data?.getHighEntropyValues(["fullVersionList"]))?.fullVersionList ?? [];
  const named = brands.filter((b) => !/not.*brand/i.test(b.brand));
  const best = named.find((b) => b.brand !== "Chromium") ?? named[0];
  return { name: best?.brand ?? "Chromium", version: best?.version ?? "" };
}

/**
 * Says something to the host, where there is one.
 *
 * @param {{kind: string}} message
 */
export function say(message) {
  if (!port || !isOpen()) return;
  for (const frame of cut(message)) port.postMessage(frame);
}

/**
 * Asks the host, for one of our own pages.
 *
 * @param {string} what
 * @param {object} [more]
 * @returns {Promise<any>}
 */
export function ask(what, more = {}) {
  if (!isOpen()) return Promise.reject(new Error("the host is not there"));
  const id = ++question;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(new Error("the host does not answer")), PATIENCE);
    /** @param {Error} error */
    const settle = (error) => {
      questions.delete(id);
      reject(error);
    };
    questions.set(id, {
      resolve: (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      reject: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
    say(/** @type {any} */ ({ ...more, kind: "ask", id, what }));
  });
}

/** @typedef {(message: any) => boolean} Shape */

/** @param {any} v */
const isObject = (v) => typeof v === "object" && v !== null;

/** What each message that we know looks like. @type {Record<string, Shape>} */
const shapes = {
  part: (m) => Number.isSafeInteger(m.of) && typeof m.last === "boolean" && typeof m.text === "string",
  welcome: (m) => m.protocol === PROTOCOL && typeof m.version === "string",
  refused: (m) => typeof m.code === "string",
  cdp: (m) => typeof m.tab === "string" && isObject(m.m) && Number.isSafeInteger(m.m.id) && typeof m.m.method === "string",
  request: (m) => Number.isSafeInteger(m.id) && typeof m.what === "string",
  answer: (m) => Number.isSafeInteger(m.id) && (isObject(m.result) || isObject(m.error)),
  agents: (m) => Array.isArray(m.agents),
  read: (m) => Number.isFinite(m.at) && typeof m.agent === "string" && typeof m.tool === "string",
  changed: () => true,
};

/**
 * @param {chrome.runtime.Port} p
 * @param {any} message
 */
function take(p, message) {
  if (!isObject(message)) return end(p, "a message is no object");
  if (!Object.hasOwn(shapes, message.kind)) return;
  if (!shapes[message.kind](message)) return end(p, `a message "${message.kind}" of wrong shape`);
  switch (message.kind) {
    case "part":
      try {
        const whole = joiner.join(message);
        if (whole !== undefined) take(p, whole);
      } catch (error) {
        end(p, String(error));
      }
      return;
    case "welcome":
      if (isOpen()) return;
      clearTimeout(greeting);
      attempts = 0;
      set({ condition: "connected", version: message.version, message: "" });
      owner.opened();
      return;
    case "refused":
      set({ condition: "refused", version: "", message: String(message.message ?? message.code) });
      return;
  }
  if (!isOpen()) return;
  switch (message.kind) {
    case "cdp":
      owner.cdp(message.tab, message.m);
      return;
    case "request":
      answer(message);
      return;
    case "answer": {
      const q = questions.get(message.id);
      questions.delete(message.id);
      if (message.error) q?.reject(new Error(String(message.error.message ?? "")));
      else q?.resolve(message.result);
      return;
    }
    default:
      owner.told(message);
  }
}

/** @param {{id: number, what: string}} request */
async function answer(request) {
  try {
    say(/** @type {any} */ ({ kind: "answer", id: request.id, result: await owner.request(request.what, request) }));
  } catch (error) {
    say(/** @type {any} */ ({ kind: "answer", id: request.id, error: { code: "failed", message: error instanceof Error ? error.message : String(error) } }));
  }
}

/**
 * Ends a connection that went wrong.
 *
 * @param {chrome.runtime.Port} p
 * @param {string} why
 */
function end(p, why) {
  console.warn(`webarea: ending the connection to the host: ${why}`);
  p.disconnect();
  lost("");
}

/** What Chrome says of a host that could not be started. @type {[RegExp, Condition][]} */
const failures = [
  [/not found/i, "missing"],
  [/forbidden/i, "forbidden"],
];

/** @param {string} error */
function lost(error) {
  const was = isOpen();
  port = undefined;
  clearTimeout(greeting);
  for (const q of questions.values()) q.reject(new Error("the host has gone"));
  questions.clear();
  const condition = failures.find(([pattern]) => pattern.test(error))?.[1] ?? "ended";
  if (status.condition !== "refused" || condition !== "ended") set({ condition, version: "", message: "" });
  if (was) owner.closed();
  const wait = Math.min(RETRY_FIRST * 2 ** attempts, RETRY_MOST);
  attempts++;
  retry = setTimeout(connect, wait);
}

/** @param {Status} s */
function set(s) {
  status = s;
  owner.changed();
}
