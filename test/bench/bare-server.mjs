// The baseline: a route of the same framework that returns the same bytes and does nothing else.
import fastify from "fastify";

const body = process.env["BARE_BODY"] ?? "{}";
const app = fastify();
app.get("/api/v1/servers/:id/status", (_request, reply) =>
  reply.type("application/json; charset=utf-8").send(body),
);
await app.listen({ port: Number(process.env["BARE_PORT"]), host: "127.0.0.1" });
