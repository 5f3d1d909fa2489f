import { constants } from "node:zlib";
import compress from "@fastify/compress";
import cookies from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tooManyAttempts, countAttempt, type AttemptLimit } from "../contract/limits/attempt-limits.ts";
import { openBodyLimit } from "../contract/limits/body-limits.ts";
import { requireNothingOwed, senderIdOf } from "../contract/limits/sender-throttle.ts";
import { originCheck } from "../contract/call/origin.ts";
import { isSignedIn } from "../contract/call/person.ts";
import { asRefusal } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { minuteMs } from "../core/time.ts";
import { displayedFor, displayOf } from "./display.ts";
import { pieceIn, receiveUpload, respond, respondWithError, respondWithPiece } from "./respond.ts";
import { chargeSender, visitorOf } from "./visitor-of.ts";
import type { DashboardPage } from "./page.ts";
import { securityHeaders } from "./security-headers.ts";
import { isForm, receiveSent, sentBy } from "./sent-form.ts";
import { formCookie, formHolder } from "./session-cookie.ts";
import { mountSharedProfiles } from "./status/mount-shared-profiles.ts";
import { mountStatusPages } from "./status/mount-status.ts";
import type { DashboardDeps } from "./deps.ts";

/** The longest form of a signed-in person, bytes. */
const formLimit = 256 * 1024;

/** Forms from one address without a session: a school class can sign in at the same time. */
const formAttempts: AttemptLimit = { kind: "address_form", lengthMs: minuteMs, limit: 120 };

/** Seconds. The address of an asset changes with its content. */
const assetMaxAge = 31_536_000;

/**
 * Compression can reveal a secret beside text of an attacker. The only secret of a page that is shown again
 * is its form token, which differs in every answer.
 */
const compression = {
  encodings: ["br" as const, "gzip" as const],
  globalDecompression: false,
  // Of 60 kB, quality 4 makes 8,115 bytes in 0.9 ms, 5 7,454 in 1.5, 7 7,298 in 1.9, 9 7,237 in 20.
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } },
};

export function mountDashboard(
  http: FastifyInstance,
  deps: DashboardDeps,
  pages: readonly DashboardPage[],
): void {
  http.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => void reply.header("x-request-id", request.id));
    await scope.register(compress, compression);
    // Compression uses `Response`, whose first use loads Node's fetch, 20 ms: it is loaded at the start.
    scope.addHook("onListen", async () => void globalThis.Response);
    await scope.register(cookies);
    await scope.register(csrf, {
      ...formCookie(deps.app.baseUrl),
      csrfOpts: { hmacKey: deps.csrfKey },
      getToken: tokenOf,
      getUserInfo: (request) => formHolder(request, deps.app.baseUrl),
    });
    mountStatusPages(scope, deps);
    mountSharedProfiles(scope, deps);
    mountAssets(scope, deps);
    scope.register(async (own) => {
      // Only these pages depend on the browser's display; the public ones do not.
      own.addHook("onRequest", (request, _reply, done) => displayedFor(displayOf(request), done));
      for (const page of pages) mountPage(own, page, deps);
      mountNotFound(own, deps);
    });
  });
}

/** Paths for programs: a missing one is answered with JSON and not with a page. */
const programPaths = /^\/(api|agent|assets|mcp|oauth|plugin|\.well-known)(\/|$)/;

function mountNotFound(scope: FastifyInstance, deps: DashboardDeps): void {
  scope.get("/*", async (request, reply) => {
    const isBrowser = (request.headers.accept ?? "").includes("text/html");
    const [path = "/"] = request.url.split("?", 1);
    if (!isBrowser || programPaths.test(path)) return reply.callNotFound();
    return respondWithError(deps, request, reply, new Refusal("not_found", "There is no such page."), 404);
  });
}

/** An asset that is opened by itself runs and loads nothing. Within a page the page's policy applies. */
const assetPolicy = "default-src 'none'";

/** Brotli is accepted unless its weight is zero. */
const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  String(headers["accept-encoding"] ?? "")
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim()))
    .some(([name, weight = "q=1"]) => name === "br" && Number(weight.slice(2)) > 0);

