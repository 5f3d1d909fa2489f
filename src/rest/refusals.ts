import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticateApi, isApiCredential } from "../contract/call/authenticate.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { asRefusal, brokenBody } from "../contract/call/refusals.ts";
import { peekWindows, unknownWindows } from "../contract/limits/quota.ts";
import type { RateWindows } from "../core/access/rate-window.ts";
import { unknownPath, type Refusal } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";
import { callerAddress } from "./client-address.ts";
import { commonHeaders, refusalAnswer } from "./reply.ts";

/** Answers unknown paths, and requests that Fastify refuses before our handlers. */
export function mountRefusals(http: FastifyInstance, app: AppContext): void {
  http.setNotFoundHandler(async (request, reply) => refuse(app, request, reply, unknownPath()));
  http.setErrorHandler(async (error: FastifyError, request, reply) =>
    refuse(app, request, reply, request.is404 ? unknownPath() : refusalOf(error, app, request.id)),
  );
}

export async function refuse(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<FastifyReply> {
  const now = app.clock();
  const windows = await rateWindowViews(app, request, now);
  const { status, headers, body } = refusalAnswer(refusal, commonHeaders(request.id, windows, now));
  return reply.code(status).headers(headers).send(body);
}

/** Reads nothing from the database, for which the request would wait. */
export function refuseUnread(app: AppContext, reply: FastifyReply, refusal: Refusal): void {
  const common = commonHeaders(reply.request.id, unknownWindows(app), app.clock());
  const { status, headers, body } = refusalAnswer(refusal, common);
  void reply.code(status).headers(headers).send(body);
}

/** The windows of a valid token, else of the address. Counts nothing, and never throws. */
export async function rateWindowViews(
  app: AppContext,
  { headers, ip }: FastifyRequest,
  now: Instant,
): Promise<RateWindows> {
  const anonymous = { kind: "anonymous", address: callerAddress(ip) } as const;
  const credentials = { authorization: headers.authorization ?? null, address: anonymous.address };
  try {
    // A server's credential on an unknown path does not count as guessing a token.
    const caller = isApiCredential(credentials)
      ? await authenticateApi(app, credentials, now).catch(() => anonymous)
      : anonymous;
    return await peekWindows(app, caller, now);
  } catch {
    return unknownWindows(app);
  }
}

function refusalOf(error: FastifyError, app: AppContext, requestId: string): Refusal {
  const { statusCode } = error;
  if (statusCode === undefined || statusCode >= 500) return asRefusal(error, app, requestId);
  return brokenBody();
}
