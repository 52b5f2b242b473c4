// Listens to a server's elements with the official SDK of the modern era, and prints
// a line for each notice. Arguments: how many to wait for, then the command.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [wanted, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "modern", version: "1" }, { capabilities: {}, versionNegotiation: { mode: "auto" } });
client.onerror = (error) => { console.log("error", String(error)); };
const enough = Promise.withResolvers();
let seen = 0;
client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
  console.log("updated", params.uri);
  if (++seen === Number(wanted)) enough.resolve();
});
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
console.log("tools", (await client.listTools()).tools.map((tool) => tool.name).join(" "));
const { resources } = await client.listResources();
const subscription = await client.listen({ resourceSubscriptions: [resources[0].uri] });
console.log("subscribed", resources[0].uri);
await enough.promise;
const answer = await client.callTool({ name: "get_elements", arguments: {} });
console.log("answered", answer.structuredContent.root.role);
const refused = await client.callTool({ name: "locate", arguments: { id: "nope1" } });
console.log("refused", refused.isError, refused.structuredContent.code);
console.log("read", (await client.readResource({ uri: resources[0].uri })).contents[0].mimeType);
console.log("prompt", (await client.getPrompt({ name: "look" })).messages.length);
await subscription.close();
await client.close();
