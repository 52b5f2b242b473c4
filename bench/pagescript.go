package main

// script is what a page does for the benchmark. The functions of change change one
// thing, another for each n.
const script = `<script>
// The roots of cards, for what looks into them: no other script finds a closed one.
const roots = [], marks = {}
customElements.define("x-card", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: this.parentNode.dataset.mode })
    root.innerHTML = "<article><h3>Card " + this.dataset.n + "</h3><a href='/card/" + this.dataset.n + "'>Open card " + this.dataset.n + "</a><slot></slot></article>"
    roots.push(root)
    if (this.dataset.mark) marks[this.dataset.mark] = root.querySelector("a")
  }
})
const documents = () => [document, ...[...document.querySelectorAll("iframe")].map((f) => f.contentDocument).filter(Boolean)]
const one = (name) => marks[name] ??= documents().map((d) => d.querySelector("[data-is=" + name + "]")).find(Boolean)
const change = {
  // A field that gets the focus takes the selection with it.
  focus(n) {
    const at = one("f" + n % 2)
    at.ownerDocument.defaultView.focus()
    at.focus()
    const words = one("s").firstChild, selection = words.ownerDocument.getSelection()
    if (document.title === "all") selection.selectAllChildren(document.body)
    else selection.setBaseAndExtent(words, 0, words, words.data.indexOf(".") + 1)
    return at.getRootNode().activeElement === at && !selection.isCollapsed
  },
  text(n) {
    const walker = document.createTreeWalker(one("t"), NodeFilter.SHOW_TEXT)
    walker.nextNode().data = "Change " + n
  },
  attribute(n) { one("t").setAttribute("aria-label", "Change " + n) },
  insert() {
    const entry = one("t").ownerDocument.querySelector(".r"), copy = entry.cloneNode(entry.tagName !== "DIV")
    for (const el of [copy, ...copy.querySelectorAll("*")]) for (const a of ["id", "class", "data-is", "data-mark"]) el.removeAttribute(a)
    entry.after(copy)
    change.undo = () => copy.remove()
  },
  relayout(n) { one("t").ownerDocument.body.style.paddingRight = 20 + n % 2 * 40 + "px" },
  undo() {},
}
// The words of links that are on screen.
const linksOnScreen = () => [...documents(), ...roots].flatMap((d) => {
  const view = (d.ownerDocument ?? d).defaultView
  return [...d.querySelectorAll("a")].filter((a) => {
    const r = a.getBoundingClientRect(), y = (r.top + r.bottom) / 2
    return y > 0 && y < view.innerHeight
  }).map((a) => a.textContent)
})
</script>`
