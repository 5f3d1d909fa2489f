import type { FastifyInstance, onRequestHookHandler } from "fastify";

/** These answers depend on no cookie, so a page of any origin learns nothing that its server could not. */
const open = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after, x-request-id",
};

/** How long a browser may keep this answer, s. */
const rememberedSeconds = 86_400;

/** For routes whose answers pages of other origins may read, refusals too. */
export const openToPages: onRequestHookHandler = (_request, reply, done) => {
  reply.headers(open);
  done();
};

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