function mountAssets(scope: FastifyInstance, { assets }: DashboardDeps): void {
  scope.get("/assets/:version/:name", async (request, reply) => {
    const { version = "", name = "" } = request.params as Record<string, string>;
    const found = assets.at(version, name);
    if (!found) return reply.headers(securityHeaders()).code(404).send("");
    reply
      .header("content-type", found.type)
      .header("content-security-policy", assetPolicy)
      .header("cache-control", `public, max-age=${assetMaxAge}, immutable`)
      .header("vary", "accept-encoding");
    if (!takesBrotli(request)) return reply.send(found.bytes);
    return reply.header("content-encoding", "br").send(found.smallest);
  });
}

function mountPage(scope: FastifyInstance, page: DashboardPage, deps: DashboardDeps): void {
  const url = page.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const { upload } = page;
  const posts = Object.keys(page.actions).length > 0 || upload !== undefined;
  scope.get(url, (request, reply) => {
    const piece = pieceIn(page, request);
    return piece === null
      ? respond(page, deps, request, reply, null)
      : respondWithPiece(page, piece, deps, request, reply);
  });
  scope.takenPaths.add(url, posts ? ["GET", "POST"] : ["GET"]);
  if (!posts) return;
  scope.route({
    method: "POST",
    url,
    preHandler: [
      async (request, reply) => (await admit(page, deps, request, reply)) ?? undefined,
      scope.csrfProtection,
    ],
    errorHandler: (error, request, reply) => {
      const stale = String(error.code).startsWith("FST_CSRF");
      const refusal = stale ? outOfDate() : asRefusal(error, deps.app, request.id);
      if (refusal.retryAfterSeconds !== null) reply.header("retry-after", refusal.retryAfterSeconds);
      void chargeSender(deps, request, refusal);
      void respondWithError(deps, request, reply, refusal, stale ? 403 : refusal.status);
    },
    handler: (request, reply) =>
      upload && !isForm(request)
        ? receiveUpload(page, upload, deps, request, reply)
        : respond(page, deps, request, reply, sentBy(request).form),
  });
}

/** A request from another site is refused before its token is checked. Returns the reply of a refusal. */
async function admit(
  page: DashboardPage,
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | null> {
  const { app } = deps;
  if (originCheck(app.baseUrl)(request.raw.rawHeaders) !== null)
    return respondWithError(deps, request, reply, fromOtherSite(), 403);
  const { upload } = page;
  const visitor = await visitorOf(deps, request);
  requireNothingOwed(app.throttle, senderIdOf(visitor), app.clock());
  const isSignedOut = !isSignedIn(visitor);
  if (isSignedOut) {
    const address = deps.addressOf(request);
    const wait = await countAttempt(app.db, formAttempts, address, app.clock());
    if (wait !== null) {
      const refusal = tooManyAttempts(
        "Too many forms came from this address. Wait a minute, then send the form again.",
        wait,
      );
      reply.header("retry-after", wait);
      return respondWithError(deps, request, reply, refusal, refusal.status);
    }
    if (page.who !== "anyone" && deps.isLongBody(request))
      return upload && !isForm(request)
        ? receiveUpload(page, upload, deps, request, reply)
        : respond(page, deps, request, reply, null);
  }
  const longest = isForm(request) ? formLimit : Math.max(formLimit, upload?.limit ?? 0);
  await receiveSent(request, deps, isSignedOut ? (page.openFormLimit ?? openBodyLimit) : longest);
  return null;
}

const fromOtherSite = (): Refusal =>
  new Refusal(
    "validation_error",
    "This form was sent from another site. Open the page here and send it again.",
  );

const outOfDate = (): Refusal =>
  new Refusal("validation_error", "This form was out of date. Go back, reload the page, and send it again.");

/** The token of a form, or of a script that sends a file. */
function tokenOf(request: FastifyRequest): string {
  const header = request.headers["x-csrf-token"];
  return typeof header === "string" ? header : sentBy(request).csrfToken;
}
