import type { Answered, Refused } from "../contract/call/backend.ts";
import { isJsonObject } from "../contract/endpoint/json-body.ts";
import { withoutTrailingSlash } from "../core/address.ts";

const connectorPath = "/mcp";

/** What the service says of its connector (RFC 9728), open to everybody and counted nowhere. */
const metadataPath = `/.well-known/oauth-protected-resource${connectorPath}`;

/**
 * Where people reach a service elsewhere: the address it has in public, of which it is asked once. As long as it
 * cannot be asked, and where it stands behind a path of a proxy, that is the address it is called at.
 */
export function publicBaseUrl(
  url: string,
  read: (path: string) => Promise<Answered | Refused>,
): () => Promise<string> {
  const called = withoutTrailingSlash(url);
  let known: Promise<string | null> | null =
    new URL(called).pathname === "/" ? null : Promise.resolve(called);
  const asked = async (): Promise<string | null> => {
    const answer = await read(metadataPath);
    if (!answer.ok) return answer.status === 404 ? called : null;
    return baseUrlIn(answer.value) ?? called;
  };
  return async () => {
    const base = await (known ??= asked());
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
