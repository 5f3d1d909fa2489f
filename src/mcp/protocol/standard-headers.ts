import type { Request } from "./message.ts";

/** Headers in which a request of revision 2026-07-28 repeats parts of its body. */
export interface StandardHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** By method: the parameter that `Mcp-Name` repeats. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** Null if they agree. The SDK's classifier checks neither missing headers nor `Mcp-Name`. */
export function headerMismatch({ method, params }: Request, headers: StandardHeaders): string | null {
  if (headers.version === undefined) return "The MCP-Protocol-Version header is missing";
  if (headers.method === undefined) return "The Mcp-Method header is missing";
  const parameter = namedBy.get(method);
  if (parameter === undefined) return null;
  const value = params?.[parameter];
  if (headers.name === undefined) return typeof value === "string" ? "The Mcp-Name header is missing" : null;
  const name = decoded(headers.name.trim());
  if (name === null) return "The Mcp-Name header has an invalid encoding";
  return typeof value === "string" && name !== value
    ? "The Mcp-Name header and the body have different names"
    : null;
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Names that cannot be plain header text are sent as `=?base64?…?=`. */
function decoded(header: string): string | null {
  if (!header.startsWith("=?base64?") || !header.endsWith("?=")) return header;
  const base64 = encoded.exec(header)?.[1];
  if (base64 === undefined) return null;
  try {
    return decoder.decode(Buffer.from(base64, "base64"));
  } catch {
    return null;
  }
}
