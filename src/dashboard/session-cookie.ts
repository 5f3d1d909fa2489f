import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceMs } from "../app/access/devices.ts";
import { sessionLongestMs } from "../core/access/session.ts";

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Browsers accept the prefix only over https. It proves that no other host set the cookie. */
const nameFor = (baseUrl: string, name = "tickmark"): string => (isHttps(baseUrl) ? `__Host-${name}` : name);

const flags = (baseUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isHttps(baseUrl) }) as const;

/** The cookie from which form tokens are derived. */
export const formCookie = (baseUrl: string) => ({
  cookieKey: nameFor(baseUrl, "tickmark_form"),
  cookieOpts: flags(baseUrl),
});

/** The session that a form's token belongs to. A token of one session is not valid in another. */
export const formHolder = (request: FastifyRequest, baseUrl: string): string =>
  sessionSecretOf(request, baseUrl) ?? "nobody";

/** The secret of the browser's session; null if it has none. */
export const sessionSecretOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl)] || null;

/** Sets the session cookie; null deletes it. */
export function setSession(reply: FastifyReply, baseUrl: string, secret: string | null): void {
  const options = flags(baseUrl);
  if (secret === null) void reply.clearCookie(nameFor(baseUrl), options);
  else void reply.setCookie(nameFor(baseUrl), secret, { ...options, maxAge: sessionLongestMs / 1000 });
}

/** The value of the device cookie of earlier sign-ins; null if there is none. */
export const deviceOf = (request: FastifyRequest, baseUrl: string): string | null =>
  request.cookies?.[nameFor(baseUrl, "tickmark_device")] || null;

/** Sets the device cookie, by which later sign-ins recognise the browser. Signing out keeps it. */
export const setDevice = (reply: FastifyReply, baseUrl: string, device: string): void =>
  void reply.setCookie(nameFor(baseUrl, "tickmark_device"), device, {
    ...flags(baseUrl),
    maxAge: deviceMs / 1000,
  });
