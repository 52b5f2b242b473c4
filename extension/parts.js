// Messages that are too long for one frame of native messaging, in parts.

/** What Chrome takes to the host is at most 64 MB; this many UTF-16 units are at most 24 MB of it. */
const PART_UNITS = 8_000_000;

/** How long a message from the host may be, all parts together, in UTF-16 units. */
const JOINED_UNITS = 16 * 1024 * 1024;

/** How many messages may be on their way in parts at a time. */
const UNDER_WAY = 8;

/**
 * @typedef {object} Part
 * @property {"part"} kind
 * @property {number} of Which message it belongs to.
 * @property {boolean} last
 * @property {string} text
 */

let number = 0;

/**
 * The frames that carry a message: the message itself, or its parts.
 *
 * @param {{kind: string}} message
 * @param {number} [units] How long a part may be.
 * @returns {object[]}
 */
export function cut(message, units = PART_UNITS) {
  const text = JSON.stringify(message);
  if (text.length <= units) return [message];
  const of = ++number;
  const parts = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + units, text.length);
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end--;
    parts.push({ kind: "part", of, last: end === text.length, text: text.slice(at, end) });
    at = end;
  }
  return parts;
}

/** @param {number} unit */
function isHigh(unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** A Joiner puts the parts of one connection's messages together again. */
export class Joiner {
  /** @type {Map<number, string>} */
  #open = new Map();

  /**
   * Takes a part and gives the message that it completes, or undefined.
   *
   * @param {Part} part
   * @returns {any}
   * @throws {Error} where the parts are too many or too long, or are no message
   */
  join(part) {
    const text = (this.#open.get(part.of) ?? "") + part.text;
    if (text.length > JOINED_UNITS) throw new Error("a message in parts is too long");
    if (!part.last) {
      this.#open.set(part.of, text);
      if (this.#open.size > UNDER_WAY) throw new Error("too many messages in parts");
      return undefined;
    }
    this.#open.delete(part.of);
    const message = JSON.parse(text);
    if (message?.kind === "part") throw new Error("a part of parts");
    return message;
  }
}
