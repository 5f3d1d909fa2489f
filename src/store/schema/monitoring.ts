import type { SeriesField } from "../../core/metric/sample.ts";

/** Instants are BIGINT milliseconds, flags 0 or 1, documents JSON text: the same in both dialects. */
export type Flag = number;

type SampleRollupTable = { server_id: string; bucket_at: number } & {
  [Column in `${SeriesField}_${"min" | "max" | "sum"}`]: number | null;
} & { [Column in `${SeriesField}_count`]: number };

interface AlertRuleTable {
  id: string;
  server_id: string;
  name: string;
  metric: string;
  condition: string | null;
  threshold: number | null;
  duration_minutes: number;
  cooldown_minutes: number;
  notify_email: Flag;
  notify_chat: Flag;
  notify_in_app: Flag;
  enabled: Flag;
  muted_until: number | null;
  mute_told_until: number | null;
  progress: string;
  last_triggered_at: number | null;
  last_notified_at: number | null;
  open_alert_id: string | null;
  created_at: number;
  updated_at: number;
}

interface EventRuleTable {
  id: string;
  server_id: string;
  name: string;
  preset: string | null;
  event_types: string;
  categories: string;
  min_severity: string | null;
  sources: string;
  cooldown_minutes: number;
  notify_email: Flag;
  notify_chat: Flag;
  notify_in_app: Flag;
  enabled: Flag;
  muted_until: number | null;
  last_triggered_at: number | null;
  last_notified_at: number | null;
  created_at: number;
  updated_at: number;
}

interface AlertTable {
  id: string;
  account_id: string;
  server_id: string;
  server_name: string | null;
  kind: string;
  status: string;
  rule_id: string;
  rule_name: string;
  metric: string | null;
  condition: string | null;
  threshold: number | null;
  duration_minutes: number | null;
  value: number | null;
  worst_value: number | null;
  server_state: string;
  event: string | null;
  pending_since: number | null;
  opened_at: number;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  resolved_at: number | null;
  resolution_reason: string | null;
  in_maintenance: Flag;
  flapping: Flag;
  notified: Flag;
  delivery: string;
}

interface DispatchTable {
  id: string;
  account_id: string;
  channel: string;
  purpose: string;
  alert_id: string | null;
  rule_id: string | null;
  message: string;
  attempts: number;
  due_at: number;
  leased_until: number | null;
  created_at: number;
  unanswered: number;
}

interface NotificationSettingTable {
  account_id: string;
  /** Sealed; null: the account's own address. */
  email: string | null;
  email_verified_at: number | null;
  /** Sealed. */
  chat: string | null;
  notices_email: Flag;
  notices_chat: Flag;
  updated_at: number;
}

interface PendingAddressTable {
  account_id: string;
  /** Sealed. */
  address: string;
  code_digest: string;
  tries: number;
  created_at: number;
  expires_at: number;
}

interface InboxTable {
  id: string;
  account_id: string;
  kind: string;
  message: string;
  server_id: string | null;
  alert_id: string | null;
  created_at: number;
  read_at: number | null;
}

interface TestMessageTable {
  id: string;
  account_id: string;
  sent_at: number;
}

interface JobTable {
  name: string;
  holder: string | null;
  leased_until: number | null;
  last_started_at: number | null;
  last_finished_at: number | null;
}

export interface MonitoringTables {
  sample_rollup: SampleRollupTable;
  alert_rule: AlertRuleTable;
  event_rule: EventRuleTable;
  alert: AlertTable;
  dispatch: DispatchTable;
  notification_setting: NotificationSettingTable;
  pending_address: PendingAddressTable;
  inbox: InboxTable;
  test_message: TestMessageTable;
  job: JobTable;
}
