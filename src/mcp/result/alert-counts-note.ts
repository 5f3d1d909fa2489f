import type { Outline } from "../../contract/endpoint/outline.ts";
import type { McpRequest } from "../methods/request.ts";
import { hasRows, type View } from "./view.ts";
import type { Wording } from "./wording.ts";

/** Arguments that select a page and do not filter the list. */
const paging = new Set(["limit", "cursor"]);

/** Counts the alerts of a whole window by rule; noted on a first page that is not empty. */
export async function alertCountsNotes(
  { backend }: McpRequest,
  { countedOver = [] }: View<Outline>,
  args: Readonly<Record<string, unknown>>,
  value: unknown,
  { notes }: Wording,
): Promise<readonly string[]> {
  if (!countedOver.some((name) => args[name] !== undefined) || args["cursor"] !== undefined) return [];
  if (!hasRows(value) || value.data.length === 0) return [];
  const filters = Object.fromEntries(Object.entries(args).filter(([name]) => !paging.has(name)));
  const counts = await backend.countAlerts(filters);
  return counts === null ? [] : [notes.alertCounts(counts)];
}
