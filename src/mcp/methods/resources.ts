import type { ErrorBody } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import {
  admitted,
  ask,
  listCache,
  mayCall,
  readerOf,
  refuse,
  type Exchange,
  type Params,
  type Reply,
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
  exchange: Exchange,
): Promise<Reply> {
  const asker = await readerOf(exchange);
  const own = resources.filter(({ isTemplate, view }) => !isTemplate && mayCall(view.endpoint, asker));
  return { result: { resources: [...own, ...guides].map(({ definition }) => definition) }, cache: listCache };
}

export async function listTemplates(
  { resources }: Catalogue<Outline>,
  _params: Params,
  exchange: Exchange,
): Promise<Reply> {
  const asker = await readerOf(exchange);
  const own = resources.filter(({ isTemplate, view }) => isTemplate && mayCall(view.endpoint, asker));
  return { result: { resourceTemplates: own.map(({ definition }) => definition) }, cache: listCache };
}

export async function readResource(
  { tools, resources, guides, wording }: Catalogue<Outline>,
  { uri }: Params,
  exchange: Exchange,
): Promise<Reply> {
  if (typeof uri !== "string")
    return refuse(exchange, rpcCode.invalidParams, "A resource is read by its URI");
  const guide = guides.find(({ definition }) => definition.uri === uri);
  if (guide) {
    await admitted(exchange);
    return {
      result: { contents: [{ uri, mimeType: guide.definition.mimeType, ...guide.content }] },
      cache: guideCache,
    };
  }
  for (const { match, view, ttlMs } of resources) {
    const filled = match(uri);
    if (!filled) continue;
    const { args: input, refusal } = await resolved(exchange, view.endpoint, filled);
    const answer = await ask(exchange, view.endpoint, inputOf(view, input), refusal);
    if (!answer.ok) {
      const idsFrom = await idSources({ tools }, exchange, view, answer);
      throw readError(errorOf(view, answer, wording, idsFrom), uri);
    }
    const plan = await planNotes(exchange, view, input, answer.value, wording);
    const urls = await urlsOf(view, input, answer.value, exchange.backend);
    const text = shown(view, input, answer, wording, { ...nothingSaid, plan, urls });
    const meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
    return {
      result: { contents: [{ uri, mimeType: "application/json", text }], _meta: meta },
      cache: { ttlMs, cacheScope: "private" },
    };
  }
  await admitted(exchange);
  throw readError({ error: "not_found", message: wording.noResource }, uri);
}

/** A URI that is repeated in an error: printable ASCII without a space. */
const plainUri = /^[!-~]{1,200}$/;

/** Many clients show no more of an error than its message. */
export function readError(data: ErrorBody, uri: string): RpcError {
  if (data.error !== "not_found") return new RpcError(rpcCode.internalError, data.message, data);
  const told = plainUri.test(uri) ? { ...data, uri } : data;
  return new RpcError(rpcCode.resourceNotFound, "Resource not found", told);
}
