import type { Outline } from "../contract/outline.ts";
import { isJsonObject } from "../contract/json-body.ts";
import { mostWatched, type Watched } from "../core/access/dialogue.ts";
import { hourMs } from "../core/time.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Exchange } from "./exchange.ts";
import { errorBody, openStream, said, type McpResponse } from "./http-answers.ts";
import { tokenIdOf, type Dialogues } from "./http-client.ts";
import { liveStream } from "./live-stream.ts";
import type { Request } from "./message.ts";
import { markOf, watchable } from "./news.ts";
import { metaKey } from "./protocol.ts";
import { rpcCode, rpcFailure } from "./rpc.ts";
import type { Session } from "./session.ts";
import { watchOver, type WatchList } from "./watching.ts";

/** Streams that one token may keep open in one process. */
const mostStreams = 10;
/** So long one that holds as many had better wait, seconds. */
const waitSeconds = 60;

/** Tells clients what changed, on streams that they keep open for it. */
export class Listeners {
  readonly #catalogue: Catalogue<Outline>;
  readonly #dialogues: Dialogues;
  readonly #open = new Map<string, number>();

  constructor(catalogue: Catalogue<Outline>, dialogues: Dialogues) {
    this.#catalogue = catalogue;
    this.#dialogues = dialogues;
  }

  /** The stream of a session, of revisions before 2026-07-28: it tells of what the session watches at the time. */
  async listen(exchange: Exchange, { name }: Session): Promise<McpResponse> {
    const { store, clock } = this.#dialogues;
    const tokenId = await tokenIdOf(exchange);
    const key = { tokenId, session: name };
    let kept = 0;
    const list: WatchList = {
      read: async () => {
        const watched = await store.watched(key);
        if (watched.length > 0 && clock() - kept > hourMs) await store.keep(key, (kept = clock()));
        return watched;
      },
      tell: (uri, from, to) => store.tell(key, uri, from, to),
    };
    return this.#stream(tokenId, exchange, list, null);
  }

  /** The stream a request of revision 2026-07-28 asks for, with what it wants to be told of. */
  async subscribed(exchange: Exchange, { id, params = {} }: Request): Promise<McpResponse> {
    const wanted = params["notifications"];
    if (!isJsonObject(wanted)) return wrong(id, "notifications says what the stream is to tell of");
    const { resourceSubscriptions: uris = [] } = wanted;
    if (!Array.isArray(uris) || uris.length > mostWatched || !uris.every((uri) => typeof uri === "string"))
      return wrong(id, `resourceSubscriptions is a list of ${mostWatched} URIs at most`);
    const marks = new Map<string, string>();
    for (const { uri, mark } of await this.#known(exchange, uris)) marks.set(uri, mark);
    const list: WatchList = {
      read: async () => [...marks].map(([uri, mark]) => ({ uri, mark })),
      tell: async (uri, _from, to) => {
        marks.set(uri, to);
        return true;
      },
    };
    return this.#stream(await tokenIdOf(exchange), exchange, list, { id, uris: [...marks.keys()] });
  }

  /** Those of them that the caller can watch now. */
  async #known(exchange: Exchange, uris: readonly string[]): Promise<Watched[]> {
    const known: Watched[] = [];
    for (const uri of uris) {
      const found = watchable(this.#catalogue, uri);
      const seen = found && (await markOf(found, exchange));
      if (seen?.ok) known.push({ uri, mark: seen.mark });
    }
    return known;
  }

  async #stream(
    tokenId: string,
    exchange: Exchange,
    list: WatchList,
    asked: { readonly id: Request["id"]; readonly uris: readonly string[] } | null,
  ): Promise<McpResponse> {
    const open = this.#open.get(tokenId) ?? 0;
    if (open >= mostStreams) return tooMany;
    this.#open.set(tokenId, open + 1);
    const { closing, watchEveryMs: everyMs } = this.#dialogues;
    const { body, send, stayAlive, end, gone } = liveStream(closing);
    const _meta = asked && { [metaKey.subscriptionId]: asked.id };
    const notify = (method: string, params: object): void =>
      send({ jsonrpc: "2.0", method, params: { ...params, ...(_meta && { _meta }) } });
    if (asked) {
      const notifications = { resourceSubscriptions: asked.uris };
      notify("notifications/subscriptions/acknowledged", { notifications });
    }
    const changed = (uri: string): void => notify("notifications/resources/updated", { uri });
    const catalogue = this.#catalogue;
    void watchOver({ catalogue, exchange, list, changed, looked: stayAlive, everyMs, gone })
      .then(() => asked && send({ jsonrpc: "2.0", id: asked.id, result: { resultType: "complete", _meta } }))
      // A look that failed is told of where it failed; the client opens the stream again.
      .catch(() => {})
      .finally(() => {
        end();
        this.#leave(tokenId);
      });
    return openStream(body);
  }

  #leave(tokenId: string): void {
    const left = (this.#open.get(tokenId) ?? 1) - 1;
    if (left > 0) this.#open.set(tokenId, left);
    else this.#open.delete(tokenId);
  }
}

const wrong = (id: Request["id"], message: string): McpResponse =>
  said(200, rpcFailure(id, rpcCode.invalidParams, message));

const tooMany = errorBody(
  429,
  "rate_limited",
  `A token keeps ${mostStreams} streams open at most. Close one, or wait until one has ended.`,
  { "retry-after": String(waitSeconds) },
);
