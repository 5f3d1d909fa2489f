import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppContext } from "../contract/call/app-context.ts";
import type { ShedKind } from "../contract/call/meter.ts";
import { Refusal } from "../core/errors.ts";
import { refuseUnread } from "./refusals.ts";
import type { Waits } from "./waits.ts";

/** When something has to wait longer than this, ms, calls of a kind are refused at once. */
const mostWaitMs: Readonly<Record<ShedKind, Waits>> = {
  // A long list waits for several turns, and for a connection more than once.
  repeatable: { callMs: 500, pieceMs: 200, connectionMs: 200 },
  usual: { callMs: 1000, pieceMs: 1000, connectionMs: 500 },
  // A heartbeat has no pieces.
  last: { callMs: 2000, pieceMs: Infinity, connectionMs: 1000 },
};

function waitsTooLong({ callMs, pieceMs, connectionMs }: Waits, kind: ShedKind): boolean {
  const most = mostWaitMs[kind];
  return callMs > most.callMs || pieceMs > most.pieceMs || connectionMs > most.connectionMs;
}

/** After this time at least, and at most, somebody may try again, s: not all of them at once. */
const [soonestS, latestS] = [3, 15];

/** They say how the service is, or cost next to nothing. */
const alwaysAnswered = ["/livez", "/readyz", "/healthz", "/metrics", "/assets/"];

/** Whoever is refused these has no data of the moment, or no way in. */
const refusedLast = [
  "/plugin/v1/heartbeat",
  "/oauth/",
  "/.well-known/",
  "/sign-in",
  "/sign-up",
  "/sign-out",
  "/password/",
  "/verify-email/",
];

/** Data of the past: the sender keeps them, and sends them again. */
const keptBySenders = ["/plugin/v1/samples", "/plugin/v1/events", "/plugin/v1/software"];

/** Null for what is always answered. Pieces of a page that is shown are asked for again by themselves. */
function kindOf({ method, url, query }: Pick<FastifyRequest, "method" | "url" | "query">): ShedKind | null {
  const isAmong = (beginnings: readonly string[]): boolean => beginnings.some((each) => url.startsWith(each));
  if (isAmong(alwaysAnswered)) return null;
  if (isAmong(refusedLast)) return "last";
  if (isAmong(keptBySenders)) return "repeatable";
  const { part, data } = query as Readonly<Record<string, unknown>>;
  const isRead = method === "GET" || method === "HEAD";
  const isPiece = part !== undefined || data !== undefined;
  return isRead && (isPiece || url.startsWith("/api/")) ? "repeatable" : "usual";
}

/** Whether calls of some kind are refused. */
export const shedsLoad = (waits: Waits): boolean => waitsTooLong(waits, "repeatable");

/** Refuses a call that would have to wait too long; returns whether it did. Reads no body and no database. */
export function shedLoad(
  app: AppContext,
  waits: Waits,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (!shedsLoad(waits)) return false;
  const kind = kindOf(request);
  if (kind === null || !waitsTooLong(waits, kind)) return false;
  app.meter.callShed(kind);
  const seconds = soonestS + Math.round(Math.random() * (latestS - soonestS));
  const message = `The service has more calls than it can answer in time. Try again in ${seconds} seconds.`;
  // A browser asks for the page again by itself.
  if ((request.headers.accept ?? "").includes("text/html")) reply.header("refresh", String(seconds));
  refuseUnread(app, reply, new Refusal("unavailable", message, {}, seconds));
  return true;
}
