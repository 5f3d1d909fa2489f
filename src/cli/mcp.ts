import { join } from "node:path";
import { wording } from "../../tools/wording.ts";
import { loadGuides } from "../mcp/catalogue/guides.ts";
import { readNarrowing, type Narrowing } from "../mcp/catalogue/narrowing.ts";
import { connector } from "../mcp/transport/connector.ts";
import { serveStdio } from "../mcp/transport/stdio.ts";
import { loadManifest } from "../mcp/catalogue/load-manifest.ts";
import { upstream } from "../outbound/upstream.ts";
import { projectFolder } from "../program/program-files.ts";
import { featuresOf, readCatalogueManifest, heldAgainstSchema } from "./catalogue-manifest.ts";
import { CommandError, exitStatus, printError } from "./output.ts";

export interface McpOptions {
  /** The base URL of the service. */
  readonly url: string;
  /** The part of TICKMARK_URL beside the base URL; null for none. */
  readonly leftOut?: string | null;
  /** Null: only what anyone may read. */
  readonly token: string | null;
  /** Comma-separated; with neither sets nor tools all are offered. */
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
  readonly exclude?: string | undefined;
  /** The id or name of the one server that is served. */
  readonly server?: string | undefined;
  readonly readOnly: boolean;
  /** Whether a client that can show a question to its user does so before something is published or silenced. */
  readonly confirm: boolean;
}

/** Serves the connector on stdin and stdout, over a service elsewhere, until stdin ends. */
export async function mcpCommand(options: McpOptions): Promise<void> {
  const { url, leftOut = null, token } = options;
  if (leftOut !== null)
    printError(`TICKMARK_URL takes the service's own address: ${url} is used, without ${leftOut}.`);
  const report = (error: unknown): void => printError(error instanceof Error ? error.message : String(error));
  const manifest = await readCatalogueManifest();
  const catalogue = loadManifest(manifest, {
    guides: loadGuides(join(projectFolder, "resources", "guides")),
    wording,
    prompts: async () => (await import("../../resources/prompts/registry.ts")).prompts,
  });
  const narrowing = narrowingOf(options, catalogue.tools);
  const backend = upstream({
    url,
    token,
    report,
    checkInput: heldAgainstSchema,
    features: featuresOf(manifest),
  });
  const { version } = manifest;
  await serveStdio({
    connector: connector({ ...catalogue, version, canPeek: false, reportDefect: report }),
    backend,
    narrowing,
    input: process.stdin,
    output: process.stdout,
    report,
    onFirstAnswer: () => void backend.prepare(),
  });
  await backend.close();
}

/** Options say what the parameters of the connector over HTTP say. */
function narrowingOf(
  { readOnly, confirm, ...options }: McpOptions,
  tools: Parameters<typeof readNarrowing>[1],
): Narrowing {
  const given = (["toolsets", "tools", "exclude", "server"] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const narrowing = readNarrowing(given, tools);
  if (typeof narrowing === "string") throw new CommandError(narrowing, exitStatus.usage);
  return { ...narrowing, readOnly, confirm };
}
