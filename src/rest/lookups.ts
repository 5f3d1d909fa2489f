import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticateApi, requireCovered } from "../contract/call/authenticate.ts";
import type { AppContext, Credentials } from "../contract/call/app-context.ts";
import { countAlerts } from "../contract/endpoint/count-alerts.ts";
import { findNamed, namedKinds } from "../contract/endpoint/find-named.ts";
import { asRefusal } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { callerAddress } from "./client-address.ts";
import { commonHeaders } from "./reply.ts";
import { refuse } from "./refusals.ts";

const path = "/mcp/names";

/** The scopes and plan of a token, for a connector that checks whether its list of tools changed. */
const callerPath = "/mcp/caller";

const countsPath = "/mcp/alert-counts";

/** Uncounted reads for the connector over stdio. */
export function mountLookups(http: FastifyInstance, app: AppContext): void {
  http.get(path, async (request, reply) => answer(app, request, reply, namesFor));
  http.get(callerPath, async (request, reply) => answer(app, request, reply, callerFor));
  http.get(countsPath, async (request, reply) => answer(app, request, reply, countsFor));
  for (const url of [path, callerPath, countsPath]) http.takenPaths.add(url, ["GET"]);
}

type Answer = (app: AppContext, request: FastifyRequest, credentials: Credentials) => Promise<object>;

async function answer(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answerFor: Answer,
): Promise<FastifyReply> {
  try {
    const { authorization = null } = request.headers;
    if (authorization === null)
      throw new Refusal(
        "unauthorized",
        "This call needs a token. Send it in the header Authorization: Bearer.",
      );
    const credentials = { authorization, address: callerAddress(request.ip), unnoticed: true } as const;
    const body = await answerFor(app, request, credentials);
    return reply.headers(commonHeaders(request.id, null, app.clock())).send(JSON.stringify(body));
  } catch (error) {
    return refuse(app, request, reply, asRefusal(error, app, request.id));
  }
}

const namesFor: Answer = async (app, { query }, credentials) => {
  const { kind: sent, text, near } = query as Record<string, unknown>;
  const kind = namedKinds.find((known) => known === sent);
  if (kind === undefined || typeof text !== "string")
    throw new Refusal("validation_error", `Send both parameters: kind (${namedKinds.join(", ")}) and text.`);
  return { data: await findNamed(app, credentials, kind, text, near === "true" ? "near" : "exact") };
};

const callerFor: Answer = async (app, _request, credentials) => {
  const caller = await authenticateApi(app, credentials, app.clock());
  if (caller.kind !== "token") return { scopes: [], account: { plan: null } };
  requireCovered(caller);
  return { scopes: caller.scopes, account: { plan: caller.account.plan } };
};

const countsFor: Answer = async (app, { query }, credentials) => {
  const { filters } = query as Record<string, unknown>;
  return { data: await countAlerts(app, credentials, filtersIn(filters)) };
};

/** JSON, because query parameters have no types. */
function filtersIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new Refusal("validation_error", "Send the parameter filters: a JSON object.");
  }
}
