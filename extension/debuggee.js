// The debugger on shared tabs: attached from share to unshare, commands in and events
// out. It decides nothing about sharing; it attaches to what it is told to.

import { passes, refusal } from "./allow.js";

/** The protocol version that Chrome asks for; all of 1.x answer to it. */
const PROTOCOL = "1.3";

/** Chrome's code for a command that failed, and for one of a session that is not there. */
const FAILED = -32000;
const NO_SESSION = -32001;

/** When to try again to attach, ms: soon, since another extension's frame may be gone at once, then ever more seldom. */
const RETRY_FIRST = 2_000;
const RETRY_MOST = 30_000;

/**
 * How long after being thrown off to try again, ms: Chrome throws us off just before
 * another extension's frame comes, and would take us back in the moment between.
 */
const RENEW = 500;

/** How long a page may take to say what it is before it is told without that, ms. */
const FIRST_LOOK = 300;

/** How long Chrome may take to tell a tab's history, ms: it does so without the page. Meanwhile nobody else can attach to the tab. */
const HISTORY = 2_000;

/**
 * @typedef {"attaching" | "attached" | "reduced" | "unreachable"} State
 *
 * @typedef {object} Debuggee
 * @property {number} tabId
 * @property {string} key Names this one attachment to the host; never used again.
 * @property {State} state
 * @property {string} problem One of the words of the relay, or "".
 * @property {boolean} ended No answer or event may leave any more.
 * @property {Map<string, Set<number>>} sessions The worlds of ours in each session; "" is the page's own.
 * @property {number} retry When to try again, ms; 0: not at all.
 * @property {ReturnType<typeof setTimeout> | undefined} timer
 * @property {boolean} pdf It shows Chrome's PDF viewer.
 * @property {boolean} trying It is about to be attached.
 *
 * @typedef {object} Owner
 * @property {(key: string, message: object) => void} said A message of a tab for the host.
 * @property {(tabId: number) => void} changed Its state is another.
 * @property {(key: string, reason: string) => void} ended A key has ended.
 * @property {(tabId: number, address: string) => boolean} stays Whether a tab that shows this address may be seen still; called before anybody is told of it.
 * @property {(tabId: number) => void} thrown The browser detached us although the tab may live.
 * @property {() => void} canceled The user closed Chrome's bar.
 */

/** @type {Map<number, Debuggee>} */
const debuggees = new Map();

/** Attaching and detaching, one after the other, by tab. @type {Map<number, Promise<void>>} */
const working = new Map();

/** @type {Owner} */
let owner;

/** The last serial of a key: the time, so that a worker that starts again uses none twice. */
let serial = 0;

/** @param {Owner} o */
export function serve(o) {
  owner = o;
}

/** @param {number} tabId */
function newKey(tabId) {
  serial = Math.max(serial + 1, Date.now());
  return `${tabId}.${serial}`;
}

/**
 * A tab's debuggee, or undefined where nobody wants one.
 *
 * @param {number} tabId
 */
export function of(tabId) {
  return debuggees.get(tabId);
}

/**
 * Has a tab attached, and kept so. Asking again changes nothing, but tries at once
 * where it did not work out before.
 *
 * @param {number} tabId
 * @param {boolean} [again] Try now where it did not work out.
 */
export function want(tabId, again = false) {
  const d = debuggees.get(tabId) ?? make(tabId);
  if (d.trying || d.timer !== undefined && !again || d.state === "attached") return;
  clearTimeout(d.timer);
  d.timer = undefined;
  attach(d);
}

/** @param {number} tabId */
function make(tabId) {
  /** @type {Debuggee} */
  const d = { tabId, key: newKey(tabId), state: "attaching", problem: "", ended: false, sessions: new Map(), retry: RETRY_FIRST, timer: undefined, pdf: false, trying: false };
  debuggees.set(tabId, d);
  return d;
}

/**
 * Ends a tab's attachment at once: nothing of it leaves from here on.
 *
 * @param {number} tabId
 * @param {string} reason
 */
export function drop(tabId, reason) {
  const d = debuggees.get(tabId);
  if (!d) return;
  debuggees.delete(tabId);
  d.ended = true;
  clearTimeout(d.timer);
  owner.ended(d.key, reason);
  inTurn(tabId, () => detach(tabId));
}

/**
 * Ends all attachments.
 *
 * @param {string} reason
 */
export function dropAll(reason) {
  for (const tabId of [...debuggees.keys()]) drop(tabId, reason);
}

/**
 * Attaching and detaching of one tab follow each other.
 *
 * @param {number} tabId
 * @param {() => Promise<void>} act
 */
