// What the acts need to know and do inside a page, in an isolated world of it. The
// value of this expression has one function for each act. They answer with a
// plain object; one with `fail` says that the act cannot be done, and why.
(() => {
  "use strict";

  // Points that are tried on an element until one of them is not covered.
  const GRID = 9;
  const MAX_RECTS = 50;
  // The longest that the focus may take from one process to another, ms.
  const FOCUS_PATIENCE = 2000;

  // The frame element that each document of this process was found in.
  const owners = new Map();

  function frameDocument(element) {
    if (!/^(iframe|frame|object|embed)$/i.test(element.localName)) return null;
    try {
      const inner = element.contentDocument;
      if (inner) owners.set(inner, element);
      return inner;
    } catch {
      return null;
    }
  }

  // roots yields the root and every open shadow root in it, in tree order.
  function* roots(root) {
    yield root;
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) yield* roots(element.shadowRoot);
    }
  }

  function* documents(doc) {
    yield doc;
    for (const root of roots(doc)) {
      for (const element of root.querySelectorAll("iframe, frame, object, embed")) {
        const inner = frameDocument(element);
        if (inner) yield* documents(inner);
      }
    }
  }

  // find returns the first match: in a document before its shadow roots, and in
  // those before the frames inside.
  function find(css) {
    try {
      document.createDocumentFragment().querySelector(css);
    } catch {
      return { fail: "selector" };
    }
    for (const doc of documents(document)) {
      for (const root of roots(doc)) {
        const element = root.querySelector(css);
        if (element) return { element };
      }
    }
    return { fail: "nothing" };
  }

  function withElement(css, act) {
    const found = find(css);
    return found.fail ? found : act(found.element);
  }

  function describe(element) {
    let text = element.localName;
    if (element.id) text += "#" + element.id;
    for (const name of [...element.classList].slice(0, 3)) text += "." + name;
    return text.slice(0, 100);
  }

  // parentOf is the parent in the flat tree, the one that is drawn.
  function parentOf(node) {
    if (node.assignedSlot) return node.assignedSlot;
    const parent = node.parentNode;
    if (parent && parent.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return parent.host ?? null;
    return parent && parent.nodeType === Node.ELEMENT_NODE ? parent : null;
  }

  function containsFlat(element, node) {
    for (let at = node; at; at = parentOf(at)) {
      if (at === element) return true;
    }
    return false;
  }

  const styleOf = (element) => element.ownerDocument.defaultView.getComputedStyle(element);

  // Boxes are {left, top, right, bottom} in CSS pixels.

  function intersect(a, b) {
    return {
      left: Math.max(a.left, b.left),
      top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right),
      bottom: Math.min(a.bottom, b.bottom),
    };
  }

  const area = (box) => Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);

  function viewport(doc) {
    const view = doc.defaultView;
    return { left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight };
  }

  // inner is an element's box without its borders, scaled as it is drawn.
  function inner(element, padding) {
    const outer = element.getBoundingClientRect();
    const scaleX = element.offsetWidth ? outer.width / element.offsetWidth : 1;
    const scaleY = element.offsetHeight ? outer.height / element.offsetHeight : 1;
    const style = styleOf(element);
    const pad = (side) => (padding ? parseFloat(style["padding" + side]) || 0 : 0);
    const edge = (side) => (parseFloat(style["border" + side + "Width"]) || 0) + pad(side);
    return {
      left: outer.left + edge("Left") * scaleX,
      top: outer.top + edge("Top") * scaleY,
      right: outer.right - edge("Right") * scaleX,
      bottom: outer.bottom - edge("Bottom") * scaleY,
      scaleX,
      scaleY,
    };
  }

  const clips = (style) => style.overflowX !== "visible" || style.overflowY !== "visible";

  // clipsForGood is about what no scrolling brings into sight.
  const clipsForGood = (style) => /hidden|clip/.test(style.overflowX + style.overflowY);

  const holdsFixed = (style) =>
    style.transform !== "none" ||
    style.perspective !== "none" ||
    style.filter !== "none" ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|perspective|filter/.test(style.willChange);

  // clipOf is the part of a box that an element and its ancestors let it draw in.
  // position is how the box is positioned in the element; hides tells which of
  // them cut off what lies outside.
  function clipOf(box, element, position, hides) {
    for (let at = element; at; at = parentOf(at)) {
      const doc = at.ownerDocument;
      if (at === doc.documentElement) break;
      const style = styleOf(at);
      if (style.display === "contents" || style.display === "inline") continue;
      if (position === "fixed" && !holdsFixed(style)) continue;
      if (position === "absolute" && style.position === "static" && !holdsFixed(style)) continue;
      const ofViewport = at === doc.body && !clips(styleOf(doc.documentElement));
      if (hides(style) && !ofViewport) box = intersect(box, inner(at, false));
      position = style.position;
    }
    return box;
  }

  // clipAround is clipOf for an element's own box.
  const clipAround = (box, element, hides) => clipOf(box, parentOf(element), styleOf(element).position, hides);

  // rectsOf lists the boxes that an element draws, its text's where it has none.
  function rectsOf(element) {
    let rects = [...element.getClientRects()].filter((rect) => area(rect) > 0);
    if (rects.length === 0) {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      rects = [...range.getClientRects()].filter((rect) => area(rect) > 0);
    }
    return rects.slice(0, MAX_RECTS);
  }

  // frameBox says where a frame's viewport lies in its document's, and how much of
  // it can be seen there.
  function frameBox(frame) {
    const box = inner(frame, true);
    return { ...box, clip: clipAround(intersect(box, viewport(frame.ownerDocument)), frame, clips) };
  }

  // frameView is frameBox in the outermost document of this process.
  function frameView(frame) {
    for (const doc of documents(document)) {
      if (doc === frame.ownerDocument) break;
    }
    let view = frameBox(frame);
    for (const outer of chainOf(frame.ownerDocument).reverse()) {
      const box = frameBox(outer);
      const clip = intersect(box.clip, within(box, view.clip));
      view = { ...within(box, view), scaleX: view.scaleX * box.scaleX, scaleY: view.scaleY * box.scaleY, clip };
    }
    return view;
  }

  // within turns a box in a frame's viewport into one in the frame's document.
  const within = (frame, box) => ({
    left: frame.left + box.left * frame.scaleX,
    top: frame.top + box.top * frame.scaleY,
    right: frame.left + box.right * frame.scaleX,
    bottom: frame.top + box.bottom * frame.scaleY,
  });

  // focusCame waits until the browser has told this document's process that it has
  // the focus now; a window in the background never has it.
  async function focusCame() {
    for (const end = performance.now() + FOCUS_PATIENCE; !document.hasFocus() && performance.now() < end; ) await new Promise((go) => setTimeout(go, 5));
    return {};
  }

  function focusFrame(frame) {
    const active = frame.ownerDocument.activeElement;
    if (active !== frame) frame.focus();
    return {};
  }

  // chainOf lists the frames from the outermost to the one that holds the document.
  function chainOf(doc) {
    const chain = [];
    for (let at = owners.get(doc); at; at = owners.get(at.ownerDocument)) chain.unshift(at);
    return chain;
  }

  function isVisible(element) {
    // An element without a box counts as invisible, but what is in it may be drawn.
    while (styleOf(element).display === "contents" && parentOf(element)) element = parentOf(element);
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }

  // drawn lists the parts of an element that can be seen, in the coordinates of
  // the outermost document of this process, the largest first. seen is the part
  // of that document's viewport which can be seen itself.
  function drawn(element, seen) {
    if (!isVisible(element)) return [];
    const clip = clipAround(viewport(element.ownerDocument), element, clips);
    let parts = rectsOf(element).map((rect) => intersect(rect, clip));
    for (const frame of chainOf(element.ownerDocument).reverse()) {
      const box = frameBox(frame);
      parts = parts.map((part) => intersect(box.clip, within(box, part)));
    }
    return parts
      .map((part) => intersect(part, seen ?? viewport(document)))
      .filter((part) => area(part) > 0)
      .sort((a, b) => area(b) - area(a));
  }

  // hitAt returns the innermost element at a point, through frames and open
  // shadow roots.
  function hitAt(x, y) {
    let root = document;
    let hit = null;
    for (;;) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === hit) return hit;
      hit = next;
      const inside = frameDocument(hit);
      if (inside) {
        const box = frameBox(hit);
        x = (x - box.left) / box.scaleX;
        y = (y - box.top) / box.scaleY;
        root = inside;
      } else if (hit.shadowRoot) {
        root = hit.shadowRoot;
      } else {
        return hit;
      }
    }
  }

  function* points(parts) {
    for (const part of parts) {
      yield { x: (part.left + part.right) / 2, y: (part.top + part.bottom) / 2 };
    }
    // From just inside one edge to just inside the other.
    const along = (from, to, step) => from + 1 + ((to - from - 2) * step) / (GRID - 1);
    for (const part of parts) {
      for (let i = 0; i < GRID * GRID; i++) {
        yield {
          x: along(part.left, part.right, i % GRID),
          y: along(part.top, part.bottom, Math.floor(i / GRID)),
        };
      }
    }
  }

  // settle lets the page lay out and handle what a scroll has set off. A page that
  // is not drawn has no animation frames.
  const settle = () =>
    new Promise((done) => {
      setTimeout(done, 100);
      requestAnimationFrame(() => requestAnimationFrame(done));
    });

  function bring(element) {
    const tall = element.getBoundingClientRect().height > element.ownerDocument.defaultView.innerHeight;
    element.scrollIntoView({ block: tall ? "start" : "center", inline: "nearest", behavior: "instant" });
    return settle();
  }

  // frameHovered waits for a frame's document to notice that the mouse is over the
  // frame, which nobody tells us. Not to notice in a second is no failure.
  async function frameHovered(frame) {
    for (let tries = 0; tries < 50 && !frame.matches(":is(:hover)"); tries++) {
      await new Promise((done) => setTimeout(done, 20));
    }
    return {};
  }

  function waitFor(css) {
    return new Promise((done) => {
      let observer = null;
      let timer = 0;
      const look = () => {
        const found = find(css);
        if (found.fail === "nothing") return;
        clearInterval(timer);
        observer?.disconnect();
        done(found.fail ? found : {});
      };
      observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      // Nobody tells of changes inside shadow roots and frames that come later.
      timer = setInterval(look, 100);
      look();
    });
  }

  const scrollTo = (css) =>
    withElement(css, async (element) => {
      await bring(element);
      return {};
    });

  function hasFocus(element) {
    for (let at = element.ownerDocument.activeElement; at; at = at.shadowRoot?.activeElement) {
      if (containsFlat(element, at)) return true;
    }
    return false;
  }

  const focus = (css) =>
    withElement(css, (element) => {
      element.ownerDocument.defaultView.focus();
      element.focus({ focusVisible: true });
      if (!hasFocus(element)) return { fail: "focus", what: describe(element) };
      return {};
    });

  const hasText = (field) =>
    field.localName === "textarea" ||
    (field.localName === "input" &&
      !/^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/.test(field.type));

  function selectRange(doc, start, startOffset, end, endOffset) {
    const view = doc.defaultView;
    if (view !== window) view.focus();
    const selection = doc.getSelection();
    selection.setBaseAndExtent(start, startOffset, end, endOffset);
    return selection;
  }

  const select = (css) =>
    withElement(css, (element) => {
      if (hasText(element)) {
        if (element.value === "") return { fail: "empty", what: describe(element) };
        element.focus();
        element.select();
        return {};
      }
      if (/^(input|select)$/.test(element.localName)) return { fail: "unselectable", what: describe(element) };
      if (element.isContentEditable) element.focus();
      const doc = element.ownerDocument;
      const selection =
        element.childNodes.length > 0
          ? selectRange(doc, element, 0, element, element.childNodes.length)
          : selectNode(doc, element);
      const rects = selection.type === "Range" ? [...selection.getRangeAt(0).getClientRects()] : [];
      if (!rects.some((rect) => area(rect) > 0)) return { fail: "empty", what: describe(element) };
      return {};
    });

  function selectNode(doc, element) {
    const parent = element.parentNode;
    const index = [...parent.childNodes].indexOf(element);
    return selectRange(doc, parent, index, parent, index + 1);
  }

  const hover = async (css, seen) => {
    const found = find(css);
    if (found.fail) return found;
    const { element } = found;
    let parts = drawn(element, seen);
    if (parts.length === 0) {
      await bring(element);
      if (seen) return { again: true };
      parts = drawn(element, seen);
    }
    return pointOn(element, parts);
  };

  const hoverAgain = (css, seen) => withElement(css, (element) => pointOn(element, drawn(element, seen)));

  function pointOn(element, parts) {
    if (parts.length === 0) return { fail: "undrawn", what: describe(element) };
    let cover = null;
    for (const point of points(parts)) {
      const hit = hitAt(point.x, point.y);
      if (hit && containsFlat(element, hit)) return point;
      cover ??= hit;
    }
    return { fail: "covered", what: describe(element), cover: cover ? describe(cover) : "something else" };
  }

  const hovered = (css) =>
    withElement(css, (element) => (element.matches(":is(:hover)") ? {} : { fail: "hover", what: describe(element) }));

  // isFrame tells whether the element shows a document that is out of reach here.
  const isFrame = (css) =>
    withElement(css, (element) => ({ frame: /^(i?frame|fencedframe)$/.test(element.localName) && !frameDocument(element) }));

  // documentHovered waits a little for this document to notice the mouse.
  async function documentHovered() {
    for (let tries = 0; tries < 10 && !document.documentElement.matches(":is(:hover)"); tries++) {
      await new Promise((done) => setTimeout(done, 20));
    }
    return document.documentElement.matches(":is(:hover)") ? {} : { fail: "hover", what: "the frame's page" };
  }

  // A Run is the text of one document as it reads: white space collapsed, blocks
  // apart, and for each character where it is. What cannot be selected is not in it.
  class Run {
    text = "";
    #pieces = [];
    #starts = [];

    // add takes a text node, or a field with its value.
    add(node, raw) {
      const places = [];
      let piece = "";
      let last = this.text.at(-1) ?? " ";
      for (let i = 0; i < raw.length; i++) {
        let char = raw[i];
        if (/[\u00ad\u200b\u2060\ufeff]/.test(char)) continue;
        if (/\s/.test(char)) {
          if (last === " ") continue;
          char = " ";
        }
        piece += char;
        places.push(i);
        last = char;
      }
      if (!piece) return;
      this.#starts.push(this.text.length);
      this.#pieces.push({ node, places });
      this.text += piece;
    }

    // part keeps what follows apart from what came before.
    part() {
      if (this.text && !this.text.endsWith(" ")) {
        this.#starts.push(this.text.length);
        this.#pieces.push({ node: null, places: [0] });
        this.text += " ";
      }
    }

    // at says where the character with that index is.
    at(index) {
      let low = 0;
      for (let high = this.#starts.length; high - low > 1; ) {
        const middle = (low + high) >> 1;
        if (this.#starts[middle] <= index) low = middle;
        else high = middle;
      }
      const { node, places } = this.#pieces[low];
      return { node, offset: places[index - this.#starts[low]] };
    }
  }

  const childrenOf = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const assigned = node.localName === "slot" ? node.assignedNodes() : [];
    return assigned.length > 0 ? assigned : node.childNodes;
  };

  // What an element of these names has inside is not drawn as text of the page.
  const OPAQUE = /^(audio|canvas|embed|frame|iframe|img|input|noscript|object|script|select|style|template|textarea|video)$/;

  function runOf(doc) {
    const run = new Run();
    // A page can be nested deeper than a script can call.
    const stack = doc.documentElement ? [doc.documentElement] : [];
    while (stack.length > 0) {
      const node = stack.pop();
      if (node === null) {
        run.part();
      } else if (node.nodeType === Node.TEXT_NODE) {
        const style = styleOf(parentOf(node));
        if (style.visibility === "visible" && style.userSelect !== "none") run.add(node, node.data);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const style = styleOf(node);
        if (style.display === "none") continue;
        const apart = node.localName === "br" || !/^(inline|contents|ruby)/.test(style.display);
        if (apart) run.part();
        if (hasText(node) && node.type !== "password") {
          run.part();
          run.add(node, node.value);
          run.part();
        } else if (!OPAQUE.test(node.localName)) {
          if (apart) stack.push(null);
          stack.push(...[...childrenOf(node)].reverse());
        }
      }
    }
    return run;
  }

  // isDrawn reports whether one character, or a field, can come into sight.
  function isDrawn({ node, offset }) {
    const element = node.nodeType === Node.TEXT_NODE ? parentOf(node) : node;
    if (!isVisible(element)) return false;
    let rects = element.getClientRects();
    let clip = (rect) => clipAround(rect, element, clipsForGood);
    if (element !== node) {
      const range = node.ownerDocument.createRange();
      range.setStart(node, offset);
      range.setEnd(node, offset + 1);
      rects = range.getClientRects();
      clip = (rect) => clipOf(rect, element, "static", clipsForGood);
    }
    // A box of one pixel is how text is kept for screen readers only.
    return [...rects].some((rect) => area(rect) > 0 && area(clip(rect)) > 1);
  }

  function* matches(run, words, flags) {
    const escaped = words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    for (const match of run.text.matchAll(new RegExp(escaped, flags))) {
      const start = run.at(match.index);
      const end = run.at(match.index + match[0].length - 1);
      const isField = (node) => node.nodeType !== Node.TEXT_NODE;
      if ((isField(start.node) || isField(end.node)) && start.node !== end.node) continue;
      if (isDrawn(start) && isDrawn(end)) yield { start, end };
    }
  }

  function selectMatch({ start, end }) {
    if (start.node.nodeType !== Node.TEXT_NODE) {
      start.node.focus();
      start.node.setSelectionRange(start.offset, end.offset + 1);
      return {};
    }
    const element = parentOf(start.node);
    if (element.isContentEditable) editingHost(element).focus();
    const selection = selectRange(start.node.ownerDocument, start.node, start.offset, end.node, end.offset + 1);
    return selection.toString() === "" ? { fail: "unselectable", what: describe(element) } : {};
  }

  function editingHost(element) {
    while (parentOf(element)?.isContentEditable) element = parentOf(element);
    return element;
  }

  // selectText takes the words as they are first, and then in any case: a style may
  // have changed that.
  function selectText(wanted) {
    const words = wanted.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ").trim();
    if (!words) return { fail: "words" };
    for (const doc of documents(document)) {
      const run = runOf(doc);
      for (const flags of ["gu", "giu"]) {
        for (const match of matches(run, words, flags)) return selectMatch(match);
      }
    }
    return { fail: "words" };
  }

  return { waitFor, scrollTo, focus, select, selectText, hover, hoverAgain, hovered, isFrame, documentHovered, frameView, frameHovered, focusFrame, focusCame };
})()
