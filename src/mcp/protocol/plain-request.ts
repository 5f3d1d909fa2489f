import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Request } from "./message.ts";
import { metaKey, modernRevision, olderRevisions } from "./revisions.ts";
import type { StandardHeaders } from "./standard-headers.ts";

/* Recognises usual requests without trying the SDK's schemas; unusual ones are left to its classifier. */

/** One request of an older client: not `initialize`, and with nothing of the newer revision. */
export function isPlainLegacy(body: unknown, { version }: StandardHeaders): body is Request {
  if (!isPlainRequest(body) || body.method === "initialize") return false;
  if (version !== undefined && !olderRevisions.includes(version)) return false;
  const meta = body.params?.["_meta"];
  return meta === undefined || (isJsonObject(meta) && !(metaKey.version in meta));
}

/** One request of revision 2026-07-28 whose headers agree with it. */
export function isPlainModern(body: unknown, { version, method }: StandardHeaders): body is Request {
  if (!isPlainRequest(body) || version !== modernRevision || method !== body.method) return false;
  const meta = body.params?.["_meta"];
  return (
    isJsonObject(meta) &&
    meta[metaKey.version] === modernRevision &&
    metaKey.clientCapabilities in meta &&
    Object.entries(meta).every(isPlainMeta)
  );
}

function isPlainRequest(body: unknown): body is Request {
  if (!isJsonObject(body) || body["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = body;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (typeof method !== "string" || !isJsonObject(params)) return false;
  return Object.keys(body).length === 4;
}

/** Capabilities are checked one level deep, because the service uses none of their members. */
function isPlainMeta([key, value]: [string, unknown]): boolean {
  if (key === metaKey.version) return true;
  if (key === metaKey.clientCapabilities)
    return isJsonObject(value) && Object.values(value).every(isJsonObject);
  if (key === metaKey.clientInfo)
    return isJsonObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string";
  return key === "progressToken" && (typeof value === "string" || Number.isSafeInteger(value));
}