function inTurn(tabId, act) {
  const work = (working.get(tabId) ?? Promise.resolve()).then(act);
  working.set(tabId, work);
  work.finally(() => {
    if (working.get(tabId) === work) working.delete(tabId);
  });
  return work;
}

/** @param {number} tabId */
async function detach(tabId) {
  try {
    await chrome.debugger.detach({ tabId });
  } catch {
    // There was none, or the tab has gone.
  }
}

/** How Chrome says that it came to an entry of a tab's history that it restored. A page that loads itself anew has none such. */
const RESTORED = "reload";

/**
 * Whether Chrome brought a tab back, which its history tells: asked for by the command
 * line, by a link or by its user it says another thing. The page is not looked at.
 *
 * @param {number} tabId One that nobody has attached.
 * @returns {Promise<boolean>} false also where it cannot be known
 */
export async function wasRestored(tabId) {
  let yes = false;
  await inTurn(tabId, async () => {
    if (debuggees.has(tabId)) return;
    const target = { tabId };
    try {
      await chrome.debugger.attach(target, PROTOCOL);
    } catch {
      return;
    }
    try {
      const late = new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), HISTORY));
      const history = /** @type {any} */ (await Promise.race([chrome.debugger.sendCommand(target, "Page.getNavigationHistory"), late]));
      yes = history.entries.length > 0 && history.entries.every((/** @type {any} */ e) => e.transitionType === RESTORED);
    } catch {
      // The tab has gone, or its browser does not say.
    }
    if (!debuggees.has(tabId)) await detach(tabId);
  });
  return yes;
}

/** @param {Debuggee} d */
function attach(d) {
  d.trying = true;
  inTurn(d.tabId, async () => {
    await tryToAttach(d);
    d.trying = false;
  });
}

/** @param {Debuggee} d */
async function tryToAttach(d) {
  if (d.ended) return;
  // A worker that was killed leaves its debugger attached.
  await detach(d.tabId);
  try {
    await chrome.debugger.attach({ tabId: d.tabId }, PROTOCOL);
  } catch (error) {
    if (!d.ended) refused(d, problemOf(String(error)));
    return;
  }
  if (d.ended) return;
  d.sessions = new Map([["", new Set()]]);
  let tab;
  try {
    tab = await chrome.tabs.get(d.tabId);
  } catch {
    // It has gone, which is told by itself.
    return;
  }
  if (d.ended || !owner.stays(d.tabId, tab.url ?? "")) return;
  const looked = firstLook(d);
  // A page whose script is busy does not answer now; that is for the host to tell.
  await Promise.race([looked, new Promise((done) => setTimeout(done, FIRST_LOOK))]);
  if (d.ended) return;
  d.retry = RETRY_FIRST;
  settle(d, "attached", d.pdf ? "pdf_viewer" : "");
}

/**
 * Has navigations told from now on, and sees where the page is. What is sent to the
 * page later is answered later: nothing of another site leaves.
 *
 * @param {Debuggee} d
 */
async function firstLook(d) {
  try {
    const target = { tabId: d.tabId };
    const [, tree] = await Promise.all([chrome.debugger.sendCommand(target, "Page.enable"), chrome.debugger.sendCommand(target, "Page.getFrameTree")]);
    const frame = /** @type {any} */ (tree)?.frameTree?.frame;
    if (!frame || d.ended || !owner.stays(d.tabId, addressOf(frame))) return;
    d.pdf = isPDF(frame);
    if (d.state === "attached" && d.pdf) settle(d, "attached", "pdf_viewer");
  } catch {
    // It is told of by the event that throws us off, or by the commands to come.
  }
}

/**
 * Notes why a tab could not be attached, and tries again where that may pass.
 *
 * @param {Debuggee} d
 * @param {string} problem
 */
function refused(d, problem) {
  settle(d, problem === "other_extension_frame" ? "reduced" : "unreachable", problem);
  if (problem === "restricted_page" || problem === "file_access") return;
  d.timer = setTimeout(() => want(d.tabId, true), d.retry);
  d.retry = Math.min(d.retry * 2, RETRY_MOST);
}

/**
 * @param {Debuggee} d
 * @param {State} state
 * @param {string} problem
 */
function settle(d, state, problem) {
  if (d.state === state && d.problem === problem) return;
  d.state = state;
  d.problem = problem;
  owner.changed(d.tabId);
}

