// The pattern the SDK documents for a stateless server: a new McpServer with every tool for each request. Its one
// answer is given beforehand, it asks nobody who calls, and it looks at no header.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const body = process.env["SDK_BODY"] ?? "{}";
const { tools } = JSON.parse(
  readFileSync(`dist/${JSON.parse(readFileSync("dist/build.json", "utf8")).name}/catalogue.json`, "utf8"),
);
const declared = tools.map(({ definition: { name, title, description, inputSchema, annotations } }) => ({
  name,
  words: { title, description, annotations, inputSchema: z.fromJSONSchema(inputSchema).shape },
}));
const answer = async () => ({
  content: [{ type: "text", text: body }],
  structuredContent: JSON.parse(body),
});

createServer((request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const server = new McpServer({ name: "pattern", version: "1.0.0" });
  for (const { name, words } of declared) server.registerTool(name, words, answer);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  void server.connect(transport).then(() => transport.handleRequest(request, response));
}).listen(Number(process.env["SDK_PORT"]), "127.0.0.1");
