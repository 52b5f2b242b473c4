// The words of our pages: every string is in _locales.

/**
 * A message in the user's language.
 *
 * @param {string} name
 * @param {...string} values What stands for $1, $2…
 */
export function words(name, ...values) {
  return chrome.i18n.getMessage(name, values) || name;
}

/** Puts the words in place: of elements with data-words, and of labels with data-label. */
export function localize() {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  for (const el of document.querySelectorAll("[data-words]")) el.textContent = words(/** @type {HTMLElement} */ (el).dataset.words ?? "");
  for (const el of document.querySelectorAll("[data-label]")) el.setAttribute("aria-label", words(/** @type {HTMLElement} */ (el).dataset.label ?? ""));
}
