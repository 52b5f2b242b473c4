// What the walk knows of an element that it is in. What costs a question to the style
// and few need is asked when somebody does: a clip matters only to what is near the
// viewport, how words are written only to words.

class Frame {
  constructor(up, el, cs, isRoot, shown) {
    this.up = up; this.el = el; this.cs = cs; this.isRoot = isRoot; this.shown = shown;
    this.own = this.within = this.style = null;
    this.rec = -1; this.mine = false; this.next = null; this.kids = null; this.probe = null;
    this.box = null; this.far = 0; this.display = "block"; this.block = true;
    this.asked = this.mustAsk = this.decisive = this.worded = this.entry = this.skip = this.made = false;
    this.wordsOnly = true; this.entered = 0; this.window = 0; this.from = null;
  }
  // clips are those for what is in it, and clip is the one for its own box.
  get clips() { return (this.within ? this : clipped(this)).within; }
  get clip() { return (this.within ? this : clipped(this)).own; }
  // text is how the words in it are written.
  get text() { return (this.style ??= textStyle(this.cs)); }
}

// rootFrame is around a document.
function rootFrame() {
  const f = new Frame(null, null, null, false, true);
  f.within = viewportClips(); f.own = f.within.n; f.style = PLAIN;
  return f;
}

// clipped works out the clips of a frame and of those that it is in, without going
// deeper for each: a page may nest 50,000.
function clipped(frame) {
  const chain = [];
  for (let f = frame; !f.within; f = f.up) chain.push(f);
  while (chain.length) {
    const f = chain.pop();
    const { own, within } = clipsWithin(f.el, f.cs, f.up.within, f.isRoot);
    f.own = own; f.within = within;
  }
  return frame;
}

// inView tells whether something of a box is in the viewport of the document; where
// nothing is, no clip leaves anything of it.
const inView = (box, view) => box[2] > view[0] && box[3] > view[1] && box[0] < view[2] && box[1] < view[3];
