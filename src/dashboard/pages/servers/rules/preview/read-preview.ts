import type { SessionCaller } from "../../../../../contract/call/caller.ts";
import type { AlertRulePreview } from "../../../../../core/alert/preview-answer.ts";
import { previewAlertRule } from "../../../../../endpoints/api/alert/preview-alert-rule.ts";
import type { PageRequest } from "../../../../page.ts";
import { attempt, nothingRequested, queryInput, type Attempt } from "../../../../request-input.ts";

/** Days of history, if the plan shows so many. */
export const previewDays = 7;

/** Neither value nor refusal while the draft is incomplete. */
export type ReadPreview = Attempt<AlertRulePreview> | typeof nothingRequested;

/** A draft without a threshold is incomplete. Throws the refusal of another account's server. */
export async function readPreview(
  request: PageRequest<SessionCaller>,
  server_id: string,
  draft: URLSearchParams,
): Promise<ReadPreview> {
  const metric = draft.get("metric") ?? "";
  const isOffline = metric === "offline";
  if (metric === "" || (!isOffline && (draft.get("threshold") ?? "").trim() === "")) return nothingRequested;
  const fields = ["metric", "duration_minutes", "cooldown_minutes"];
  const sent = new URLSearchParams();
  for (const name of isOffline ? fields : [...fields, "condition", "threshold"]) {
    const value = draft.get(name)?.trim() ?? "";
    if (value !== "") sent.set(name, value);
  }
  const days = Math.min(previewDays, request.person.limits.retention_days);
  return attempt([400, 403], () =>
    request.call(previewAlertRule, {
      ...queryInput(previewAlertRule, sent),
      server_id,
      metric: sent.get("metric") as AlertRulePreview["metric"],
      days,
    }),
  );
}
