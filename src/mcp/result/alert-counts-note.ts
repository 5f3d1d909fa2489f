import type { Outline } from "../../contract/endpoint/outline.ts";
import type { McpRequest } from "../methods/request.ts";
import { hasRows, type View } from "./view.ts";
import type { Wording } from "./wording.ts";

/** What belongs to a page, and not to the list. */
const paging = new Set(["limit", "cursor"]);

/** How many alerts of each rule the whole list of a window has; said with its first page, where that is not empty. */
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
