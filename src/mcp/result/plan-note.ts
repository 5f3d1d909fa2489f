import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Exchange } from "../methods/request.ts";
import { hasRows, type View } from "./view.ts";
import type { Wording } from "./wording.ts";

/** What to say of an empty list that the caller's plan can have nothing in; looked up only where one is empty. */
export async function planNotes(
  { backend, requestId }: Exchange,
  { needs, whenWidened = {} }: View<Outline>,
  args: Readonly<Record<string, unknown>>,
  value: unknown,
  { notes }: Wording,
): Promise<readonly string[]> {
  if (needs === undefined || !hasRows(value) || value.data.length > 0) return [];
  // What is listed then is there on every plan.
  if (Object.keys(whenWidened).some((name) => args[name] === true)) return [];
  const known = await backend.asker(requestId);
  return known.ok && !known.asker.includes(needs) ? [notes.planLacks(needs)] : [];
}
