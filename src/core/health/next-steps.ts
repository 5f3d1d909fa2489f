import type { SeriesField } from "../metric/fields.ts";
import type { ProfileRecord } from "../profile/records.ts";
import type { NextStep } from "./health.ts";

interface StepFacts {
  readonly serverId: string;
  readonly newestProfile: ProfileRecord | null;
}

type Arguments = NextStep["arguments"];

const byTool = (
  action: NextStep["action"],
  tool: string,
  { serverId }: Pick<StepFacts, "serverId">,
  rest: Arguments = {},
): NextStep => ({ action, tool, arguments: { server_id: serverId, ...rest }, page: null });

const onPage = (action: NextStep["action"], page: string): NextStep => ({
  action,
  tool: null,
  arguments: {},
  page,
});

export const readEventsStep = (facts: StepFacts, type?: string): NextStep =>
  byTool("read_events", "list_server_events", facts, type === undefined ? {} : { type });

export const readMetricsStep = (facts: StepFacts, ...fields: readonly SeriesField[]): NextStep =>
  byTool("read_metrics", "get_server_metrics", facts, { fields: [...fields] });

/** The newest profile; the list of summaries if its document is deleted, or there is no profile. */
export const readProfileStep = (facts: StepFacts): NextStep => {
  const id = facts.newestProfile?.profileId ?? null;
  return id === null
    ? byTool("read_profile", "list_profile_summaries", facts)
    : byTool("read_profile", "get_profile", facts, { profile_id: id });
};

export const compareProfilesStep = (facts: StepFacts, base: ProfileRecord, target: ProfileRecord): NextStep =>
  byTool("compare_profiles", "compare_profiles", facts, { base: base.id, target: target.id });

export const readMemoryReportsStep = (facts: StepFacts): NextStep =>
  byTool("read_memory_reports", "list_memory_reports", facts);

export const readRegressionStep = (facts: StepFacts): NextStep =>
  byTool("read_regression", "get_regression_verdict", facts);

/** `offline` is the rule that every server needs first. */
export const addAlertRuleStep = (facts: StepFacts): NextStep =>
  byTool("add_alert_rule", "create_alert_rule", facts, { name: "No heartbeat", metric: "offline" });

export const readAlertsStep = (facts: StepFacts): NextStep =>
  byTool("read_alerts", "list_alerts", facts, { status: "open" });

export const captureProfileStep = ({ serverId }: StepFacts): NextStep =>
  onPage("capture_profile", `/servers/${serverId}/profiles`);

/** For what the owner does on the machine; the page shows whether it helped. */
export const startServerStep = ({ serverId }: StepFacts): NextStep =>
  onPage("start_server", `/servers/${serverId}`);
export const askHostStep = ({ serverId }: StepFacts): NextStep => onPage("ask_host", `/servers/${serverId}`);
export const checkAgentStep = ({ serverId }: StepFacts): NextStep =>
  onPage("check_agent", `/servers/${serverId}`);

export const raiseHeapStep = (): NextStep => onPage("raise_heap", "/docs/guides/health");
export const freeDiskStep = (): NextStep => onPage("free_disk", "/docs/guides/health");
export const checkNotificationsStep = (): NextStep =>
  onPage("check_notifications", "/settings/notifications");
