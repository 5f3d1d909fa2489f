import { query, type Query } from "../engine/query.ts";

export type Deletion = Query<{ id: string; now: number }, unknown>;

export interface DeletionRule {
  readonly server?: readonly Deletion[];
  readonly account?: readonly Deletion[];
}

export const statement = query<{ id: string; now: number }>();

export const deleteServers = (
  table:
    | "maintenance"
    | "recurring_maintenance"
    | "alert_rule"
    | "event_rule"
    | "alert"
    | "sample"
    | "sample_block"
    | "server_event"
    | "server_software"
    | "server_health"
    | "server_baseline"
    | "load_day"
    | "monitoring_transition"
    | "monitoring_order"
    | "status_page_server"
    | "profile_summary"
    | "memory_report",
): DeletionRule => ({ server: [statement((db, $) => db.deleteFrom(table).where("server_id", "=", $.id))] });

export const deleteAccounts = (
  table:
    | "session"
    | "second_factor"
    | "recovery_code"
    | "wrong_factor"
    | "passkey"
    | "activity"
    | "security_log"
    | "pending_address"
    | "api_token"
    | "write_replay"
    | "server_group"
    | "notification_setting"
    | "test_message"
    | "status_page"
    | "profile_link",
): DeletionRule => ({ account: [statement((db, $) => db.deleteFrom(table).where("account_id", "=", $.id))] });
