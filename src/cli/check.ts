import type { ConnectorConfig } from "../app/config/connector-config.ts";
import type { Answered, Refused } from "../contract/call/backend.ts";
import { isFullId } from "../core/id-form.ts";
import { loadManifest } from "../mcp/catalogue/load-manifest.ts";
import { upstream, type Upstream } from "../outbound/upstream.ts";
import { wording } from "../../tools/wording.ts";
import { featuresOf, heldAgainstSchema, readCatalogueManifest } from "./catalogue-manifest.ts";
import { readHealth, wordsOfHealth } from "./health-words.ts";
import { checkStatus, CommandError, printResult } from "./output.ts";

interface CheckOptions {
  /** Id or name. */
  readonly server: string;
  readonly json: boolean;
}

/** A verdict that this version does not know ends as `notAsked`. */
const statusOf: Readonly<Record<string, number>> = {
  healthy: checkStatus.healthy,
  stopped: checkStatus.healthy,
  degraded: checkStatus.degraded,
  critical: checkStatus.critical,
  down: checkStatus.critical,
};

/** The exit status is the verdict. */
export async function check(config: () => ConnectorConfig, { server, json }: CheckOptions): Promise<void> {
  try {
    process.exitCode = await checked(config(), { server, json });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), checkStatus.notAsked);
  }
}

async function checked({ url, token }: ConnectorConfig, { server, json }: CheckOptions): Promise<number> {
  if (token === null)
    throw new Error(
      "No token is set. Make one with monitoring:read in Settings, Security, and set TICKMARK_TOKEN to it.",
    );
  const manifest = await readCatalogueManifest();
  let unreachable: string | null = null;
  const backend = upstream({
    url,
    token,
    report: (error) => (unreachable ??= error instanceof Error ? error.message : String(error)),
    checkInput: heldAgainstSchema,
    features: featuresOf(manifest),
  });
  const { tools } = loadManifest(manifest, { guides: [], wording, prompts: async () => [] });
  const endpoint = tools.find(({ name }) => name === "diagnose_server")?.view.endpoint;
  if (endpoint === undefined) throw new Error("This version has no tool diagnose_server.");
  try {
    const id = await idOf(backend, server);
    const answer = await backend.call(endpoint, { server_id: id }, "check");
    return shown(answer, json, unreachable);
  } finally {
    await backend.close();
  }
}

async function idOf(backend: Upstream, server: string): Promise<string> {
  if (isFullId(server)) return server;
  const found = await backend.find("server", server);
  // The call itself then reports what is wrong with the token or the service.
  if (found === null) return server;
  const [only, ...others] = found;
  if (only === undefined) throw new Error(`None of your servers is called ${JSON.stringify(server)}.`);
  if (others.length > 0)
    throw new Error(
      `${found.length} of your servers have this name. Use the id of one of them: ${found.map(({ id }) => id).join(", ")}.`,
    );
  return only.id;
}

function shown(answer: Answered | Refused, json: boolean, unreachable: string | null): number {
  if (!answer.ok) throw new Error([answer.body.message, unreachable].filter(Boolean).join(" "));
  const health = readHealth(answer.value);
  printResult(json, answer.value, wordsOfHealth(health));
  return statusOf[health.verdict] ?? checkStatus.notAsked;
}
