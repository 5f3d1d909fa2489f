import type { FastifyInstance } from "fastify";
import type { AppContext } from "../contract/call/app-context.ts";
import { asRefusal } from "../contract/call/refusals.ts";
import { Unavailable } from "../core/errors.ts";
import { openApiDocument } from "./openapi/document.ts";
import { refuse, rateWindowViews } from "./refusals.ts";
import { commonHeaders } from "./reply.ts";
import { mountOtherMethods, send, type Mounted } from "./routes.ts";

/** A page that needs no token and counts nowhere, and tells the caller's windows like every other answer. */
function mountUncounted(
  http: FastifyInstance,
  app: AppContext,
  url: string,
  answer: () => Promise<unknown>,
): void {
  http.get(url, async (request, reply) => {
    try {
      const body = JSON.stringify(await answer());
      const now = app.clock();
      const headers = commonHeaders(request.id, await rateWindowViews(app, request, now), now);
      return send(reply, { status: 200, headers, body });
    } catch (error) {
      return refuse(app, request, reply, asRefusal(error, app, request.id));
    }
  });
  mountOtherMethods(http, url, ["GET"], app);
}

export interface DocumentWords {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

/** The OpenAPI document of a group of endpoints, made when it is first asked for. */
export function mountDocument(
  http: FastifyInstance,
  app: AppContext,
  { prefix, endpoints }: Mounted,
  words: DocumentWords,
): void {
  let document: unknown = null;
  mountUncounted(http, app, `${prefix}/openapi.json`, async () => {
    document ??= openApiDocument({ ...words, serverUrl: app.baseUrl + prefix }, endpoints);
    return document;
  });
}

/** Whether the service can answer at all; `ping` rejects while the database does not. */
export const mountHealth = (http: FastifyInstance, app: AppContext, ping: () => Promise<unknown>): void =>
  mountUncounted(http, app, "/healthz", async () => {
    await ping().catch((error: unknown) => {
      throw error instanceof Unavailable ? error : new Unavailable(error);
    });
    return { status: "ok" };
  });
