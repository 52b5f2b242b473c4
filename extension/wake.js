// What wakes a worker that went to sleep without a host, or was killed: an alarm of
// Chrome's, since whatever else could notice dies with the worker. Its pages and an
// offscreen document share its process, and Chrome switches an extension off whose
// offscreen document crashes; the host has no way to call.

/** The alarm's name. */
export const ALARM = "reconnect";

/**
 * How often it comes, minutes. While a host serves shared tabs it must be soon: an agent
 * waits. Chrome allows that to an extension that was loaded unpacked, and makes half a
 * minute of it for one from a store.
 */
const SOON = 0.05;

/** How often otherwise, minutes: what Chrome allows to all. */
const SELDOM = 0.5;

/** Changes of the alarm, one after the other. @type {Promise<void>} */
let work = Promise.resolve();

/** @type {number | undefined} */
let period;

/** @param {boolean} serving A host serves shared tabs. */
export function renew(serving) {
  const wanted = serving ? SOON : SELDOM;
  if (wanted === period) return;
  period = wanted;
  work = work.then(async () => {
    // One that is as it should be goes on: set anew it would come later.
    if ((await chrome.alarms.get(ALARM))?.periodInMinutes !== wanted) await chrome.alarms.create(ALARM, { periodInMinutes: wanted });
  });
}
