import { setTimeout as sleep } from "node:timers/promises";
import type { Watched } from "../../core/access/dialogue.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { toolsOffered } from "./tools.ts";
import type { McpRequest } from "./request.ts";
import { fingerprint, watchable } from "./fingerprint.ts";

/** Interval of checks, ms: the shortest time in which a server's state can change twice. */
export const usualCheckMs = 15_000;

export interface WatchList {
  read(): Promise<readonly Watched[]>;
  /** False if another process notifies the client of this change. */
  record(uri: string, from: string, to: string): Promise<boolean>;
}

export interface Watching {
  readonly catalogue: Catalogue<Outline>;
  readonly context: McpRequest;
  readonly list: WatchList;
  readonly changed: (uri: string) => void;
  /** Called when the list of tools has changed; null if the client did not subscribe to it. */
  readonly toolsChanged: (() => void) | null;
  /** Called at every check, whether or not anything changed. */
  readonly checked: () => void;
  readonly everyMs: number;
  /** Aborts when the client closes the stream or the service stops. */
  readonly gone: AbortSignal;
  /** Whether the stream has ended or was replaced by another. */
  readonly isOver: () => boolean;
}

/** Ends with the stream, or if the credential is refused. An unavailable service does not end it. */
export async function watchResources(watching: Watching): Promise<void> {
  const { catalogue, context, checked: looked, everyMs, gone, isOver, toolsChanged } = watching;
  let tools: string | null = null;
  while (!isOver()) {
    const known = await context.backend.caller(context.requestId);
    if (!known.ok && known.status < 500) return;
    looked();
    if (known.ok) await checkOnce(watching);
    const offered = toolsChanged && (await toolsOffered(catalogue, context));
    if (offered !== null && tools !== null && offered !== tools && !isOver()) toolsChanged?.();
    tools = offered ?? tools;
    await sleep(everyMs, undefined, { signal: gone }).catch(() => {});
  }
}

/** A resource that can no longer be read is left out: the client learns why when it reads it. */
async function checkOnce({ catalogue, context, list, changed, isOver }: Watching): Promise<void> {
  for (const { uri, mark } of await list.read()) {
    const found = watchable(catalogue, uri);
    const seen = found && (await fingerprint(found, context, "service"));
    if (isOver()) return;
    if (seen?.ok && seen.mark !== mark && (await list.record(uri, mark, seen.mark))) changed(uri);
  }
}
