import { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import { countAttempt, type AttemptLimit } from "../contract/limits/attempt-limits.ts";
import { openBodyLimit } from "../contract/limits/body-limits.ts";
import type { Consents } from "../contract/call/consents.ts";
import type { FetchDocument } from "../contract/files/fetched-document.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { hourMs, minuteMs } from "../core/time.ts";
import { usableRegistration } from "./client-metadata.ts";
import { consentsOf } from "./consents.ts";
import { mountPreflight, openToPages } from "./cross-origin.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { authorizationQuery, tokenForm } from "./parameters.ts";
import { issuerOf, paths } from "./paths.ts";
import { openProvider, type DocumentFailed, type SuccessorOf } from "./provider.ts";

export interface OAuthDeps {
  readonly app: AppContext;
  readonly fetchDocument: FetchDocument;
  /** Reads the body once; rejects with the refusal of one that is too long. */
  readonly receive: (request: FastifyRequest) => Promise<Buffer | null>;
  /** Whether programs may be known by the address of their metadata document. */
  readonly clientDocuments: boolean;
  readonly documentFailed: DocumentFailed;
  readonly successorOf: SuccessorOf;
  /** The part of the client's address that counts as one caller. */
  readonly addressOf: (request: FastifyRequest) => string;
}

/** A program proves who it is in the body, so that before it only the limit for strangers applies. */
const bodyLimit = openBodyLimit;

/** For one address. A program refreshes its access once an hour; programs at one host share its address. */
const attempts = {
  registration: { kind: "address_registration", lengthMs: hourMs, limit: 20 },
  clientDocument: { kind: "address_client_document", lengthMs: hourMs, limit: 60 },
  token: { kind: "address_token_request", lengthMs: minuteMs, limit: 600 },
} as const satisfies Record<string, AttemptLimit>;

/** The callers of the requests that the library was given. */
type Asking = WeakMap<IncomingMessage, { readonly address: string; readonly requestId: string }>;

/** Returns what the consent page needs. */
export function mountOAuth(http: FastifyInstance, deps: OAuthDeps): Consents {
  const { app } = deps;
  const asking: Asking = new WeakMap();
  let opened: Promise<Provider> | null = null;
  // The base URL may be known only after the service listens.
  const provider = (): Promise<Provider> => (opened ??= open(deps, asking));
  const hand = (request: FastifyRequest, reply: FastifyReply, url: string, body: Buffer | null) =>
    handOver(deps, asking, provider, { request, reply, url, body });

  http.get(paths.authorize, (request, reply) =>
    hand(request, reply, `${paths.authorize}?${authorizationQuery(queryOf(request))}`, null),
  );
  http.get(`${paths.authorize}/:id`, (request, reply) => hand(request, reply, pathOf(request), null));
  for (const path of [paths.token, paths.revoke])
    http.post(path, { bodyLimit, onRequest: openToPages }, async (request, reply) => {
      const wait = await waitFor(app, attempts.token, deps.addressOf(request));
      if (wait !== null) return tooOften(reply, wait);
      return hand(request, reply, path, formOf(request, await deps.receive(request)));
    });
  http.post(paths.register, { bodyLimit, onRequest: openToPages }, async (request, reply) => {
    const wait = await waitFor(app, attempts.registration, deps.addressOf(request));
    if (wait !== null) return tooOften(reply, wait);
    const body = await deps.receive(request);
    return hand(request, reply, paths.register, usableRegistration(body) ?? body);
  });
  for (const path of [paths.token, paths.revoke, paths.register]) {
    mountPreflight(http, path, "POST");
    http.takenPaths.add(path, ["POST", "OPTIONS"]);
  }
  for (const path of [paths.authorize, `${paths.authorize}/:id`]) http.takenPaths.add(path, ["GET"]);
  mountDocument(http, deps, paths.serverMetadata, (baseUrl) => serverMetadata(baseUrl, deps.clientDocuments));
  for (const path of [paths.resourceMetadata, `${paths.resourceMetadata}/mcp`])
    mountDocument(http, deps, path, resourceMetadata);
  return consentsOf(app, provider);
}

function mountDocument(
  http: FastifyInstance,
  { app }: OAuthDeps,
  path: string,
  document: (baseUrl: string) => Readonly<Record<string, unknown>>,
): void {
  http.get(path, { onRequest: openToPages }, async (request, reply) =>
    reply
      .headers({ ...commonHeaders(request), "content-type": "application/json; charset=utf-8" })
      .send(JSON.stringify(document(app.baseUrl))),
  );
  mountPreflight(http, path, "GET");
  http.takenPaths.add(path, ["GET", "OPTIONS"]);
}

const open = (deps: OAuthDeps, asking: Asking): Promise<Provider> => {
  const { app } = deps;
  return openProvider({
    ...deps,
    mayFetch: async (context) => {
      // The consent page is not limited: its request has been counted before.
      const known = context && asking.get(context.req);
      return !known || (await waitFor(app, attempts.clientDocument, known.address)) === null;
    },
    addressOf: (context) => asking.get(context.req)?.address ?? null,
    requestId: (context) => asking.get(context.req)?.requestId ?? "-",
  });
};

/** Null, or the seconds until that address may try again. */
const waitFor = (app: AppContext, limit: AttemptLimit, address: string): Promise<number | null> =>
  countAttempt(app.db, limit, address, app.clock());

const tooOften = (reply: FastifyReply, wait: number): FastifyReply =>
  reply
    .code(429)
    .headers({ "retry-after": String(wait), "cache-control": "no-store", "content-type": "application/json" })
    .send(
      JSON.stringify({
        error: "rate_limited",
        error_description: `Too many requests came from this address. Try again in ${wait} seconds.`,
      }),
    );

interface Handed {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly url: string;
  readonly body: Buffer | null;
}

/** The library gets a copy of the request: only what it may know, under the service's own address. */
async function handOver(
  deps: OAuthDeps,
  asking: Asking,
  provider: () => Promise<Provider>,
  { request, reply, url, body }: Handed,
): Promise<FastifyReply> {
  const answer = (await provider()).callback();
  const copy = copyOf(request, url, body, issuerOf(deps.app.baseUrl));
  asking.set(copy, { address: deps.addressOf(request), requestId: request.id });
  reply.hijack();
  const headers = { ...reply.getHeaders(), ...commonHeaders(request) };
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await answer(copy, reply.raw);
  return reply;
}

function copyOf(request: FastifyRequest, url: string, body: Buffer | null, issuer: string): IncomingMessage {
  const { accept, authorization, cookie } = request.headers;
  const { host, protocol } = new URL(issuer);
  const copy = new IncomingMessage(request.raw.socket);
  copy.method = request.method;
  copy.url = url;
  copy.headers = {
    host,
    "x-forwarded-proto": protocol.slice(0, -1),
    ...(accept !== undefined && { accept }),
    ...(authorization !== undefined && { authorization }),
    ...(cookie !== undefined && { cookie }),
    ...(body !== null && {
      "content-type": request.headers["content-type"] ?? "application/octet-stream",
      "content-length": String(body.length),
    }),
  };
  copy.complete = true;
  if (body !== null) copy.push(body);
  copy.push(null);
  return copy;
}

const commonHeaders = ({ id }: FastifyRequest): Record<string, string> => ({
  "cache-control": "no-store",
  "x-request-id": id,
  "referrer-policy": "no-referrer",
});

/** Only forms are cleaned; the library refuses any other body. */
const formOf = ({ headers }: FastifyRequest, body: Buffer | null): Buffer | null =>
  (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded") ? tokenForm(body) : body;

/** The part after the first question mark: a query may hold more of them. */
const queryOf = ({ url }: FastifyRequest): string => {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
};
const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";
