import { spawnSync } from "node:child_process";
import { modulesIn } from "../../support/loaded-modules.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { ownManifest } from "../../../src/cli/own-manifest.ts";
import type { Manifest } from "../../../src/mcp/catalogue/manifest.ts";
import { handshake } from "../../../src/mcp/protocol/handshake.ts";
import { greeted } from "../../../src/mcp/protocol/introduction.ts";
import type { Request } from "../../../src/mcp/protocol/message.ts";
import { metaKey, modernRevision, olderRevisions } from "../../../src/mcp/protocol/revisions.ts";
import { loadManifest } from "../../../src/mcp/catalogue/load-manifest.ts";
import { prompts } from "../../../resources/prompts/registry.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { envelope, testGuide } from "../../support/connector.ts";
import type { Json } from "../../support/payload.ts";

const thawed = loadManifest(JSON.parse(JSON.stringify(ownManifest())) as Manifest, {
  guides: [testGuide],
  wording,
  prompts: async () => prompts,
});

/** What a face may know of an endpoint elsewhere. */
const outlined = ({
  id,
  method,
  path,
  params,
  access,
  bodyFields,
  fields,
}: (typeof thawed.tools)[0]["view"]["endpoint"]) => ({
  id,
  method,
  path,
  params,
  access,
  bodyFields,
  fields: [...fields.values()].map(({ name, place, resource, json: { type } }) => ({
    name,
    place,
    resource,
    type,
  })),
});

it("the catalogue written at the build is the one the service has: tools, resources and prompts", async () => {
  expect(thawed.tools.map(({ definition }) => definition)).toEqual(tools.map(({ definition }) => definition));
  for (const [mine, theirs] of [
    [thawed.tools, tools],
    [thawed.resources, resources],
  ] as const) {
    expect(mine).toHaveLength(theirs.length);
    for (const [at, { view }] of mine.entries()) {
      const { endpoint, thirdParty, ...rest } = view;
      const { endpoint: own, thirdParty: plan, ...others } = theirs[at]?.view ?? view;
      expect(rest).toEqual(others);
      expect(outlined(endpoint)).toEqual(outlined(own));
      expect({ root: thirdParty.root, paths: thirdParty.paths }).toEqual({
        root: plan.root,
        paths: plan.paths,
      });
    }
  }
  const own = (tool: (typeof thawed.tools)[0]) => [
    tool.attaches?.argument,
    tool.attaches?.input,
    tool.previews,
  ];
  expect(thawed.tools.map(own)).toEqual(tools.map(own));
  for (const [at, { definition, ttlMs, match }] of thawed.resources.entries()) {
    expect({ definition, ttlMs }).toEqual({
      definition: resources[at]?.definition,
      ttlMs: resources[at]?.ttlMs,
    });
    const uri = (definition["uriTemplate"] ?? definition["uri"] ?? "").replaceAll(/\{\w+\}/g, "a%20b");
    expect(match(uri)).toEqual(resources[at]?.match(uri));
  }
  for (const [at, { definition, messages, endpoints }] of thawed.prompts.entries()) {
    const filled = Object.fromEntries(definition.arguments.map(({ name }) => [name, "x"]));
    expect(await messages(filled)).toEqual(await prompts[at]?.messages(filled));
    expect(endpoints.map(({ id }) => id)).toEqual(prompts[at]?.endpoints.map(({ id }) => id));
  }
});

it("names revisions and members as the SDKs do", () => {
  expect(olderRevisions).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  expect(metaKey).toEqual({
    version: PROTOCOL_VERSION_META_KEY,
    clientCapabilities: CLIENT_CAPABILITIES_META_KEY,
    clientInfo: CLIENT_INFO_META_KEY,
    serverInfo: SERVER_INFO_META_KEY,
    logLevel: LOG_LEVEL_META_KEY,
    subscriptionId: SUBSCRIPTION_ID_META_KEY,
  });
});

it("greets a client as the SDKs' own servers do, and leaves them what is out of the ordinary", async () => {
  const introduction = {
    identity: { name: "tickmark", title: "Tickmark", version: "1.2.3" },
    capabilities: { tools: {}, prompts: {} },
    instructions: "x",
  };
  const asked = (method: string, params?: Json): Request => ({
    jsonrpc: "2.0",
    id: 1,
    method,
    ...(params && { params }),
  });
  const clientInfo = { name: "a test", version: "1" };
  const usual = [...olderRevisions, "2019-01-01", modernRevision].map((protocolVersion) =>
    asked("initialize", { protocolVersion, capabilities: { sampling: {} }, clientInfo }),
  );
  for (const request of [...usual, asked("ping"), asked("ping", {})])
    expect(greeted(introduction, request, "legacy")).toEqual(
      await handshake(introduction, request, { name: "legacy" }),
    );
  const era = { name: "modern", classification: { era: "modern", revision: modernRevision } } as const;
  const discover = asked("server/discover", { _meta: envelope });
  expect(greeted(introduction, discover, "modern")).toEqual(await handshake(introduction, discover, era));
  const odd = [
    asked("initialize"),
    asked("initialize", { protocolVersion: 7, capabilities: {}, clientInfo }),
    asked("initialize", { protocolVersion: "2025-11-25", capabilities: {} }),
    asked("initialize", { protocolVersion: "2025-11-25", capabilities: { roots: 1 }, clientInfo }),
    asked("no/such"),
    asked("server/discover", {}),
  ];
  for (const request of odd) expect(greeted(introduction, request, "legacy")).toBeNull();
  for (const request of [asked("initialize"), asked("ping"), asked("no/such")])
    expect(greeted(introduction, request, "modern")).toBeNull();
});

/** Tells on standard error which modules a process loaded. */
const telling = `data:text/javascript,${encodeURIComponent(`
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`import { writeSync } from "node:fs";
export async function load(url, context, next) { writeSync(2, url + "\\\\n"); return next(url, context); }\`));`)}`;

it("the stdio connector gives its first answer before it loaded a schema, an SDK or the HTTP client", () => {
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a test", version: "1" },
  };
  const lines = [{ jsonrpc: "2.0", id: 1, method: "initialize", params: hello }];
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", telling, "dist/main.js", "mcp"], {
    encoding: "utf8",
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "tickmark" } } });
  const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
  const modules = loaded.flatMap(modulesIn);
  expect(modules.filter((url) => url.endsWith("/src/cli/mcp.ts"))).toHaveLength(1);
  const heavy =
    /node_modules\/(?:zod|kysely|@modelcontextprotocol|ipaddr\.js|@resvg)\/|\/src\/(?:endpoints|store|services)\//;
  expect(modules.filter((url) => heavy.test(url))).toEqual([]);
  // The client itself is made ready while the first answer is read.
  const before = loaded.findIndex((url) => url.includes("/undici/"));
  console.log(`files loaded before the first answer over stdio: ${before}`);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThanOrEqual(40);
});
