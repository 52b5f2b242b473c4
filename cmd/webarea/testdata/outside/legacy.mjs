// Subscribes to a server's elements with the official SDK of the legacy era, and
// prints a line for each notice. Arguments: how many to wait for, then the command.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [wanted, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "legacy", version: "1" }, { capabilities: {} });
client.onerror = (error) => { console.log("error", String(error)); };
const enough = Promise.withResolvers();
let seen = 0;
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
  console.log("updated", params.uri);
  if (++seen === Number(wanted)) enough.resolve();
});
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
console.log("tools", (await client.listTools()).tools.map((tool) => tool.name).join(" "));
const { resources } = await client.listResources();
await client.subscribeResource({ uri: resources[0].uri });
console.log("subscribed", resources[0].uri);
await enough.promise;
const answer = await client.callTool({ name: "get_elements", arguments: {} });
console.log("answered", answer.structuredContent.root.role);
const refused = await client.callTool({ name: "locate", arguments: { id: "nope1" } });
console.log("refused", refused.isError, refused.structuredContent.code);
console.log("read", (await client.readResource({ uri: resources[0].uri })).contents[0].mimeType);
console.log("prompt", (await client.getPrompt({ name: "look" })).messages.length);
await client.unsubscribeResource({ uri: resources[0].uri });
await client.close();
