import { createHash } from "node:crypto";
import type { Answered, Refused } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { refusedBy } from "../../contract/call/refused.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Exchange } from "./request.ts";
import { resolved } from "./references.ts";
import { inputOf } from "../result/result.ts";
import type { Resource } from "../catalogue/resource.ts";

/** A resource that can be watched, as a URI names it. */
export interface Watchable {
  readonly resource: Resource<Outline>;
  readonly input: Record<string, unknown>;
}

/** Null for a URI of nothing that is watched. One that is escaped is another name of the same: one name is enough. */
export function watchable({ resources }: Catalogue<Outline>, uri: string): Watchable | null {
  if (uri.includes("%")) return null;
  for (const resource of resources) {
    const input = resource.news.length === 0 ? null : resource.match(uri);
    if (input) return { resource, input };
  }
  return null;
}

/**
 * What is worth telling of a resource now, as a mark that changes with it; the refusal where it cannot be read. The
 * look that a caller asks for is counted in the hour, those of the service itself are not.
 */
export async function markOf(
  { resource: { view, news }, input }: Watchable,
  exchange: Exchange,
  by: "caller" | "service",
): Promise<{ readonly ok: true; readonly mark: string } | Refused | null> {
  const { backend, requestId } = exchange;
  const { args, refusal } = await resolved(exchange, view.endpoint, input);
  if (refusal !== null) return refusedBy(refusal);
  const look = by === "caller" ? backend.look : backend.glance;
  const answer: Answered | Refused | null = await look(view.endpoint, inputOf(view, args), requestId);
  if (answer === null || !answer.ok) return answer;
  const told = news.map((path) => picked(answer.value, path.split(".")));
  return { ok: true, mark: createHash("sha256").update(JSON.stringify(told)).digest("base64url") };
}

/** What stands at a path; of a list, what stands there in each of its entries. */
function picked(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => picked(entry, path));
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value)) return value;
  return picked(value[name], rest);
}
