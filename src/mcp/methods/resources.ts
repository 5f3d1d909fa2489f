import type { ErrorBody } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  admitted,
  callBackend,
  listCache,
  mayCall,
  readerOf,
  refuseRequest,
  type McpRequest,
  type Params,
  type McpReply,
} from "./request.ts";
import { idSources } from "../result/id-sources.ts";
import { planNotes } from "../result/plan-note.ts";
import { quotaKey, quotaOf } from "../result/quota.ts";
import { resolved } from "./references.ts";
import { errorOf, inputOf, nothingSaid, shown } from "../result/result.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";
import { urlsOf } from "../result/urls.ts";

const guideCache = { ttlMs: 3_600_000, cacheScope: "public" } as const;

export async function listResources(
  { resources, guides }: Catalogue<Outline>,
  _params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const caller = await readerOf(context);
  const own = resources.filter(({ isTemplate, view }) => !isTemplate && mayCall(view.endpoint, caller));
  return { result: { resources: [...own, ...guides].map(({ definition }) => definition) }, cache: listCache };
}

export async function listTemplates(
  { resources }: Catalogue<Outline>,
  _params: Params,
  context: McpRequest,
): Promise<McpReply> {
  const caller = await readerOf(context);
  const own = resources.filter(({ isTemplate, view }) => isTemplate && mayCall(view.endpoint, caller));
  return { result: { resourceTemplates: own.map(({ definition }) => definition) }, cache: listCache };
}

export async function readResource(
  { tools, resources, guides, wording }: Catalogue<Outline>,
  { uri }: Params,
  context: McpRequest,
): Promise<McpReply> {
  if (typeof uri !== "string")
    return refuseRequest(context, rpcCode.invalidParams, "uri must be the URI of a resource");
  const guide = guides.find(({ definition }) => definition.uri === uri);
  if (guide) {
    await admitted(context);
    return {
      result: { contents: [{ uri, mimeType: guide.definition.mimeType, ...guide.content }] },
      cache: guideCache,
    };
  }
  for (const { match, view, ttlMs } of resources) {
    const filled = match(uri);
    if (!filled) continue;
    const { args: input, refusal } = await resolved(context, view.endpoint, filled);
    const answer = await callBackend(context, view.endpoint, inputOf(view, input), refusal);
    if (!answer.ok) {
      const idsFrom = await idSources({ tools }, context, view, answer);
      throw readError(errorOf(view, answer, wording, { idsFrom, now: context.backend.now() }), uri);
    }
    const plan = await planNotes(context, view, input, answer.value, wording);
    const urls = await urlsOf(view, input, answer.value, context.backend);
    const text = shown(view, input, answer, wording, {
      ...nothingSaid,
      plan,
      urls,
      now: context.backend.now(),
    });
    const meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
    return {
      result: { contents: [{ uri, mimeType: "application/json", text }], _meta: meta },
      cache: { ttlMs, cacheScope: "private" },
    };
  }
  await admitted(context);
  throw readError({ error: "not_found", message: wording.noResource }, uri);
}

/** Only such a URI is repeated in an error: printable ASCII without spaces. */
const plainUri = /^[!-~]{1,200}$/;

/** The refusal becomes the error's message, because many clients show only the message. */
export function readError(data: ErrorBody, uri: string): RpcError {
  if (data.error !== "not_found") return new RpcError(rpcCode.internalError, data.message, data);
  const details = plainUri.test(uri) ? { ...data, uri } : data;
  return new RpcError(rpcCode.resourceNotFound, "Resource not found", details);
}
