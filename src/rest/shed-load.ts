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

/** Waits that are too long for less than this, ms, are a burst, which is answered soon. */
const burstMs = 500;

/**
 * So many calls of the kind that is refused first are answered at a time while the service is overloaded. They keep a
 * core busy, and more would only make one another late: 24 overviews of 300 servers take 0.6 s.
 */
const mostRepeatable = 24;

/** That holds so long after the last wait that was too long, ms: else a new crowd would come in at once. */
const holdsMs = 5000;

/** `share` of what is the most for a kind. */
function waitsTooLong({ callMs, pieceMs, connectionMs }: Waits, kind: ShedKind, share = 1): boolean {
  const most = mostWaitMs[kind];
  return (
    callMs > share * most.callMs || pieceMs > share * most.pieceMs || connectionMs > share * most.connectionMs
  );
}

/** Knows whether the service is overloaded: waits stay too long for a while, until they are half as long. */
export class Overload {
  readonly #waits: () => Waits;
  readonly #now: () => number;
  /** Since when waits are too long at each look; null if they were not at the newest one. */
  #since: number | null = null;
  #isOn = false;
  #limitedUntil = -Infinity;
  /** Calls of the kind that is refused first and are being answered. */
  #repeatable = 0;

  constructor(waits: () => Waits, now: () => number = () => performance.now()) {
    this.#waits = waits;
    this.#now = now;
  }

  #look(): Waits {
    const waits = this.#waits();
    if (waitsTooLong(waits, "repeatable")) {
      const now = this.#now();
      this.#since ??= now;
      if (now - this.#since >= burstMs) this.#isOn = true;
      if (this.#isOn) this.#limitedUntil = now + holdsMs;
    } else {
      this.#since = null;
      if (!waitsTooLong(waits, "repeatable", 0.5)) this.#isOn = false;
    }
    return waits;
  }

  /** Whether calls of some kind are refused. */
  get isOn(): boolean {
    this.#look();
    return this.#isOn;
  }

  /** Whether a call of this kind is refused now. */
  refuses(kind: ShedKind): boolean {
    const waits = this.#look();
    if (this.#isOn && waitsTooLong(waits, kind)) return true;
    const isFull = kind === "repeatable" && this.#repeatable >= mostRepeatable;
    return isFull && this.#now() < this.#limitedUntil;
  }

  /** A call of this kind is answered from now on; the function says that it ended. */
  begin(kind: ShedKind): (() => void) | null {
    if (kind !== "repeatable") return null;
    this.#repeatable += 1;
    return () => {
      this.#repeatable -= 1;
    };
  }
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

/** Refuses a call that would have to wait too long; returns whether it did. Reads no body and no database. */
export function shedLoad(
  app: AppContext,
  overload: Overload,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const kind = kindOf(request);
  if (kind === null) return false;
  if (!overload.refuses(kind)) {
    const ended = overload.begin(kind);
    if (ended !== null) reply.raw.once("close", ended);
    return false;
  }
  app.meter.callShed(kind);
  const seconds = soonestS + Math.round(Math.random() * (latestS - soonestS));
  const message = `The service has more calls than it can answer in time. Try again in ${seconds} seconds.`;
  // A browser asks for the page again by itself.
  if ((request.headers.accept ?? "").includes("text/html")) reply.header("refresh", String(seconds));
  refuseUnread(app, reply, new Refusal("unavailable", message, {}, seconds));
  return true;
}
