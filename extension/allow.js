// Which commands may reach a shared page, and with which parameters: reads only, and
// no script outside our isolated world. Also which of its events are passed on.

/** The isolated world that is ours, in which alone scripts may run. */
const WORLD = "webarea";

/** The only functions of ours that a page's worlds may be given. */
const BINDINGS = ["webareaChanged", "webareaRecords"];

/**
 * A Check judges one parameter; it is asked about an absent one too. contexts are the
 * ids of the session's worlds that are ours.
 *
 * @typedef {(value: any, contexts: Set<number>) => boolean} Check
 */

/** @type {Check} */
const text = (v) => typeof v === "string";
/** @type {Check} */
const whole = (v) => Number.isSafeInteger(v);
/** @type {Check} */
const flag = (v) => typeof v === "boolean";
/** @type {Check} */
const anything = () => true;
/** @type {(check: Check) => Check} */
const maybe = (check) => (v, contexts) => v === undefined || check(v, contexts);
/** @type {(wanted: unknown) => Check} */
const is = (wanted) => (v) => v === wanted;

/** @type {Check} */
const isBinding = (v) => BINDINGS.includes(v);

/** Of what is in a page only its frames are attached to: no worker, no other page. @type {Check} */
const framesOnly = (v) =>
  Array.isArray(v) && v.length === 2 && v[0]?.type === "iframe" && v[0].exclude === false && v[1]?.exclude === true && v[1].type === undefined;

/** @type {Check} */
const ourGroup = (v) => typeof v === "string" && /^webarea(\.\d+)?$/.test(v);

/** @type {Check} */
const ourContext = (v, contexts) => whole(v, contexts) && contexts.has(v);

/** An object's id is "<isolate>.<context>.<number>". @type {Check} */
const ourObject = (v, contexts) => {
  const parts = /^-?\d+\.(\d+)\.\d+$/.exec(text(v, contexts) ? v : "");
  return parts !== null && contexts.has(Number(parts[1]));
};

/** @type {Check} */
const ourArguments = (v, contexts) =>
  Array.isArray(v) && v.every((a) => {
    if (typeof a !== "object" || a === null) return false;
    const keys = Object.keys(a);
    return keys.every((k) => k === "value" || k === "objectId") && (a.objectId === undefined || ourObject(a.objectId, contexts));
  });

/**
 * The commands and, of each, all the parameters that it may have.
 *
 * @type {Record<string, Record<string, Check>>}
 */
const commands = {
  "Page.enable": {},
  "Page.getFrameTree": {},
  "Page.getLayoutMetrics": {},
  "Page.captureScreenshot": {
    format: maybe(text), quality: maybe(whole), clip: maybe(anything), captureBeyondViewport: maybe(flag), optimizeForSpeed: maybe(flag), fromSurface: maybe(flag),
  },
  "Page.createIsolatedWorld": { frameId: text, worldName: is(WORLD) },
  "Page.addScriptToEvaluateOnNewDocument": { source: text, worldName: is(WORLD), runImmediately: maybe(flag) },
  "Page.removeScriptToEvaluateOnNewDocument": { identifier: text },
  "Inspector.enable": {},
  "Target.setAutoAttach": {
    autoAttach: flag, waitForDebuggerOnStart: flag, flatten: is(true), filter: framesOnly,
  },
  "Runtime.evaluate": { expression: text, contextId: ourContext, returnByValue: maybe(flag), objectGroup: maybe(ourGroup), serializationOptions: maybe(anything) },
  "Runtime.callFunctionOn": {
    functionDeclaration: text, executionContextId: maybe(ourContext), objectId: maybe(ourObject), arguments: maybe(ourArguments),
    returnByValue: maybe(flag), objectGroup: maybe(ourGroup), serializationOptions: maybe(anything),
  },
  "Runtime.releaseObjectGroup": { objectGroup: ourGroup },
  "Runtime.addBinding": { name: isBinding, executionContextName: is(WORLD) },
  "Runtime.runIfWaitingForDebugger": {},
  "DOM.enable": {},
  "DOM.disable": {},
  "DOM.getFrameOwner": { frameId: text },
  "DOM.describeNode": { backendNodeId: whole, depth: maybe(whole), pierce: maybe(flag) },
  "DOM.getContentQuads": { backendNodeId: whole },
  "DOM.resolveNode": { backendNodeId: whole, executionContextId: ourContext, objectGroup: maybe(ourGroup) },
  "Accessibility.enable": {},
  "Accessibility.disable": {},
  "Accessibility.getFullAXTree": { frameId: maybe(text), depth: maybe(whole) },
  "Accessibility.getPartialAXTree": { backendNodeId: whole, fetchRelatives: maybe(flag) },
  "Overlay.enable": {},
  "Overlay.disable": {},
  "Overlay.highlightRect": { x: whole, y: whole, width: whole, height: whole, color: maybe(anything), outlineColor: maybe(anything) },
  "Overlay.highlightQuad": { quad: anything, color: maybe(anything), outlineColor: maybe(anything) },
  "Overlay.hideHighlight": {},
};

/** What a call needs besides: exactly one of two parameters. @type {Record<string, [string, string]>} */
const eithers = { "Runtime.callFunctionOn": ["executionContextId", "objectId"] };

/** The events that are passed on, each with what it must say. @type {Record<string, (params: any) => boolean>} */
const events = {
  "Page.frameAttached": () => true,
  "Page.frameNavigated": () => true,
  "Page.frameDetached": () => true,
  "Page.navigatedWithinDocument": () => true,
  "Page.domContentEventFired": () => true,
  "Page.loadEventFired": () => true,
  "Page.javascriptDialogOpening": () => true,
  "Page.javascriptDialogClosed": () => true,
  "Inspector.targetCrashed": () => true,
  "Inspector.targetReloadedAfterCrash": () => true,
  "Target.attachedToTarget": (params) => params?.targetInfo?.type === "iframe",
  "Target.detachedFromTarget": () => true,
  "Runtime.bindingCalled": (params) => isBinding(params?.name, new Set()),
};

/**
 * Why a command may not reach the page, or "" where it may.
 *
 * @param {string} method
 * @param {Record<string, unknown> | undefined} params
 * @param {Set<number>} contexts The session's worlds that are ours.
 * @returns {string}
 */
export function refusal(method, params, contexts) {
  if (!Object.hasOwn(commands, method)) return `${method} is not allowed`;
  const checks = commands[method];
  const given = params ?? {};
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(checks, name)) return `${method} may not have ${name}`;
  }
  for (const [name, check] of Object.entries(checks)) {
    if (!check(given[name], contexts)) return `${method} may not have this ${name}`;
  }
  const either = Object.hasOwn(eithers, method) ? eithers[method] : undefined;
  if (either && (given[either[0]] === undefined) === (given[either[1]] === undefined)) return `${method} needs ${either[0]} or ${either[1]}`;
  return "";
}

/**
 * Whether an event is passed on.
 *
 * @param {string} method
 * @param {unknown} params
 */
export function passes(method, params) {
  return Object.hasOwn(events, method) && events[method](params);
}
