import { sql } from "kysely";
import { PlanName } from "../../core/access/plan.ts";
import type { Sample } from "../../core/metric/sample.ts";
import type { MonitoredServer, ServerRecord } from "../../core/server/server.ts";
import { one, type Result, type Step } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

export const recordColumns = [
  "s.id",
  "s.account_id",
  "s.installation_id",
  "s.name",
  "s.verified_at",
  "s.is_public",
  "s.monitoring_enabled",
  "s.show_address_on_report",
  "s.notify_on_report",
  "s.address",
  "s.port",
  "s.group_id",
  "s.linked_at",
  "s.created_at",
  "s.last_heartbeat",
] as const;

export const monitoringColumns = [
  "s.announcement",
  "s.announced_at",
  "s.boot_timestamp",
  "s.last_tick_age_ms",
  "s.paused_since",
  "s.last_rejected_at",
  "s.sampled_at",
  "s.sample_received_at",
  "s.sample",
  "s.collect_profile_until",
  "s.collect_histogram_until",
] as const;

type Server = Tables["server"];

/** `s.name` without its table. */
type Bare<Column> = Column extends `s.${infer Name}` ? Name : never;

/** A row of a server that is linked: one that was unlinked is nobody's, and no record is made of it. */
export type RecordRow = Pick<Server, Bare<(typeof recordColumns)[number]>> & { account_id: string };

/** The servers that are linked. */
export const linkedServers = (db: Builder) =>
  db
    .selectFrom("server as s")
    .select(recordColumns)
    .where("s.account_id", "is not", null)
    .$narrowType<{ account_id: string }>();

export type MonitoredRow = RecordRow &
  Pick<Server, Bare<(typeof monitoringColumns)[number]>> & {
    plan: string;
    newer_enabled: number | null;
    enabled: number | null;
  };

export const toRecord = (row: RecordRow): ServerRecord => ({
  id: row.id,
  accountId: row.account_id,
  installationId: row.installation_id,
  name: row.name,
  verifiedAt: row.verified_at,
  isPublic: row.is_public === 1,
  monitoringEnabled: row.monitoring_enabled === 1,
  showAddressOnReport: row.show_address_on_report === 1,
  notifyOnReport: row.notify_on_report === 1,
  address: row.address,
  port: row.port,
  groupId: row.group_id,
  linkedAt: row.linked_at,
  createdAt: row.created_at,
  lastHeartbeat: row.last_heartbeat,
});

/** What was written as a Sample is read as one. */
const sampleFrom = (json: string): Sample => JSON.parse(json) as Sample;

/** Assigned, not spread: V8 needs 20 µs to spread an object of this size into a larger literal. */
export const toMonitored = (row: MonitoredRow): MonitoredServer =>
  Object.assign(toRecord(row), {
    ownerPlan: PlanName.parse(row.plan),
    announcement: announcementOf(row),
    bootTimestamp: row.boot_timestamp,
    lastTickAgeMs: row.last_tick_age_ms,
    pausedSince: row.paused_since,
    lastRejectedAt: row.last_rejected_at,
    sampledAt: row.sampled_at,
    sampleReceivedAt: row.sample_received_at,
    sample: row.sample === null ? null : sampleFrom(row.sample),
    collecting: { profile: row.collect_profile_until, class_histogram: row.collect_histogram_until },
    enabledRank: (row.newer_enabled ?? 0) + 1,
    enabledServers: row.enabled ?? 0,
  });

const announcementOf = ({ announcement, announced_at }: MonitoredRow): MonitoredServer["announcement"] =>
  announced_at === null ? null : { kind: announcement === "paused" ? "paused" : "stopped", at: announced_at };

/** A server with its owner's plan, and its place among the owner's enabled servers (newest link first). */
export const monitored = (db: Builder) =>
  linkedServers(db)
    .innerJoin("account as a", "a.id", "s.account_id")
    .select([...monitoringColumns, "a.plan"])
    .select((eb) => [
      eb
        .selectFrom("server as o")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("o.account_id", "=", "s.account_id")
        .where("o.monitoring_enabled", "=", 1)
        .where(sql<boolean>`(o.linked_at, o.id) > (s.linked_at, s.id)`)
        .as("newer_enabled"),
      eb
        .selectFrom("server as e")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("e.account_id", "=", "s.account_id")
        .where("e.monitoring_enabled", "=", 1)
        .as("enabled"),
    ]);

const findById = query<{ id: string }>()((db, $) => monitored(db).where("s.id", "=", $.id));

/** A server with everything its status is derived from, whoever owns it. */
export function* monitoredServer(id: string): Generator<Step, MonitoredServer | null, Result> {
  const row = yield* one(findById, { id });
  return row && toMonitored(row);
}
