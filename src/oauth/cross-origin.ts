import type { FastifyInstance, onRequestHookHandler } from "fastify";

/**
 * Programs that are web pages read these answers, wherever the page is from. Nothing here looks at a cookie, and
 * browsers send none to an answer for every origin, so a page learns nothing that its server could not ask for.
 */
const open = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, x-request-id",
};

/** How long a browser may remember what it was told, s. */
const rememberedSeconds = 86_400;

/** For a route whose answers pages of other origins may read, refusals too. */
export const openToPages: onRequestHookHandler = (_request, reply, done) => {
  reply.headers(open);
  done();
};

/** Answers a browser that asks first whether a page of another origin may send that request. */
export function mountPreflight(app: FastifyInstance, path: string, method: "GET" | "POST"): void {
  app.options(path, { onRequest: openToPages }, async (request, reply) =>
    reply
      .code(204)
      .headers({
        "access-control-allow-methods": method,
        "access-control-allow-headers": "content-type, mcp-protocol-version",
        "access-control-max-age": String(rememberedSeconds),
        "x-request-id": request.id,
      })
      .send(),
  );
}
