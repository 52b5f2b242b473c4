// A large reading is handed over while it is made: whoever reads decodes some records
// while we write others.

// The binding is our world's own: an element's id can name a property of a window, but
// none that it has itself.
const RECORDS = "webareaRecords";

class Stream {
  constructor(options) {
    this.id = options.stream;
    this.size = options.part;
    this.parts = 0;
    this.next = 0;   // of the records of a walk, the first that was not looked at
    this.at = [];
    this.records = [];
  }

  // add takes a record that nothing will be added to, and its place among all.
  add(at, record) {
    this.at.push(at);
    this.records.push(record);
    if (this.records.length >= this.size) this.flush();
  }
  flush() {
    globalThis[RECORDS](`${this.id} ${JSON.stringify({ at: this.at, records: this.records })}`);
    this.parts++;
    this.at = []; this.records = [];
  }

  // walked takes the records of a walk up to here, but for those of the elements that it
  // is in.
  walked(records, stack) {
    if (records.length - this.next < this.size) return;
    const open = new Set();
    for (const f of stack) if (f.rec >= this.next) open.add(f.rec);
    for (let i = this.next; i < records.length; i++) if (!open.has(i)) this.hand(records, i);
    this.next = records.length;
  }
  hand(records, i) {
    const r = records[i];
    records[i] = null;
    this.add(i, r);
  }

  // rest gives what is told with the answer.
  rest(records) {
    for (let i = 0; i < records.length; i++) if (records[i]) { this.at.push(i); this.records.push(records[i]); }
    return { records: this.records, streamed: { at: this.at, parts: this.parts, count: records.length } };
  }
}

// openStream gives one where the reader hears it.
const openStream = (options) => (options.stream && Object.hasOwn(globalThis, RECORDS) ? new Stream(options) : null);

// told gives the records of a reading as they are told with its answer.
const told = (records, stream) => (stream && (stream.parts || stream.at.length) ? stream.rest(records) : { records });
