import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import type { Json } from "../support/payload.ts";
import { offerFields } from "../support/offer-fields.ts";
import { rampPayload } from "../support/unit-test.ts";

/** Inputs of people whose text no tool tells, and why. */
export const toldByNoTool: Readonly<Record<string, string>> = {
  "link_codes.claim": "a secret",
  "accounts.change_email": "a password",
  "accounts.change_password": "a password",
  "accounts.reset_password": "a code",
  "accounts.set_up": "a code, and the browser of a session",
  "accounts.sign_up": "a code, and the browser of a session",
  "accounts.verify_email": "a code",
  "leaving.delete_account": "a password",
  "sessions.confirm": "a password",
  "notifications.confirm_email": "a code",
  "sessions.remember_device": "what a browser keeps",
  "tokens.change_rights": "a code",
  "second_factor.prepare": "a password",
  "second_factor.enable": "a code",
  "second_factor.disable": "a password, and a code",
  "second_factor.open": "a code",
  "second_factor.renew_codes": "a password, and a code",
  "passkeys.prepare": "a password",
  "passkeys.delete": "a password, and a code or the answer of a passkey",
  "passkeys.create": "the name of a passkey, which only its person sees",
  "sessions.sign_in_with_passkey": "the answer of a passkey, and the browser of a session",
  "sessions.complete_sign_in": "a code, and the browser of a session",
  "sessions.sign_in": "a password, and the browser of a session",
  "servers.set_address": "an address that pages and runners are told",
  "reports.set_label": "a label that only its author sees",
  "servers.relink": "a code; the name is the field of servers.update",
  "event_rules.update": "the fields of event_rules.create",
  "recurring_maintenance.update": "the fields of recurring_maintenance.create",
  "status_pages.create": "the title and names of a page for everybody, which no tool shows",
  "status_pages.update": "the fields of status_pages.create",
  "auto_bench_targets.redefine": "the fields of auto_bench_targets.create",
  "offers.update": "the fields of offers.create",
  "profiles.upload_file": "the document of profiles.upload",
  "memory_reports.upload_file": "the document of memory_reports.upload",
};

/** What was uploaded, newest last. */
export interface Sent {
  readonly reports: string[];
  unitTest: string;
  readonly profiles: Json[];
  readonly memoryReports: string[];
}

/** Identifiers of what was sent last, for the tools that take them; undefined for the others. */
export function newest(id: string, sent: Sent, server_id: string): Json | undefined {
  const { reports, unitTest, profiles, memoryReports } = sent;
  const [report_id, base] = [reports.at(-1), reports.at(-2) ?? reports.at(-1)];
  const told: Record<string, Json> = {
    "reports.list": { mine: true },
    "reports.get": { report_id },
    "reports.diagnosis": { report_id },
    "reports.tuning": { report_id },
    "reports.compare": { base, other: report_id },
    "unit_tests.list": { mine: true },
    "unit_tests.get": { unit_test_id: unitTest },
    "profiles.list": { server_id },
    "profiles.list_all": {},
    "profiles.get": { server_id, profile_id: profiles.at(-1)?.profile_id },
    "profiles.compare": {
      server_id,
      base: (profiles.at(-2) ?? profiles.at(-1))?.summary_id,
      target: profiles.at(-1)?.summary_id,
    },
    "memory_reports.list": { server_id },
    "memory_reports.list_all": {},
    "memory_reports.get": { server_id, report_id: memoryReports.at(-1) },
    "memory_reports.compare": {
      server_id,
      base: memoryReports.at(-2) ?? memoryReports.at(-1),
      target: memoryReports.at(-1),
    },
    "events.list": { server_id },
    "alerts.list": {},
    "offers.list": {},
    "auto_bench_targets.list": {},
    "auto_bench_jobs.list": {},
    "servers.list": {},
  };
  return told[id];
}

/** An offer of an operator's file. */
export const offerLine = {
  id: "from-a-file",
  provider: { id: "of-a-file", name: "x", url: null },
  name: "x",
  type: "game",
  price_eur_cents: 100,
};

/** What deletes what a tool makes. */
export const deletions: Readonly<Record<string, readonly [id: string, field: string]>> = {
  create_server_group: ["server_groups.delete", "group_id"],
  create_alert_rule: ["alert_rules.delete", "rule_id"],
};

/** What people write on pages: inputs of actions whose texts tools tell, each beside the server it is of. */
export const writtenOnPages = {
  "tokens.create": { name: "My assistant", scopes: ["servers:read"], expires_in_days: 90 },
  "event_rules.create": { name: "Crashes", preset: "crashes", notify_email: true },
  "auto_bench_targets.create": { name: "Nightly", runs_per_job: 2, schedule_cron: null },
  "recurring_maintenance.create": {
    title: "Weekly backup",
    schedule_cron: "30 2 * * MON",
    time_zone: "Europe/Berlin",
    duration_minutes: 60,
  },
  "offers.create": offerFields,
} as const;

export const exampleOf = ({ example }: Endpoint): Json => example.input as Json;

/**
 * What a plugin sends, of a server that goes on lagging: the alert about it stays open. Of unit tests there are both
 * kinds, since only a ramp has rungs.
 */
export function lagging(endpoint: Endpoint): Json {
  const text = JSON.stringify(exampleOf(endpoint)).replaceAll(/"tps":[\d.]+/g, '"tps":5');
  const input = JSON.parse(text) as Json;
  if (endpoint.id === "unit_tests.upload") (input["unit_tests"] as Json[]).unshift(rampPayload());
  return input;
}
