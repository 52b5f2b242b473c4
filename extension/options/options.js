// The options: the sites that are always shared, and what is kept of tabs that may come
// back, to see and to clear.

import { Link } from "../link.js";
import { localize, words } from "../localize.js";

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

localize();
document.title = words("optionsTitle");

/** @type {string[]} */
let sites = [];

const link = new Link("options", (state) => {
  showKept(state.kept);
  if (document.body.dataset.ready && sites.join("\n") === state.sites.join("\n")) return;
  sites = state.sites;
  show();
});

part("all").addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  link.ask("forgetSites");
  part("done").textContent = words("optionsForgotAll");
  part("title").focus();
});

part("pass").addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  link.ask("letPass");
  part("passed").textContent = words("optionsPassed");
  part("kept-title").focus();
});

/** @param {number} count How many tabs something is kept of. */
function showKept(count) {
  const text = count === 0 ? words("optionsKeptNone") : count === 1 ? words("optionsKeptOne") : words("optionsKeptMany", String(count));
  if (part("kept").textContent !== text) part("kept").textContent = text;
  part("pass").hidden = count === 0;
}

function show() {
  const held = document.activeElement?.getAttribute("data-index");
  part("sites").replaceChildren(...sites.map(line));
  part("sites").hidden = sites.length === 0;
  part("none").hidden = sites.length > 0;
  part("all").hidden = sites.length === 0;
  // The keyboard stays where it was in the list, which is one entry shorter.
  if (held !== null && held !== undefined) {
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#sites button"));
    (buttons[Math.min(Number(held), buttons.length - 1)] ?? part("title")).focus();
  }
  document.body.dataset.ready = "yes";
}

/**
 * @param {string} site
 * @param {number} index
 */
function line(site, index) {
  const entry = document.createElement("li");
  const name = document.createElement("span");
  name.textContent = site;
  const button = document.createElement("button");
  button.textContent = words("optionsForget");
  button.setAttribute("aria-label", words("optionsForgetSite", site));
  button.dataset.index = String(index);
  button.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    link.ask("forgetSite", { site });
    part("done").textContent = words("optionsForgot", site);
  });
  entry.append(name, button);
  return entry;
}
