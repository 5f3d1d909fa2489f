import { setTimeout as sleep } from "node:timers/promises";
import type { Watched } from "../../core/access/dialogue.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { toolsOffered } from "./tools.ts";
import type { Exchange } from "./request.ts";
import { markOf, watchable } from "./fingerprint.ts";

/** How often watched resources are looked at, ms: the shortest time in which a server's state can change twice. */
export const usualLookMs = 15_000;

/** What a stream is told of. */
export interface WatchList {
  read(): Promise<readonly Watched[]>;
  /** False where somebody else tells the client of this change. */
  tell(uri: string, from: string, to: string): Promise<boolean>;
}

export interface Watching {
  readonly catalogue: Catalogue<Outline>;
  readonly exchange: Exchange;
  readonly list: WatchList;
  readonly changed: (uri: string) => void;
  /** Told that the list of tools is another one than at the look before; null where nobody wants to know. */
  readonly toolsChanged: (() => void) | null;
  /** Called at every look, whether or not anything changed. */
  readonly looked: () => void;
  readonly everyMs: number;
  /** Ends when nobody reads the stream any more, or the service stops. */
  readonly gone: AbortSignal;
  /** Whether it has ended, or another stream took its place. */
  readonly isOver: () => boolean;
}

/** Looks until nobody reads, or the caller's credential is no longer good; a service that is away for a moment ends nothing. */
export async function watchOver(watching: Watching): Promise<void> {
  const { catalogue, exchange, looked, everyMs, gone, isOver, toolsChanged } = watching;
  let tools: string | null = null;
  while (!isOver()) {
    const known = await exchange.backend.asker(exchange.requestId);
    if (!known.ok && known.status < 500) return;
    looked();
    if (known.ok) await lookOnce(watching);
    const offered = toolsChanged && (await toolsOffered(catalogue, exchange));
    if (offered !== null && tools !== null && offered !== tools && !isOver()) toolsChanged?.();
    tools = offered ?? tools;
    await sleep(everyMs, undefined, { signal: gone }).catch(() => {});
  }
}

/** What can no longer be read is left out: what became of it is told when it is read. */
async function lookOnce({ catalogue, exchange, list, changed, isOver }: Watching): Promise<void> {
  for (const { uri, mark } of await list.read()) {
    const found = watchable(catalogue, uri);
    const seen = found && (await markOf(found, exchange, "service"));
    if (isOver()) return;
    if (seen?.ok && seen.mark !== mark && (await list.tell(uri, mark, seen.mark))) changed(uri);
  }
}
