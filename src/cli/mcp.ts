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
  readonly url: string;
  /** The part of TICKMARK_URL that is not the base URL; null: none. */
  readonly leftOut?: string | null;
  /** Null: only what anyone may read. */
  readonly token: string | null;
  /** Separated by commas; with neither toolsets nor tools, all tools are offered. */
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
  readonly exclude?: string | undefined;
  /** Id or name of the only server that is served. */
  readonly server?: string | undefined;
  readonly readOnly: boolean;
  /** Whether the client asks its user, if it can, before something is published or silenced. */
  readonly confirm: boolean;
}

/** Serves the connector on stdin and stdout until stdin ends. */
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

/** The options mean the same as the parameters of the HTTP connector. */
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
