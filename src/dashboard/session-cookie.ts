import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceMs } from "../contract/access/devices.ts";
import { sessionLongestMs } from "../core/access/session.ts";

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Browsers take the prefix over https alone, which then proves that no other host set the cookie. */
const nameFor = (baseUrl: string, name = "tickmark"): string => (isHttps(baseUrl) ? `__Host-${name}` : name);

const flags = (baseUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(baseUrl) }) as const;

/** The cookie that holds what a form's token is made of. */
export const formCookie = (baseUrl: string) => ({
  cookieKey: nameFor(baseUrl, "tickmark_form"),
  cookieOpts: flags(baseUrl),
});

/** Whose forms a browser sends: a token of one session is none of another, or of nobody. */
export const formHolder = (request: FastifyRequest, baseUrl: string): string =>
  sessionSecretOf(request, baseUrl) ?? "nobody";

/** The secret of the browser's session; null when it has none. */
export const sessionSecretOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl)] || null;

/** Hands the browser a session's secret; null takes it away. */
export function setSession(reply: FastifyReply, baseUrl: string, secret: string | null): void {
  const options = flags(baseUrl);
  if (secret === null) void reply.clearCookie(nameFor(baseUrl), options);
  else void reply.setCookie(nameFor(baseUrl), secret, { ...options, maxAge: sessionLongestMs / 1000 });
}

/** What the browser kept of earlier sign-ins; null when it has none. */
export const deviceOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl, "tickmark_device")] || null;

/** Lets the browser keep that somebody signed in with it; signing out leaves it. */
export const setDevice = (reply: FastifyReply, baseUrl: string, device: string): void =>
  void reply.setCookie(nameFor(baseUrl, "tickmark_device"), device, {
    ...flags(baseUrl),
    maxAge: deviceMs / 1000,
  });
