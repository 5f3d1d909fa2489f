import type { FastifyReply, FastifyRequest } from "fastify";
import { sessionLongestMs } from "../core/access/session.ts";

/** Holds what a form's token is made of. */
export const csrfCookie = "tickmark_form";

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Browsers take the prefix over https alone, which then proves that no other host set the cookie. */
const nameFor = (baseUrl: string): string => (isHttps(baseUrl) ? "__Host-tickmark" : "tickmark");

/** The secret of the browser's session; null when it has none. */
export const sessionSecretOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl)] || null;

/** Hands the browser a session's secret; null takes it away. */
export function setSession(reply: FastifyReply, baseUrl: string, secret: string | null): void {
  const options = { path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(baseUrl) } as const;
  if (secret === null) void reply.clearCookie(nameFor(baseUrl), options);
  else void reply.setCookie(nameFor(baseUrl), secret, { ...options, maxAge: sessionLongestMs / 1000 });
}
