import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/config.ts";
import { readConnectorConfig } from "../../src/connector-config.ts";
import { read } from "./sources.ts";

const Http = z.strictObject({
  type: z.literal("http"),
  url: z.string(),
  headers: z.strictObject({ Authorization: z.string() }),
});
const Stdio = z.strictObject({
  type: z.literal("stdio"),
  command: z.literal("node"),
  args: z.array(z.string()),
  env: z.strictObject({ TICKMARK_URL: z.string(), TICKMARK_TOKEN: z.literal("${TICKMARK_TOKEN}") }),
});
const { mcpServers } = z
  .strictObject({ mcpServers: z.strictObject({ tickmark: Http, "tickmark-stdio": Stdio }) })
  .parse(JSON.parse(read("mcp.json")));

const { host, port } = readConfig({ TICKMARK_SECRET: "0123456789abcdef" });

it("[OUR-MCP-27] mcp.json names the service where it listens by default, and takes the token from the environment", () => {
  expect(mcpServers.tickmark.url).toBe(`http://${host}:${port}/mcp`);
  expect(mcpServers.tickmark.headers.Authorization).toBe("Bearer ${TICKMARK_TOKEN}");
  expect(mcpServers["tickmark-stdio"].env.TICKMARK_URL).toBe(`http://${host}:${port}`);
  const { env } = mcpServers["tickmark-stdio"];
  expect(readConnectorConfig(env).token).toBeNull();
  expect(readConnectorConfig({ ...env, TICKMARK_TOKEN: "tkm_x" }).token).toBe("tkm_x");
  expect(readConnectorConfig({}).url).toBe(`http://${host}:${port}`);
});

it("[OUR-MCP-27] mcp.json starts the connector as it is built", () => {
  const [program = "", ...rest] = mcpServers["tickmark-stdio"].args;
  expect(existsSync(program)).toBe(true);
  expect(rest).toEqual(["mcp"]);
  const manifest = z
    .object({ bin: z.object({ tickmark: z.string() }) })
    .parse(JSON.parse(read("package.json")));
  expect(manifest.bin.tickmark).toBe(program);
});
