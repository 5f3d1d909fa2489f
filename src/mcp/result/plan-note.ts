import type { Outline } from "../../contract/endpoint/outline.ts";
import type { McpRequest } from "../methods/request.ts";
import { hasRows, type View } from "./view.ts";
import type { Wording } from "./wording.ts";

/** For an empty list that the plan does not include; the plan is read only for empty lists. */
export async function planNotes(
  { backend, requestId }: McpRequest,
  { needs, whenWidened = {} }: View<Outline>,
  args: Readonly<Record<string, unknown>>,
  value: unknown,
  { notes }: Wording,
): Promise<readonly string[]> {
  if (needs === undefined || !hasRows(value) || value.data.length > 0) return [];
  // The entries that these arguments add exist on every plan.
  if (Object.keys(whenWidened).some((name) => args[name] === true)) return [];
  const known = await backend.caller(requestId);
  return known.ok && !known.caller.includes(needs) ? [notes.planLacks(needs)] : [];
}
