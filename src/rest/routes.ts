import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimitsOf } from "../contract/limits/body-limits.ts";
import { call } from "../contract/call/call.ts";
import type { AppContext, CallRequest, Credentials } from "../contract/call/app-context.ts";
import type { BodyReading } from "../contract/files/body-reading.ts";
import type { Endpoint } from "../contract/endpoint/endpoint.ts";
import { Refusal } from "../core/errors.ts";
import { receiveBody, type Body } from "./body.ts";
import { callerAddress } from "./client-address.ts";
import { writtenAnswerOf, type Answer } from "./reply.ts";
import { requestInput, type Sent } from "./request-input.ts";

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

export interface Mounted {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
}

export function mountEndpoints(http: FastifyInstance, { prefix, endpoints }: Mounted, app: AppContext): void {
  const methods = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const url = prefix + routerPath(endpoint.path);
    methods.set(url, [...(methods.get(url) ?? []), endpoint.method]);
    http.route({
      method: endpoint.method,
      url,
      bodyLimit: bodyLimitsOf(endpoint).bytes,
      handler: (request, reply) => answerCall(app, endpoint, request, reply),
    });
  }
  for (const [url, taken] of methods) http.takenPaths.add(url, taken);
}

async function answerCall(
  app: AppContext,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const outcome = await call(app, endpoint, new RestCall(endpoint, request));
  return send(reply, await writtenAnswerOf(outcome, request.id));
}

class RestCredentials implements Credentials {
  readonly authorization: string | null;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.authorization = request.headers.authorization ?? null;
    this.#request = request;
  }

  /** Computed on demand, because calls with a token do not need it. */
  get address(): string {
    return callerAddress(this.#request.ip);
  }

  onToken(tokenId: string): void {
    this.#request.tokenId = tokenId;
  }
}

class RestCall implements CallRequest {
  readonly credentials: Credentials;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  readonly body: { bytes: number } | null;
  readonly #endpoint: Endpoint;
  readonly #request: FastifyRequest;
  #sent: Body = null;

  constructor(endpoint: Endpoint, request: FastifyRequest) {
    this.credentials = new RestCredentials(request);
    this.idempotencyKey = idempotencyKey(request.headers["idempotency-key"]);
    this.requestId = request.id;
    this.body = request.sentBody === null ? null : { bytes: 0 };
    this.#endpoint = endpoint;
    this.#request = request;
  }

  receive(): Promise<void> | void {
    const body = receiveBody(this.#request);
    if (body instanceof Promise) return body.then((read) => this.#take(read));
    this.#take(body);
  }

  #take(body: Body): void {
    this.#sent = body;
    if (body !== null && !(body instanceof Refusal)) this.#measured(body.length);
  }

  #measured(bytes: number): void {
    if (this.body !== null) this.body.bytes = bytes;
  }

  input(reading: BodyReading): ReturnType<typeof requestInput> {
    const { params, query, url, headers } = this.#request;
    const sent: Sent = {
      params: params as Record<string, string>,
      query: query as Record<string, unknown>,
      rawQuery: url.split("?", 2)[1] ?? "",
      body: this.#sent,
      contentType: headers["content-type"] ?? "",
      contentEncoding: headers["content-encoding"] ?? "",
      onLength: (bytes) => this.#measured(bytes),
    };
    return requestInput(this.#endpoint, sent, reading);
  }
}

const idempotencyKey = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? header.join(", ") : (header ?? null);

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
