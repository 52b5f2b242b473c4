// The part of our script that is in every document from its start. It only
// remembers which fields were password fields, so that one that is shown as text
// before anybody reads the page is still known to hold a secret, and where the
// pointer was last, and when. It is short, since a page may have thousands of frames;
// the rest comes with the first read.
(() => {
  "use strict";
  // A page's element with such an id is a property of the window too, not its own.
  if (Object.hasOwn(globalThis, "webareaEarly")) return;
  const everSecret = new WeakSet(), watched = new WeakSet();
  const types = new MutationObserver((records) => {
    for (const r of records) if ((r.oldValue || "").toLowerCase() === "password") everSecret.add(r.target);
  });
  const all = Function.prototype.call.bind(Document.prototype.querySelectorAll);
  const allIn = Function.prototype.call.bind(DocumentFragment.prototype.querySelectorAll);
  const rootOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get);
  const query = (root, css) => (root === document ? all(root, css) : allIn(root, css));

  // noteSecrets remembers what is a password field now.
  function noteSecrets(root) { for (const el of query(root, 'input[type="password" i]')) everSecret.add(el); }
  function watchSecrets(root) {
    if (watched.has(root)) return;
    watched.add(root);
    types.observe(root, { subtree: true, attributes: true, attributeFilter: ["type"], attributeOldValue: true });
    noteSecrets(root);
  }
  watchSecrets(document);

  // Open shadow roots are met when the document is there, and when a person works
  // in one.
  function lookForRoots() {
    const queue = [document];
    for (let i = 0; i < queue.length && i < 10000; i++) {
      watchSecrets(queue[i]);
      noteSecrets(queue[i]);
      for (const el of query(queue[i], "*")) { const r = rootOf(el); if (r) queue.push(r); }
    }
  }
  function noteFocus(e) {
    if (e.isTrusted) for (const n of e.composedPath()) if (n instanceof ShadowRoot) watchSecrets(n);
  }
  for (const type of ["focusin", "input"]) addEventListener(type, noteFocus, { passive: true, capture: true });
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", lookForRoots, { once: true });
  else setTimeout(lookForRoots);
  addEventListener("load", lookForRoots, { once: true });

  // The pointer, as the page's own trusted events tell it: when, and where the page
  // stood on the screen, with what that depends on.
  const pointer = {};
  const pinch = () => { const v = visualViewport; return v ? [v.scale, v.offsetLeft, v.offsetTop] : []; };
  const outlook = () => [outerWidth, outerHeight, innerWidth, innerHeight, screenX, screenY, devicePixelRatio, pinch()].join();
  addEventListener("pointermove", (e) => {
    if (e.isTrusted) Object.assign(pointer, { time: Date.now(), at: [e.screenX, e.screenY, e.clientX, e.clientY], outlook: outlook() });
  }, { passive: true, capture: true });
  Object.defineProperty(globalThis, "webareaEarly", { value: { everSecret, watchSecrets, noteSecrets, pointer, outlook } });
})();
