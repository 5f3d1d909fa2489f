import type { KoaContextWithOIDC } from "oidc-provider";
import { requestIn } from "./paths.ts";

/** The library's names; the cookie of its own sessions is never sent to a browser. */
export const cookieNames = {
  session: "tickmark_oauth",
  interaction: "tickmark_consent",
  resume: "tickmark_resume",
} as const;

/** Ties a request to the browser that made it. */
export const consentCookieOf = (id: string): string => `${cookieNames.interaction}_${id}`;

/** Matches a cookie whose path names a request. */
const cookieOfRequest = /^([a-z_]+)=([^;]*; path=\/oauth\/(?:consent|authorize)\/([\w-]+);)/;

/** Several requests wait in one browser, so cookies get a request's id, which the library does not know. */
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
