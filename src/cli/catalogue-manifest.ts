import { readFileSync, statSync } from "node:fs";
import type { Outline } from "../contract/endpoint/outline.ts";
import type { PlanFeature } from "../core/access/plan.ts";
import type { Manifest } from "../mcp/catalogue/manifest.ts";
import { builtFile } from "../program/program-files.ts";

export const manifestPath: string = builtFile("catalogue.json");

/** Makes a new manifest if the build wrote none, or it is older than the built program. */
export async function readCatalogueManifest(): Promise<Manifest> {
  return written() ?? (await import("./own-manifest.ts")).ownManifest();
}

function written(): Manifest | null {
  try {
    if (statSync(manifestPath).mtimeMs < statSync(builtFile("main.js")).mtimeMs) return null;
    // Sound: the build of this very version wrote it.
    return JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest;
  } catch {
    return null;
  }
}

export const featuresOf = ({ features }: Manifest): Readonly<Record<string, readonly PlanFeature[]>> =>
  features as Readonly<Record<string, readonly PlanFeature[]>>;

/** Checks an input against its endpoint's schema. The schemas are loaded for the first input. */
export async function heldAgainstSchema({ id }: Outline, input: Record<string, unknown>): Promise<void> {
  const [{ apiEndpoints }, { readInput }] = await Promise.all([
    import("../endpoints/api/registry.ts"),
    import("../contract/endpoint/input.ts"),
  ]);
  const endpoint = apiEndpoints.find((declared) => declared.id === id);
  if (!endpoint) throw new TypeError(`${id} is no endpoint of the API.`);
  readInput(endpoint, input);
}
