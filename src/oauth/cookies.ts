import type { KoaContextWithOIDC } from "oidc-provider";
import { requestIn } from "./paths.ts";

/** The names that the library knows; its own sessions are never handed to a browser. */
export const cookieNames = {
  session: "tickmark_oauth",
  interaction: "tickmark_consent",
  resume: "tickmark_resume",
} as const;

/** The cookie that ties a request to the browser that made it. */
export const consentCookieOf = (id: string): string => `${cookieNames.interaction}_${id}`;

/** A cookie of one request, which is named in its path. */
const cookieOfRequest = /^([a-z_]+)=([^;]*; path=\/oauth\/(?:consent|authorize)\/([\w-]+);)/;

/**
 * Several requests wait in one browser at once: each has cookies named after it, whatever the browser makes of
 * paths. The library has one name for all, so that what it reads and sets is renamed around it.
 */
export async function namedByRequest(
  context: Pick<KoaContextWithOIDC, "req" | "path" | "response" | "set">,
  next: () => Promise<void>,
): Promise<void> {
  const { headers } = context.req;
  const id = requestIn(context.path);
  const value = id === null ? null : valueOf(headers.cookie ?? "", `${cookieNames.resume}_${id}`);
  if (value === null) delete headers.cookie;
  else headers.cookie = `${cookieNames.resume}=${value}`;
  await next();
  const set = context.response.headers["set-cookie"];
  if (!Array.isArray(set)) return;
  const kept = set.filter((cookie: string) => !cookie.startsWith(cookieNames.session));
  context.set(
    "set-cookie",
    kept.map((cookie: string) => cookie.replace(cookieOfRequest, "$1_$3=$2")),
  );
}

function valueOf(header: string, name: string): string | null {
  const found = header.split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
