// What a site is: the part of an address that the user agrees to share.

/**
 * The site of an address: its origin (scheme, host and port), so that a subdomain or
 * another port is another site. A file's is its folder; of what has no origin
 * (about:blank, data:, chrome://…) it is the address up to where the page begins.
 * Empty where there is no address.
 *
 * @param {string | undefined} address
 * @returns {string}
 */
export function siteOf(address) {
  if (!address) return "";
  let url;
  try {
    url = new URL(address);
  } catch {
    return address;
  }
  if (url.protocol === "file:") return address.slice(0, address.split(/[?#]/)[0].lastIndexOf("/") + 1);
  if (url.origin !== "null") return url.origin;
  if (url.host) return `${url.protocol}//${url.host}`;
  return url.protocol === "data:" || url.protocol === "view-source:" ? url.protocol : address;
}

/**
 * Whether a site may be shared always: one with a name that keeps its meaning.
 *
 * @param {string} site
 */
export function isLasting(site) {
  return /^(https?:\/\/|file:\/\/)/.test(site);
}