/** What Chrome says where it refuses to attach. @type {[RegExp, string][]} */
const refusals = [
  [/extension:\/\/ URL of different extension/, "other_extension_frame"],
  [/file URL|file:\/\//i, "file_access"],
  [/Cannot access|cannot be scripted|Cannot attach/i, "restricted_page"],
];

/** @param {string} message */
function problemOf(message) {
  return refusals.find(([pattern]) => pattern.test(message))?.[1] ?? "debugger_busy";
}

/** @param {any} frame As Page tells of a main frame. */
function addressOf(frame) {
  return frame.unreachableUrl || frame.url || "";
}

/** @param {any} frame */
function isPDF(frame) {
  return frame?.mimeType === "application/pdf";
}

/**
 * Takes a command of the host to a tab. An answer goes to the owner, also where it is
 * refused; none where the tab has ended meanwhile.
 *
 * @param {string} key
 * @param {{id: number, method: string, params?: Record<string, unknown>, sessionId?: string}} m
 */
export async function send(key, m) {
  /** @param {object} body */
  const answer = (body) => owner.said(key, m.sessionId ? { id: m.id, sessionId: m.sessionId, ...body } : { id: m.id, ...body });
  const d = [...debuggees.values()].find((d) => d.key === key);
  if (!d || d.state !== "attached") {
    answer({ error: { code: FAILED, message: "the tab is not shared" } });
    return;
  }
  const contexts = d.sessions.get(m.sessionId ?? "");
  if (!contexts) {
    answer({ error: { code: NO_SESSION, message: "there is no such session" } });
    return;
  }
  const why = refusal(m.method, m.params, contexts);
  if (why) {
    answer({ error: { code: FAILED, message: why } });
    return;
  }
  const target = m.sessionId ? { tabId: d.tabId, sessionId: m.sessionId } : { tabId: d.tabId };
  try {
    const result = /** @type {any} */ (await chrome.debugger.sendCommand(target, m.method, m.params));
    if (m.method === "Page.createIsolatedWorld" && Number.isSafeInteger(result?.executionContextId)) contexts.add(result.executionContextId);
    if (!d.ended && d.key === key) answer({ result: result ?? {} });
  } catch (error) {
    if (!d.ended && d.key === key) answer({ error: failure(error) });
  }
}

/**
 * The error that Chrome's message holds as JSON, or the message.
 *
 * @param {unknown} error
 */
function failure(error) {
  const message = error instanceof Error ? error.message : String(error);
  try {
    const told = JSON.parse(message);
    if (typeof told.code === "number" && typeof told.message === "string") return { code: told.code, message: told.message };
  } catch {
    // It is plain words.
  }
  return { code: FAILED, message };
}

/**
 * Takes an event of chrome.debugger.
 *
 * @param {chrome.debugger.DebuggerSession} source
 * @param {string} method
 * @param {any} params
 */
export function heard(source, method, params) {
  const d = debuggees.get(source.tabId ?? -1);
  const session = source.sessionId ?? "";
  if (!d || d.ended || !d.sessions.has(session)) return;
  switch (method) {
    case "Target.attachedToTarget":
      if (passes(method, params)) d.sessions.set(params.sessionId, new Set());
      break;
    case "Target.detachedFromTarget":
      d.sessions.delete(params.sessionId);
      break;
    case "Inspector.targetCrashed":
      if (session === "") settle(d, d.state, "tab_crashed");
      break;
    case "Page.frameNavigated":
      // Another process counts its worlds from 1 again.
      if (!params.frame.parentId || session !== "") d.sessions.get(session)?.clear();
      if (session !== "" || params.frame.parentId) break;
      if (!owner.stays(d.tabId, addressOf(params.frame))) return;
      if (d.state === "attached") settle(d, "attached", isPDF(params.frame) ? "pdf_viewer" : "");
      break;
  }
  if (d.state === "attached" && passes(method, params)) {
    owner.said(d.key, session ? { method, params, sessionId: session } : { method, params });
  }
}

/**
 * Takes the news that the browser detached us.
 *
 * @param {chrome.debugger.Debuggee} source
 * @param {string} reason
 */
export function thrown(source, reason) {
  if (reason === "canceled_by_user") {
    owner.canceled();
    return;
  }
  const d = debuggees.get(source.tabId ?? -1);
  if (d) owner.thrown(d.tabId);
}

/**
 * Begins again with a tab whose debugger was thrown off: its key has ended.
 *
 * @param {number} tabId
 * @param {string} reason
 */
export function renew(tabId, reason) {
  const d = debuggees.get(tabId);
  if (!d) return;
  drop(tabId, reason);
  const next = make(tabId);
  next.timer = setTimeout(() => want(tabId, true), RENEW);
  owner.changed(tabId);
}
