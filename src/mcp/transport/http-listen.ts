import {
  selectWatchedResources,
  moveWatchFingerprint,
  keepDialogueSession,
} from "../../store/access/dialogues.ts";
import type { Backend, Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { mostWatched } from "../../core/access/dialogue.ts";
import { Unavailable } from "../../core/errors.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { toolsChanged } from "../methods/tools.ts";
import { throwIfCallerRefused, type McpRequest } from "../methods/request.ts";
import { errorBody, openStream, jsonRpcResponse, type McpResponse } from "./http-answers.ts";
import { tokenIdOf, type Dialogues } from "./http-client.ts";
import { liveStream, type LiveStream } from "./live-stream.ts";
import type { Request } from "../protocol/message.ts";
import { narrowedCatalogue } from "../catalogue/narrowed-catalogue.ts";
import { fingerprint, watchable } from "../methods/fingerprint.ts";
import { metaKey } from "../protocol/revisions.ts";
import { rpcCode, rpcFailure } from "../protocol/rpc.ts";
import type { McpSession } from "./session.ts";
import { watchResources, type Watching, type WatchList } from "../methods/watching.ts";

/** Streams that one token may keep open in one process. */
const mostStreams = 10;
/** The Retry-After of a token with too many streams, seconds. */
const waitSeconds = 60;
/** How long a client waits before it reopens an ended stream, ms: a restart of the service takes less. */
const retryMs = 15_000;

interface Held {
  readonly tokenId: string;
  readonly session: string | null;
  readonly stream: LiveStream;
}

type StreamNews = Pick<Watching, "changed" | "toolsChanged"> & { readonly atEnd?: () => void };

/** The open streams that notify clients of changes. */
export class Listeners {
  readonly #catalogue: Catalogue<Outline>;
  readonly #dialogues: Dialogues;
  readonly #open = new Set<Held>();

  constructor(catalogue: Catalogue<Outline>, dialogues: Dialogues) {
    this.#catalogue = catalogue;
    this.#dialogues = dialogues;
  }

  /** Reports changes of the session's resources. Replaces an older stream, whose client may be gone. */
  async listen(context: McpRequest, { name }: McpSession, watcher: Backend): Promise<McpResponse> {
    const tokenId = await tokenIdOf(context);
    const held = this.#hold(tokenId, name);
    if (held === null) return tooMany;
    held.stream.retryAfter(retryMs);
    const list = sessionsList({ tokenId, session: name }, this.#dialogues);
    this.#watch(held, { ...context, backend: watcher }, list, {
      changed: (uri) => held.stream.send(updated(uri)),
      toolsChanged: () => held.stream.send(toolsChanged),
    });
    return openStream(held.stream.body, true);
  }

  /** The stream of a `subscriptions/listen` request of revision 2026-07-28. */
  async subscribed(
    context: McpRequest,
    { id, params = {} }: Request,
    watcher: Backend,
    identity: object,
  ): Promise<McpResponse> {
    const uris = urisOf(params["notifications"]);
    if (uris === null)
      return jsonRpcResponse(
        200,
        rpcFailure(id, rpcCode.invalidParams, `At most ${mostWatched} URIs can be watched at once`),
      );
    const held = this.#hold(await tokenIdOf(context), null);
    if (held === null) return tooMany;
    const { stream } = held;
    const { marks, refused } = await this.#known(context, uris).catch((error: unknown) => {
      this.#drop(held);
      throw error;
    });
    if (marks.size === 0 && refused !== null) {
      this.#drop(held);
      throwIfCallerRefused(context, refused);
      return jsonRpcResponse(200, rpcFailure(id, rpcCode.internalError, refused.body.message, refused.body));
    }
    const _meta = { [metaKey.subscriptionId]: id };
    const wantsTools =
      isJsonObject(params["notifications"]) && params["notifications"]["toolsListChanged"] === true;
    const notifications = {
      ...(wantsTools && { toolsListChanged: true }),
      ...(marks.size > 0 && { resourceSubscriptions: [...marks.keys()] }),
    };
    stream.send({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications, _meta },
    });
    const end = (): void => {
      const meta = { ..._meta, [metaKey.serverInfo]: identity };
      stream.send({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta: meta } });
    };
    if (marks.size > 0 || wantsTools)
      this.#watch(held, { ...context, backend: watcher }, ownList(marks), {
        changed: (uri) => stream.send(updated(uri, _meta)),
        toolsChanged: wantsTools ? () => stream.send({ ...toolsChanged, params: { _meta } }) : null,
        atEnd: end,
      });
    else {
      end();
      this.#drop(held);
    }
    return openStream(stream.body, true);
  }

  /** The fingerprints of the URIs that the caller can watch now, and the last refusal of a read. */
  async #known(
    context: McpRequest,
    uris: ReadonlySet<string>,
  ): Promise<{ readonly marks: Map<string, string>; readonly refused: Refused | null }> {
    const offered = narrowedCatalogue(this.#catalogue, context.narrowing);
    const marks = new Map<string, string>();
    let refused: Refused | null = null;
    for (const uri of uris) {
      const found = watchable(offered, uri);
      const seen = found && (await fingerprint(found, context, "caller"));
      if (seen?.ok) marks.set(uri, seen.mark);
      else if (seen && seen.status !== 404) refused = seen;
    }
    return { marks, refused };
  }

  /** Closes an older stream of the session. Null if the token has too many streams. */
  #hold(tokenId: string, session: string | null): Held | null {
    const own = [...this.#open].filter((held) => held.tokenId === tokenId);
    const older = session === null ? undefined : own.find((held) => held.session === session);
    if (older) this.#drop(older);
    else if (own.length >= mostStreams) return null;
    const held = { tokenId, session, stream: liveStream(this.#dialogues.closing) };
    this.#open.add(held);
    held.stream.gone.addEventListener("abort", () => this.#open.delete(held), { once: true });
    return held;
  }

  #drop(held: Held): void {
    this.#open.delete(held);
    held.stream.end();
  }

  #watch(
    held: Held,
    context: McpRequest,
    list: WatchList,
    { changed, toolsChanged: tellTools, atEnd = () => {} }: StreamNews,
  ): void {
    const { watchEveryMs: everyMs, reportDefect } = this.#dialogues;
    const { stream } = held;
    const isOver = (): boolean => stream.gone.aborted || !this.#open.has(held);
    void watchResources({
      catalogue: narrowedCatalogue(this.#catalogue, context.narrowing),
      context,
      list,
      changed,
      toolsChanged: tellTools,
      checked: stream.stayAlive,
      everyMs,
      gone: stream.gone,
      isOver,
    })
      .then(atEnd)
      .catch((error: unknown) => reportDefect(error, context.requestId))
      .finally(() => this.#drop(held));
  }
}

const updated = (uri: string, _meta?: object): object => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { uri, ...(_meta && { _meta }) },
});

/** Null if the value is not a list of URIs, or the list is too long. */
function urisOf(requested: unknown): ReadonlySet<string> | null {
  if (!isJsonObject(requested)) return null;
  const { resourceSubscriptions: uris = [] } = requested;
  if (!Array.isArray(uris) || uris.length > mostWatched || !uris.every((uri) => typeof uri === "string"))
    return null;
  return new Set(uris);
}

/** A session's subscriptions, read from the database: another process may have made them. */
const sessionsList = (
  key: { readonly tokenId: string; readonly session: string },
  { db, clock }: Dialogues,
): WatchList => ({
  read: async () => {
    const watched = await db.read(selectWatchedResources, key).catch(whileAway([]));
    if (watched.length > 0)
      await db.writeRelaxed(keepDialogueSession, key, clock()).catch(whileAway(undefined));
    return watched;
  },
  // A change that cannot be recorded now is reported when it can be.
  record: (uri, from, to) =>
    db.writeRelaxed(moveWatchFingerprint, key, uri, from, to).catch(whileAway(false)),
});

/** While the database is unavailable or full the stream waits. */
const whileAway =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Unavailable) return instead;
    throw error;
  };

/** The subscriptions of one stream, kept in memory. */
const ownList = (marks: Map<string, string>): WatchList => ({
  read: async () => [...marks].map(([uri, mark]) => ({ uri, mark })),
  record: async (uri, _from, to) => {
    marks.set(uri, to);
    return true;
  },
});

const tooMany = errorBody(
  429,
  "rate_limited",
  `A token can have at most ${mostStreams} open streams. Close one, or wait until one ends.`,
  { "retry-after": String(waitSeconds) },
);
