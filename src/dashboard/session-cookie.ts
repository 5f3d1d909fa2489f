import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceMs } from "../app/access/devices.ts";
import { sessionLongestMs } from "../core/access/session.ts";

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Browsers accept the prefix only over https. It proves that no other host set the cookie. */
const nameFor = (baseUrl: string, name = "tickmark"): string => (isHttps(baseUrl) ? `__Host-${name}` : name);

const flags = (baseUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(baseUrl) }) as const;

/** Form tokens are derived from this cookie. */
export const formCookie = (baseUrl: string) => ({
  cookieKey: nameFor(baseUrl, "tickmark_form"),
  cookieOpts: flags(baseUrl),
});

/** A form token of one session is not valid in another. */
export const formHolder = (request: FastifyRequest, baseUrl: string): string =>
  sessionSecretOf(request, baseUrl) ?? "nobody";

/** Null without a session. */
export const sessionSecretOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl)] || null;

/** Null deletes the cookie. */
export function setSession(reply: FastifyReply, baseUrl: string, secret: string | null): void {
  const options = flags(baseUrl);
  if (secret === null) void reply.clearCookie(nameFor(baseUrl), options);
  else void reply.setCookie(nameFor(baseUrl), secret, { ...options, maxAge: sessionLongestMs / 1000 });
}

/** Null without earlier sign-ins. */
export const deviceOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl, "tickmark_device")] || null;

/** Later sign-ins recognise the browser by this cookie. Signing out keeps it. */
export const setDevice = (reply: FastifyReply, baseUrl: string, device: string): void =>
  void reply.setCookie(nameFor(baseUrl, "tickmark_device"), device, {
    ...flags(baseUrl),
    maxAge: deviceMs / 1000,
  });
