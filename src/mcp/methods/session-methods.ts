import { mostWatched } from "../../core/access/dialogue.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { isLogLevel } from "../protocol/client-log.ts";
import { readError } from "./resources.ts";
import {
  askerOf,
  passOn,
  refuse,
  type ClientSession,
  type Exchange,
  type Params,
  type Reply,
} from "./request.ts";
import { idSources } from "../result/id-sources.ts";
import { markOf, watchable } from "./fingerprint.ts";
import { errorOf } from "../result/result.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";

/*
 * What clients of older revisions set up for their later requests. From 2026-07-28 on every request says for itself
 * what it wants, and these methods are gone.
 */

export async function setLogLevel(
  _catalogue: Catalogue<Outline>,
  { level }: Params,
  exchange: Exchange,
): Promise<Reply> {
  if (!isLogLevel(level)) return refuse(exchange, rpcCode.invalidParams, "No level of a log has this name");
  const session = await sessionOf(exchange);
  await session.setLogLevel(level);
  return done;
}

/** From now on the session is told when the resource has changed. The look at it is counted in the hour. */
export async function subscribe(
  catalogue: Catalogue<Outline>,
  { uri }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const { watch } = await sessionOf(exchange);
  if (watch === null) throw notHere();
  const found = typeof uri === "string" ? watchable(catalogue, uri) : null;
  const seen = found && (await markOf(found, exchange, "caller"));
  if (typeof uri !== "string" || found === null || seen === null)
    return refuse(exchange, rpcCode.invalidParams, unwatched);
  if (!seen.ok) {
    passOn(exchange, seen);
    const { view } = found.resource;
    const idsFrom = await idSources(catalogue, exchange, view, seen);
    throw readError(errorOf(view, seen, catalogue.wording, idsFrom), uri);
  }
  if (await watch({ uri, mark: seen.mark })) return done;
  return refuse(exchange, rpcCode.invalidParams, `A session watches ${mostWatched} resources at most`);
}

export async function unsubscribe(
  catalogue: Catalogue<Outline>,
  { uri }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const { unwatch } = await sessionOf(exchange);
  if (unwatch === null) throw notHere();
  if (typeof uri !== "string" || watchable(catalogue, uri) === null)
    return refuse(exchange, rpcCode.invalidParams, unwatched);
  await unwatch(uri);
  return done;
}

const done: Reply = { result: {} };

const notHere = (): RpcError => new RpcError(rpcCode.methodNotFound, "Method not found");

const unwatched =
  "Watched are states: of a server, its maintenance, its regression verdict, the overview and the groups";

/** The caller's own; a client that carries none has nowhere to set anything up. */
async function sessionOf(exchange: Exchange): Promise<ClientSession> {
  await askerOf(exchange);
  return (
    exchange.session ??
    refuse(exchange, rpcCode.invalidParams, "This takes a session: send the Mcp-Session-Id of initialize")
  );
}
