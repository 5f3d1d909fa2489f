import { echoed } from "../../contract/endpoint/echoed-name.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { isInServerScope } from "./server-scope.ts";
import type { Tool } from "./tool.ts";
import { toolsets, type Toolset } from "./toolset.ts";

/** What the person who set the connector up allows it to do. */
export interface Narrowing {
  /** Null: every toolset, unless single tools are chosen. */
  readonly toolsets: ReadonlySet<Toolset> | null;
  /** Names of tools that are chosen beside the toolsets; null: none. */
  readonly tools: ReadonlySet<string> | null;
  /** Left out even if chosen. */
  readonly exclude: ReadonlySet<string>;
  readonly readOnly: boolean;
  /** The id or name of the one own server that can be read and changed; null: every server. */
  readonly server: string | null;
  /** Whether the person is asked before a call that needs consent, if the client can ask. */
  readonly confirm: boolean;
}

export const unnarrowed: Narrowing = {
  toolsets: null,
  tools: null,
  exclude: new Set(),
  readOnly: false,
  server: null,
  confirm: true,
};

export function isOffered(tool: Tool<Outline>, narrowing: Narrowing): boolean {
  const { name, view } = tool;
  if (!isChosen(tool, narrowing) || narrowing.exclude.has(name)) return false;
  if (narrowing.readOnly && !tool.definition.annotations.readOnlyHint) return false;
  return narrowing.server === null || isInServerScope(view.endpoint);
}

function isChosen({ toolsets: sets, name }: Tool<Outline>, narrowing: Narrowing): boolean {
  const { toolsets: chosen, tools } = narrowing;
  if (chosen === null && tools === null) return true;
  return sets.some((set) => chosen?.has(set)) || tools?.has(name) === true;
}

type KnownTool = Pick<Tool<Outline>, "name">;

/** A reader for each query parameter; the command line has an option for each. */
const readers: Readonly<
  Record<string, (value: string, tools: readonly KnownTool[]) => Partial<Narrowing> | string>
> = {
  toolsets: (value) => {
    const chosen = value.split(",").map((name) => toolsets.find((known) => known === name.trim()));
    const known = chosen.filter((name) => name !== undefined);
    return known.length === chosen.length
      ? { toolsets: new Set(known) }
      : `toolsets takes a comma-separated list of ${toolsets.join(", ")}.`;
  },
  tools: (value, tools) => withNames(value, tools, (names) => ({ tools: names })),
  exclude: (value, tools) => withNames(value, tools, (names) => ({ exclude: names })),
  server: (value) =>
    value.trim() === "" ? "server takes the id or the name of a server." : { server: value.trim() },
  read_only: (value) => withFlag("read_only", value, (readOnly) => ({ readOnly })),
  confirm: (value) => withFlag("confirm", value, (confirm) => ({ confirm })),
};

/** Reads comma-separated names of tools; returns an error sentence if a name is unknown. */
function withNames(
  value: string,
  tools: readonly KnownTool[],
  narrows: (names: ReadonlySet<string>) => Partial<Narrowing>,
): Partial<Narrowing> | string {
  const names = value.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown === undefined) return narrows(new Set(names));
  const shown = echoed(unknown);
  return shown === null
    ? "One of the names is not the name of a tool. Check the spelling."
    : `No tool has the name ${shown}. Check the spelling.`;
}

const withFlag = (
  name: string,
  value: string,
  narrows: (flag: boolean) => Partial<Narrowing>,
): Partial<Narrowing> | string =>
  value === "true" || value === "false" ? narrows(value === "true") : `${name} takes true or false.`;

const parameters = Object.keys(readers);
const accepted = `A parameter is unknown, or was sent twice. Send each of these at most once: ${parameters.slice(0, -1).join(", ")} and ${parameters.at(-1)}.`;

/** Longer queries are not cached, characters. */
const longestKept = 400;
const mostKept = 1000;

/** Caches narrowings by query, because a client sends the same query with every message. */
export class NarrowingByQuery {
  readonly #tools: readonly KnownTool[];
  readonly #known = new Map<string, Narrowing | string>([["", unnarrowed]]);

  constructor(tools: readonly KnownTool[]) {
    this.#tools = tools;
  }

  /** Returns an error sentence for a wrong query. */
  of(query: string): Narrowing | string {
    const known = this.#known.get(query);
    if (known !== undefined) return known;
    const read = readNarrowing(new URLSearchParams(query), this.#tools);
    if (query.length > longestKept) return read;
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(query, read);
    return read;
  }
}

/** Returns an error sentence for a wrong parameter. */
export function readNarrowing(
  query: Iterable<readonly [string, string]>,
  tools: readonly KnownTool[],
): Narrowing | string {
  const narrowing = { ...unnarrowed };
  const seen = new Set<string>();
  for (const [name, value] of query) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined || seen.has(name)) return accepted;
    seen.add(name);
    const change = read(value, tools);
    if (typeof change === "string") return change;
    Object.assign(narrowing, change);
  }
  return narrowing;
}
