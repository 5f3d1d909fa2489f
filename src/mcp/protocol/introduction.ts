import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Request } from "./message.ts";
import { metaKey, modernRevision, olderRevisions } from "./revisions.ts";
import type { EraName } from "./wire-error.ts";

export interface Introduction {
  readonly identity: { readonly name: string; readonly title: string; readonly version: string };
  readonly capabilities: { readonly [capability: string]: object };
  readonly instructions: string;
}

/** The introduction depends on what the caller is offered, which seldom changes. */
export const discoverCache = { ttlMs: 3_600_000, cacheScope: "private" } as const;

export const introduces = (method: string, era: EraName): boolean =>
  method === (era === "modern" ? "server/discover" : "initialize");

/** The greeting as an SDK's server gives it; null for anything unusual, which an SDK answers. */
export function greeted(introduction: Introduction, request: Request, era: EraName): object | null {
  const { id, method, params = {} } = request;
  const result = era === "modern" ? discovered(introduction, method) : begun(introduction, method, params);
  return result && { jsonrpc: "2.0", id, result };
}

function begun(
  { identity, capabilities, instructions }: Introduction,
  method: string,
  params: Record<string, unknown>,
): object | null {
  if (method === "ping" && Object.keys(params).length === 0) return {};
  const { protocolVersion: requestedVersion, capabilities: theirs, clientInfo: who } = params;
  if (
    method !== "initialize" ||
    typeof requestedVersion !== "string" ||
    !isJsonObject(theirs) ||
    !isNamed(who)
  )
    return null;
  if (!Object.values(theirs).every(isJsonObject) || Object.keys(params).length !== 3) return null;
  const protocolVersion = olderRevisions.includes(requestedVersion) ? requestedVersion : olderRevisions[0];
  return { protocolVersion, capabilities, serverInfo: identity, instructions };
}

const isNamed = (who: unknown): boolean =>
  isJsonObject(who) && typeof who["name"] === "string" && typeof who["version"] === "string";

/** The client's declaration was checked when the request was routed. */
const discovered = ({ identity, capabilities, instructions }: Introduction, method: string): object | null =>
  method === "server/discover"
    ? {
        supportedVersions: [modernRevision],
        capabilities,
        instructions,
        resultType: "complete",
        ...discoverCache,
        _meta: { [metaKey.serverInfo]: identity },
      }
    : null;
