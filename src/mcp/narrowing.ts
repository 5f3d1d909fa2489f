import type { Outline } from "../contract/outline.ts";
import type { Tool } from "./tool.ts";
import { toolsets, type Toolset } from "./toolset.ts";

/** What the person who set the connector up left of its tools. */
export interface Narrowing {
  /** Null: every toolset. */
  readonly toolsets: ReadonlySet<Toolset> | null;
  readonly readOnly: boolean;
  /** Whether they are asked before a tool publishes or silences, where their client can ask. */
  readonly confirm: boolean;
}

export const unnarrowed: Narrowing = { toolsets: null, readOnly: false, confirm: true };

export const isOffered = ({ toolsets: sets, definition }: Tool<Outline>, narrowing: Narrowing): boolean =>
  (narrowing.toolsets === null || sets.some((set) => narrowing.toolsets?.has(set))) &&
  (!narrowing.readOnly || definition.annotations.readOnlyHint);

/** Toolsets by name, comma-separated; null where one of them is not known. */
export function readToolsets(text: string): ReadonlySet<Toolset> | null {
  const chosen = text.split(",").map((name) => toolsets.find((known) => known === name.trim()));
  const known = chosen.filter((name) => name !== undefined);
  return known.length === chosen.length ? new Set(known) : null;
}

const accepted = `Known are toolsets (a comma-separated list of ${toolsets.join(", ")}), read_only and confirm (true or false).`;

/** Reads `toolsets`, `read_only` and `confirm` of a query; a sentence saying what is accepted where it is anything else. */
export function readNarrowing(query: string): Narrowing | string {
  const narrowing: { -readonly [K in keyof Narrowing]: Narrowing[K] } = { ...unnarrowed };
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (seen.has(name)) return accepted;
    seen.add(name);
    if (name === "toolsets") narrowing.toolsets = readToolsets(value);
    else if (value !== "true" && value !== "false") return accepted;
    else if (name === "read_only") narrowing.readOnly = value === "true";
    else if (name === "confirm") narrowing.confirm = value === "true";
    else return accepted;
    if (name === "toolsets" && narrowing.toolsets === null) return accepted;
  }
  return narrowing;
}
