// Holds messages of a server to the schemas of an official SDK: "legacy" or "modern".
// A line of standard input is {"schemas": [names], "message": the message}; the first
// schema is for the message, the second for its result. Says what is not accepted.
import { createInterface } from "node:readline";

const era = process.argv[2];
const schemas = era === "legacy" ? await import("@modelcontextprotocol/sdk/types.js") : await import("@modelcontextprotocol/core");

let accepted = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { schemas: names, message } = JSON.parse(line);
  const values = [message, message.result];
  names.forEach((name, i) => {
    const schema = schemas[name];
    const parsed = schema ? schema.safeParse(values[i]) : { error: "there is no such schema" };
    if (parsed.success) accepted++;
    else console.log(`${name}: ${parsed.error}\n  of ${line.slice(0, 2000)}`);
  });
}
console.log(`accepted ${accepted}`);
