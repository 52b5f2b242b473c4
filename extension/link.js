// A page's connection to the worker, made again when the worker was ended.

/**
 * @typedef {object} Shown What a page is told.
 * @property {{condition: string, version: string, message: string}} host
 * @property {{id: number, name: string, version: string}[]} agents
 * @property {{tab: number, site: string, bySite: boolean, state: string, problem: string}[]} shares
 * @property {string[]} sites
 * @property {number} kept Of how many tabs something is kept, to share them again when Chrome brings them back.
 * @property {import("./reads.js").Read[]} reads
 */

/** When to connect again, ms: a worker that was ended is woken by that. */
const AGAIN = 300;

/** A Link is a page's connection. */
export class Link {
  /** @type {chrome.runtime.Port | undefined} */
  #port;
  #id = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #asked = new Map();

  /**
   * @param {string} name
   * @param {(state: Shown) => void} shown Called with what is so, again whenever it changes.
   * @param {() => void} [changed] Called when the outline may be another.
   */
  constructor(name, shown, changed = () => {}) {
    const connect = () => {
      const port = chrome.runtime.connect(chrome.runtime.id, { name });
      this.#port = port;
      port.onMessage.addListener((message) => {
        if (message.state) shown(message.state);
        if (message.changed) changed();
        if (message.answer) this.#take(message.answer);
      });
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        this.#port = undefined;
        for (const a of this.#asked.values()) a.reject(new Error("the worker has ended"));
        this.#asked.clear();
        setTimeout(connect, AGAIN);
      });
    };
    connect();
  }

  /**
   * Asks the worker.
   *
   * @param {string} what
   * @param {object} [more]
   * @returns {Promise<any>}
   */
  ask(what, more = {}) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      if (!this.#port) return reject(new Error("the worker has ended"));
      this.#asked.set(id, { resolve, reject });
      this.#port.postMessage({ ...more, ask: what, id });
    });
  }

  /** @param {{id: number, result?: any, error?: string}} answer */
  #take(answer) {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if (answer.error !== undefined) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.result);
  }
}
