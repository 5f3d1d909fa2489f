import { join } from "node:path";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { wording } from "../../tools/wording.ts";
import { loadGuides } from "../mcp/guides.ts";
import { readToolsets, type Narrowing } from "../mcp/narrowing.ts";
import { connector } from "../mcp/server.ts";
import { serveStdio } from "../mcp/stdio.ts";
import { toolsets } from "../mcp/tool.ts";
import { upstream } from "../outbound/upstream.ts";
import { projectFolder, projectVersion } from "../project.ts";
import { CommandError, exitStatus, printError } from "./output.ts";

export interface McpOptions {
  /** The base URL of the service. */
  readonly url: string;
  /** Null: only what anyone may read. */
  readonly token: string | null;
  /** Comma-separated; null for all. */
  readonly toolsets: string | null;
  readonly readOnly: boolean;
}

/** Serves the connector on stdin and stdout, over a service elsewhere, until stdin ends. */
export async function mcpCommand({ url, token, toolsets: chosen, readOnly }: McpOptions): Promise<void> {
  const report = (error: unknown): void => printError(error instanceof Error ? error.message : String(error));
  const guides = loadGuides(join(projectFolder, "resources", "guides"));
  const table = { tools, resources, prompts, guides, wording };
  const backend = upstream({ url, token, report });
  await serveStdio({
    connector: connector({ ...table, version: projectVersion, reportDefect: report }),
    backend,
    narrowing: narrowingOf(chosen, readOnly),
    input: process.stdin,
    output: process.stdout,
    report,
  });
  await backend.close();
}

function narrowingOf(chosen: string | null, readOnly: boolean): Narrowing {
  const known = chosen === null ? null : readToolsets(chosen);
  if (chosen !== null && known === null) {
    throw new CommandError(
      `--toolsets takes a comma-separated list of ${toolsets.join(", ")}.`,
      exitStatus.usage,
    );
  }
  return { toolsets: known, readOnly };
}
