import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/app/config/config.ts";
import { readConnectorConfig } from "../../src/app/config/connector-config.ts";
import { read } from "./sources.ts";

const Http = z.strictObject({
  type: z.literal("http"),
  url: z.string(),
  headers: z.strictObject({ Authorization: z.string() }),
});
const { mcpServers } = z
  .strictObject({ mcpServers: z.strictObject({ tickmark: Http }) })
  .parse(JSON.parse(read("mcp.json")));

const { host, port } = readConfig({ TICKMARK_SECRET: "0123456789abcdef" });

it("[OUR-MCP-27] mcp.json names the service where it listens by default, and takes the token from the environment", () => {
  expect(mcpServers.tickmark.url).toBe(`http://${host}:${port}/mcp`);
  expect(mcpServers.tickmark.headers.Authorization).toBe("Bearer ${TICKMARK_TOKEN}");
  expect(readConnectorConfig({ TICKMARK_TOKEN: "${TICKMARK_TOKEN}" }).token).toBeNull();
  expect(readConnectorConfig({ TICKMARK_TOKEN: "tkm_x" }).token).toBe("tkm_x");
  expect(readConnectorConfig({}).url).toBe(`http://${host}:${port}`);
});

it("[OUR-MCP-27] the command of the stdio connector is what the build makes", () => {
  const manifest = z
    .object({ bin: z.object({ tickmark: z.string() }) })
    .parse(JSON.parse(read("package.json")));
  expect(existsSync(manifest.bin.tickmark)).toBe(true);
});
