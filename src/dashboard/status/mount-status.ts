import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callAsPerson, type PersonCalling } from "../../contract/call/call-as-person.ts";
import { asRefusal } from "../../contract/call/refusals.ts";
import { tooManyAttempts } from "../../contract/limits/attempt-limits.ts";
import { unknownAddresses } from "../../contract/limits/unknown-addresses.ts";
import { Refusal } from "../../core/errors.ts";
import { isStatusAddress } from "../../core/status-page/status-page.ts";
import { secondMs } from "../../core/time.ts";
import { nextTurn } from "../../core/turns.ts";
import { findStatusPage } from "../../actions/status-page/find-status-page.ts";
import { getPublicStatus } from "../../actions/status-page/get-public-status.ts";
import type { DashboardDeps } from "../deps.ts";
import { nullIfRefused } from "../parts/null-if-refused.ts";
import { securityHeaders } from "../security-headers.ts";
import { renderBadge } from "./badge.tsx";
import { renderChart } from "./chart.tsx";
import { renderStatusPage } from "./public-page.tsx";
import { isKnownEtag } from "./known-etag.ts";
import { PublicCache, statusLimits, type PublicBodies } from "./public-cache.ts";
import { statusProblem } from "./status-problem.tsx";
import { imageHeaders } from "./svg-image.tsx";

type StatusPart = "page" | "badge" | "chart";
type StatusBodies = PublicBodies<StatusPart>;

const parts: readonly (readonly [path: string, part: StatusPart])[] = [
  ["/status/:address", "page"],
  ["/status/:address/badge.svg", "badge"],
  ["/status/:address/chart.svg", "chart"],
];

/** Pages and images are the same for everybody: no cookie is read or set, no session looked up. */
export function mountStatusPages(scope: FastifyInstance, deps: DashboardDeps): void {
  const cache = new PublicCache<StatusPart>(statusLimits);
  const unknown = unknownAddresses();
  const { app, assets } = deps;
  const bodiesFor = async (request: FastifyRequest): Promise<StatusBodies> => {
    const { address = "" } = request.params as Record<string, string>;
    const client = deps.addressOf(request);
    const nobody: PersonCalling = { kind: "anonymous", address: client };
    const now = app.clock();
    const wait = cache.has(address) ? null : unknown.wait(client, now);
    if (wait !== null)
      throw tooManyAttempts("Too many addresses without a status page were tried.", Math.ceil(wait));
    const call = { address };
    const found = isStatusAddress(address)
      ? await nullIfRefused(["not_found"], callAsPerson(app, findStatusPage, nobody, call, request.id))
      : null;
    if (found === null) {
      cache.forget(address);
      unknown.count(client, now);
      throw nothing();
    }
    return cache.of(address, `${found.id} ${found.version}`, now, async () => {
      const status = await callAsPerson(app, getPublicStatus, nobody, call, request.id);
      // Other requests are served before each piece of work that cannot be divided.
      await nextTurn();
      const page = renderStatusPage(status, assets.addressOf);
      await nextTurn();
      return { page, badge: renderBadge(status), chart: renderChart(status) };
    });
  };
  for (const [url, part] of parts) {
    scope.get(url, async (request, reply) => {
      try {
        const bodies = await bodiesFor(request);
        return answer(request, reply, part, bodies);
      } catch (error) {
        return refuse(reply, part, asRefusal(error, app, request.id), assets.addressOf);
      }
    });
    scope.takenPaths.add(url, ["GET"]);
  }
}

const nothing = (): Refusal => new Refusal("not_found", "There is no status page at this address.");

const pageHeaders = (): Readonly<Record<string, string>> => ({
  ...securityHeaders(),
  "cross-origin-resource-policy": "same-origin",
});

const headersOf = (part: StatusPart): Readonly<Record<string, string>> =>
  part === "page" ? pageHeaders() : imageHeaders();

const types: Readonly<Record<StatusPart, string>> = {
  page: "text/html; charset=utf-8",
  badge: "image/svg+xml; charset=utf-8",
  chart: "image/svg+xml; charset=utf-8",
};

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  part: StatusPart,
  bodies: StatusBodies,
): FastifyReply {
  const { bytes, etag } = bodies[part];
  reply
    .headers(headersOf(part))
    .header("cache-control", `public, max-age=${statusLimits.renewedAfterMs / secondMs}`)
    .header("etag", etag);
  if (isKnownEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", types[part]).send(bytes);
}

function refuse(
  reply: FastifyReply,
  part: StatusPart,
  refusal: Refusal,
  asset: (name: string) => string,
): FastifyReply {
  if (refusal.retryAfterSeconds !== null) reply.header("retry-after", refusal.retryAfterSeconds);
  reply.code(refusal.status).headers(headersOf(part));
  return part === "page"
    ? reply.header("content-type", types.page).send(statusProblem(refusal, asset))
    : reply.header("content-type", "text/plain; charset=utf-8").send(`${refusal.message}\n`);
}
