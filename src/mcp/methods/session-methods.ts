import { mostWatched } from "../../core/access/dialogue.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { isLogLevel } from "../protocol/client-log.ts";
import { readError } from "./resources.ts";
import {
  callerOf,
  throwIfCallerRefused,
  refuseRequest,
  type ClientSession,
  type McpRequest,
  type Params,
  type McpReply,
} from "./request.ts";
import { idSources } from "../result/id-sources.ts";
import { fingerprint, watchable } from "./fingerprint.ts";
import { errorOf } from "../result/result.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";

/* Settings of older clients for later requests; from 2026-07-28 on each request carries its own. */

export async function setLogLevel(
  _catalogue: Catalogue<Outline>,
  { level }: Params,
  context: McpRequest,
): Promise<McpReply> {
  if (!isLogLevel(level))
    return refuseRequest(context, rpcCode.invalidParams, "There is no log level with this name");
  const session = await sessionOf(context);
  await session.setLogLevel(level);
  return done;
}

/** The read that a subscription needs is counted in the hour window. */
export async function subscribe(
  catalogue: Catalogue<Outline>,
  { uri }: Params,
  context: McpRequest,
): Promise<McpReply> {
  const { watch } = await sessionOf(context);
  if (watch === null) throw notHere();
  const found = typeof uri === "string" ? watchable(catalogue, uri) : null;
  const seen = found && (await fingerprint(found, context, "caller"));
  if (typeof uri !== "string" || found === null || seen === null)
    return refuseRequest(context, rpcCode.invalidParams, unwatched);
  if (!seen.ok) {
    throwIfCallerRefused(context, seen);
    const { view } = found.resource;
    const idsFrom = await idSources(catalogue, context, view, seen);
    throw readError(errorOf(view, seen, catalogue.wording, { idsFrom, now: context.backend.now() }), uri);
  }
  if (await watch({ uri, mark: seen.mark })) return done;
  return refuseRequest(
    context,
    rpcCode.invalidParams,
    `A session can watch at most ${mostWatched} resources`,
  );
}

export async function unsubscribe(
  catalogue: Catalogue<Outline>,
  { uri }: Params,
  context: McpRequest,
): Promise<McpReply> {
  const { unwatch } = await sessionOf(context);
  if (unwatch === null) throw notHere();
  if (typeof uri !== "string" || watchable(catalogue, uri) === null)
    return refuseRequest(context, rpcCode.invalidParams, unwatched);
  await unwatch(uri);
  return done;
}

const done: McpReply = { result: {} };

const notHere = (): RpcError => new RpcError(rpcCode.methodNotFound, "Method not found");

const unwatched =
  "Only states can be watched: of a server, its maintenance, its regression verdict, the overview and the groups";

/** Refuses a request without a session, because its settings could not be stored. */
async function sessionOf(context: McpRequest): Promise<ClientSession> {
  await callerOf(context);
  return (
    context.session ??
    refuseRequest(
      context,
      rpcCode.invalidParams,
      "This needs a session: send the Mcp-Session-Id from the answer to initialize",
    )
  );
}
