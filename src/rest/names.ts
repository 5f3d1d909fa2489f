import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Door } from "../contract/door.ts";
import { findNamed, namedKinds } from "../contract/find-named.ts";
import { asRefusal } from "../contract/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { callerAddress } from "./client-address.ts";
import { commonHeaders } from "./reply.ts";
import { refuse } from "./refusals.ts";
import { mountOtherMethods } from "./routes.ts";

const path = "/mcp/names";

/**
 * For the connector over stdio, which has nothing but requests: what of the caller's own has an identifier, or is a
 * server of a name. It tells names and identifiers alone, and no window counts it.
 */
export function mountNames(http: FastifyInstance, door: Door): void {
  http.get(path, async (request, reply) => answerNames(door, request, reply));
  mountOtherMethods(http, path, ["GET"], door);
}

async function answerNames(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  try {
    const { kind: sent, text } = request.query as Record<string, unknown>;
    const kind = namedKinds.find((known) => known === sent);
    const presented = {
      authorization: request.headers.authorization ?? null,
      address: callerAddress(request.ip),
    };
    if (presented.authorization === null)
      throw new Refusal("unauthorized", "This needs a token. Send it as Authorization: Bearer.");
    if (kind === undefined || typeof text !== "string")
      throw new Refusal("validation_error", `This takes kind (${namedKinds.join(", ")}) and text.`);
    const data = await findNamed(door, presented, kind, text);
    return reply.headers(commonHeaders(request.id, null, door.clock())).send(JSON.stringify({ data }));
  } catch (error) {
    return refuse(door, request, reply, asRefusal(error, door, request.id));
  }
}
