import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callAsPerson, type PersonCalling } from "../../contract/call/call-as-person.ts";
import { asRefusal } from "../../contract/call/refusals.ts";
import { tooManyAttempts } from "../../contract/limits/attempt-limits.ts";
import { unknownAddresses } from "../../contract/limits/unknown-addresses.ts";
import { Refusal } from "../../core/errors.ts";
import { isLinkSecret } from "../../core/profile/profile-link.ts";
import { dayMs } from "../../core/time.ts";
import { findSharedProfile } from "../../actions/profile/find-shared-profile.ts";
import { getSharedProfile } from "../../actions/profile/get-shared-profile.ts";
import type { DashboardDeps } from "../deps.ts";
import { nullIfRefused } from "../parts/null-if-refused.ts";
import { securityHeaders } from "../security-headers.ts";
import { isKnownEtag } from "./known-etag.ts";
import { PublicCache, type CacheLimits, type PublicBodies } from "./public-cache.ts";
import { renderSharedProfile, sharedProfileProblem } from "./shared-profile.tsx";

type SharedPart = "page" | "tree";

/** A profile never changes. A few of the largest fit: a tree is at most 8 MB, usually 200 kB. */
const limits: CacheLimits = { mostPages: 100, mostBytes: 32 * 1024 * 1024, renewedAfterMs: dayMs };

/** Answers are the same for everybody with the link: no cookie is read or set, no session looked up. */
export function mountSharedProfiles(scope: FastifyInstance, deps: DashboardDeps): void {
  const cache = new PublicCache<SharedPart>(limits);
  const unknown = unknownAddresses();
  const { app, assets } = deps;
  const bodiesFor = async (request: FastifyRequest): Promise<PublicBodies<SharedPart>> => {
    const { secret = "" } = request.params as Record<string, string>;
    const client = deps.addressOf(request);
    const nobody: PersonCalling = { kind: "anonymous", address: client };
    const now = app.clock();
    const key = app.secrets.digest(secret);
    const wait = cache.has(key) ? null : unknown.wait(client, now);
    if (wait !== null) throw tooManyAttempts("Too many links that lead nowhere were tried.", Math.ceil(wait));
    const found = isLinkSecret(secret)
      ? await nullIfRefused(
          ["not_found"],
          callAsPerson(app, findSharedProfile, nobody, { secret }, request.id),
        )
      : null;
    if (found === null) {
      cache.forget(key);
      unknown.count(client, now);
      throw leadsNowhere();
    }
    return cache.of(key, found.id, now, async () => {
      const { graph, tree } = await callAsPerson(app, getSharedProfile, nobody, { secret }, request.id);
      return { page: renderSharedProfile(graph, assets.addressOf), tree: JSON.stringify(tree) };
    });
  };
  const url = "/shared/profiles/:secret";
  scope.get(url, async (request, reply) => {
    const part = (request.query as Record<string, unknown>)["data"] === "tree" ? "tree" : "page";
    try {
      const bodies = await bodiesFor(request);
      return answer(request, reply, part, bodies);
    } catch (error) {
      return refuse(reply, asRefusal(error, app, request.id), assets.addressOf);
    }
  });
  scope.takenPaths.add(url, ["GET"]);
}

const leadsNowhere = (): Refusal =>
  new Refusal("not_found", "The link has expired, or its owner revoked it. Ask for a new one.");

/** The address is a secret, so no other site learns it from a link. */
const headers = (): Readonly<Record<string, string>> => ({
  ...securityHeaders(),
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

const types: Readonly<Record<SharedPart, string>> = {
  page: "text/html; charset=utf-8",
  tree: "application/json; charset=utf-8",
};

/** The browser caches the answer, but asks each time whether the link is still valid. */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  part: SharedPart,
  bodies: PublicBodies<SharedPart>,
): FastifyReply {
  const { bytes, etag } = bodies[part];
  reply.headers(headers()).header("cache-control", "public, no-cache").header("etag", etag);
  if (isKnownEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", types[part]).send(bytes);
}

function refuse(reply: FastifyReply, refusal: Refusal, asset: (name: string) => string): FastifyReply {
  if (refusal.retryAfterSeconds !== null) reply.header("retry-after", refusal.retryAfterSeconds);
  return reply
    .code(refusal.status)
    .headers(headers())
    .header("content-type", types.page)
    .send(sharedProfileProblem(refusal, asset));
}
