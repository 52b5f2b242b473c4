// Large readings are handed over in pieces: all their records are made at one moment, and
// the reader decodes some while others are still written. What is not asked for is let go.

// How many readings wait at a time to be asked for the rest of them, and how long, ms:
// a reader asks for the next piece at once, or has given up.
const MAX_WAITING = 4, WAIT_FOR_READER = 20000;
const waiting = new Map(); // reader → what is left of its reading

// firstPiece gives the records that are told at once, and keeps the others for the reader.
function firstPiece(records, options) {
  const size = options.pieces, reader = options.reader;
  drop(reader);
  if (!size || !reader || records.length <= 2 * size) return records;
  const left = { records, size, at: size, timer: setTimeout(() => waiting.delete(reader), WAIT_FOR_READER) };
  waiting.set(reader, left);
  if (waiting.size > MAX_WAITING) drop(waiting.keys().next().value);
  return records.slice(0, size);
}

// nextPiece gives more of them as JSON, null where there are none.
function nextPiece(reader) {
  const left = waiting.get(reader);
  if (!left) return null;
  const from = left.at, to = Math.min(from + left.size, left.records.length), piece = left.records.slice(from, to);
  left.records.fill(null, from, to);
  left.at = to;
  if (to === left.records.length) drop(reader);
  return JSON.stringify(piece);
}

// drop lets go of what a reader has not asked for.
function drop(reader) {
  const left = waiting.get(reader);
  if (!left) return;
  clearTimeout(left.timer);
  waiting.delete(reader);
}
