import { createHash } from "node:crypto";
import type { Answered, Refused } from "../../contract/call/backend.ts";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { refusedBy } from "../../contract/call/refused.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { McpRequest } from "./request.ts";
import { resolved } from "./references.ts";
import { inputOf } from "../result/result.ts";
import type { Resource } from "../catalogue/resource.ts";

export interface Watchable {
  readonly resource: Resource<Outline>;
  readonly input: Record<string, unknown>;
}

/** Null if the URI cannot be watched. Escaped URIs are refused, so that each resource has one name. */
export function watchable({ resources }: Catalogue<Outline>, uri: string): Watchable | null {
  if (uri.includes("%")) return null;
  for (const resource of resources) {
    const input = resource.watchedFields.length === 0 ? null : resource.match(uri);
    if (input) return { resource, input };
  }
  return null;
}

/** A caller's read counts in the hour window, the service's in none. Null: the backend has no free reads. */
export async function fingerprint(
  { resource: { view, watchedFields }, input }: Watchable,
  context: McpRequest,
  by: "caller" | "service",
): Promise<{ readonly ok: true; readonly mark: string } | Refused | null> {
  const { backend, requestId } = context;
  const { args, refusal } = await resolved(context, view.endpoint, input);
  if (refusal !== null) return refusedBy(refusal);
  const wanted = [view.endpoint, inputOf(view, args), requestId] as const;
  const reading = by === "caller" ? backend.readFree(...wanted) : backend.peek(...wanted);
  const answer: Answered | Refused | null = await reading;
  if (answer === null || !answer.ok) return answer;
  const values = watchedFields.map((path) => valueAt(answer.value, path.split(".")));
  return { ok: true, mark: createHash("sha256").update(JSON.stringify(values)).digest("base64url") };
}

/** The value at a path; for a list, the value in each of its entries. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => valueAt(entry, path));
  const [name, ...rest] = path;
  if (name === undefined || !isJsonObject(value)) return value;
  return valueAt(value[name], rest);
}
