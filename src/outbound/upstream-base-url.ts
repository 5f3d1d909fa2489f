import type { Answered, Refused } from "../contract/call/backend.ts";
import { isJsonObject } from "../contract/endpoint/json-body.ts";
import { withoutTrailingSlash } from "../core/address.ts";

const connectorPath = "/mcp";

/** The connector's metadata (RFC 9728): public and uncounted. */
const metadataPath = `/.well-known/oauth-protected-resource${connectorPath}`;

/**
 * Requests the public base URL once. While there is no answer, and behind a proxy's path, it is the
 * configured address.
 */
export function publicBaseUrl(
  url: string,
  read: (path: string) => Promise<Answered | Refused>,
): () => Promise<string> {
  const called = withoutTrailingSlash(url);
  let known: Promise<string | null> | null =
    new URL(called).pathname === "/" ? null : Promise.resolve(called);
  const readBaseUrl = async (): Promise<string | null> => {
    const answer = await read(metadataPath);
    if (!answer.ok) return answer.status === 404 ? called : null;
    return baseUrlIn(answer.value) ?? called;
  };
  return async () => {
    const base = await (known ??= readBaseUrl());
    if (base === null) known = null;
    return base ?? called;
  };
}

function baseUrlIn(metadata: unknown): string | null {
  const resource = isJsonObject(metadata) ? metadata["resource"] : null;
  if (typeof resource !== "string" || !URL.canParse(resource)) return null;
  const { protocol, origin, href } = new URL(resource);
  const isPlain = /^https?:$/.test(protocol) && href === origin + connectorPath;
  return isPlain ? origin : null;
}
