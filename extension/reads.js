// The log of what agents read, kept in this browser alone.

const KEY = "reads";

/** How many are kept. */
const KEPT = 200;

/** How long a word of the host may be, characters. */
const WORD = 200;

/**
 * @typedef {object} Read
 * @property {number} at ms since 1970
 * @property {string} agent
 * @property {string} tool
 * @property {string} what
 * @property {number} bytes
 * @property {number} ms
 * @property {string} outcome "ok", or a code
 */

/** @type {Read[]} */
let reads = [];

/** Loads the log. */
export async function load() {
  const stored = (await chrome.storage.local.get(KEY))[KEY];
  reads = Array.isArray(stored) ? /** @type {Read[]} */ (stored).slice(-KEPT) : [];
}

/** The reads, the newest last. */
export function all() {
  return reads;
}

/** @param {any} message As the host tells of a read. */
export function add(message) {
  /** @param {unknown} v */
  const word = (v) => (typeof v === "string" ? v : "").slice(0, WORD);
  /** @param {unknown} v */
  const number = (v) => (typeof v === "number" && Number.isFinite(v) ? v : 0);
  reads = [...reads, {
    at: number(message.at), agent: word(message.agent), tool: word(message.tool), what: word(message.what),
    bytes: number(message.bytes), ms: number(message.ms), outcome: word(message.outcome),
  }].slice(-KEPT);
  chrome.storage.local.set({ [KEY]: reads });
}

/** Empties the log. */
export function clear() {
  reads = [];
  chrome.storage.local.set({ [KEY]: reads });
}
