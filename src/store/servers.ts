import { sql } from "kysely";
import { PlanName } from "../core/access/plan.ts";
import type { Sample } from "../core/metric/sample.ts";
import type { MonitoredServer, ServerRecord } from "../core/server/server.ts";
import type { ServerStore } from "../core/server/store.ts";
import { all, one, run, type Database, type Result, type Step } from "./database.ts";
import { forUpdate, fromTop, query, type Builder } from "./query.ts";
import type { Tables } from "./schema.ts";
import { leaveTrace } from "./traces.ts";

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

export type RecordRow = Pick<Server, Bare<(typeof recordColumns)[number]>>;

export type MonitoredRow = RecordRow &
  Pick<Server, Bare<(typeof monitoringColumns)[number]>> & {
    plan: string;
    newer_enabled: number | null;
    enabled: number | null;
  };

type PresentedRow = MonitoredRow & Pick<Tables["server_credential"], "revoked_at" | "first_used_at">;

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
const monitored = (db: Builder) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select([...recordColumns, ...monitoringColumns, "a.plan"])
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

type ListValues = { verified: number | null; at: number; id: string; limit: number };

/** Newest first; a filter that is null is switched off. */
const newestFirst = (db: Builder, $: ListValues) =>
  db
    .selectFrom("server as s")
    .select(recordColumns)
    .where(
      sql<boolean>`(cast(${$.verified} as integer) is null or (s.verified_at is not null) = (cast(${$.verified} as integer) = 1))`,
    )
    .where(sql<boolean>`(s.created_at, s.id) < (${$.at}, ${$.id})`)
    .orderBy("s.created_at", "desc")
    .orderBy("s.id", "desc")
    .limit($.limit);

const listAll = query<ListValues>()((db, $) => newestFirst(db, $));

const listOfAccount = query<ListValues & { account: string }>()((db, $) =>
  newestFirst(db, $).where("s.account_id", "=", $.account),
);

const find = query<{ id: string; viewer: string | null; admin: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .select(recordColumns)
    .where("s.id", "=", $.id)
    .where((eb) => eb.or([eb("s.account_id", "=", $.viewer), sql<boolean>`cast(${$.admin} as integer) = 1`])),
);

const findMonitored = query<{ id: string; account: string }>()((db, $) =>
  monitored(db).where("s.id", "=", $.id).where("s.account_id", "=", $.account),
);

const findById = query<{ id: string }>()((db, $) => monitored(db).where("s.id", "=", $.id));

/** A server with everything its status is derived from, whoever owns it. */
export function* monitoredServer(id: string): Generator<Step, MonitoredServer | null, Result> {
  const row = yield* one(findById, { id });
  return row && toMonitored(row);
}

const update = query<{
  id: string;
  name: string | null;
  is_public: number;
  show_address: number;
  notify: number;
  group: string | null;
}>()((db, $) =>
  db
    .updateTable("server")
    .set({
      name: $.name,
      is_public: $.is_public,
      show_address_on_report: $.show_address,
      notify_on_report: $.notify,
      group_id: $.group,
    })
    .where("id", "=", $.id),
);

const changeable = ["name", "isPublic", "showAddressOnReport", "notifyOnReport", "groupId"] as const;

/** Held until the transaction ends, so that two edits of different fields do not undo each other. */
const lockById = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server as s").select(recordColumns).where("s.id", "=", $.id)),
);

const present = query<{ digest: string }>()((db, $) =>
  monitored(db)
    .innerJoin("server_credential as c", "c.server_id", "s.id")
    .select(["c.revoked_at", "c.first_used_at"])
    .where("c.digest", "=", $.digest),
);

/** Changes no row when the credential was revoked meanwhile. */
const noteUse = query<{ digest: string; now: number }>()((db, $) =>
  db
    .updateTable("server_credential")
    .set((eb) => ({ first_used_at: eb.fn.coalesce("first_used_at", eb.val($.now)) }))
    .where("digest", "=", $.digest)
    .where("revoked_at", "is", null),
);

const verify = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("server")
    .set({ verified_at: $.now })
    .where("id", "=", $.id)
    .where("verified_at", "is", null),
);

const reject = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("server").set({ last_rejected_at: $.now }).where("id", "=", $.id),
);

/** The first use counts only while the credential stands: a repeated claim may be replacing it right now. */
function* presentFirst(
  digest: string,
  id: string,
  now: number,
): Generator<Step, PresentedRow | null, Result> {
  if ((yield* run(noteUse, { digest, now })) === 1) yield* run(verify, { id, now });
  return yield* one(present, { digest });
}

export function serverStore(db: Database): ServerStore {
  return {
    list: (viewer, { verified, ownerId }, after, limit) =>
      db.read(function* () {
        const values = {
          verified: verified === null ? null : Number(verified),
          ...(after ?? fromTop),
          limit,
        };
        if (viewer.admin && ownerId === null) return (yield* all(listAll, values)).map(toRecord);
        if (viewer.accountId === null || (!viewer.admin && ownerId !== null && ownerId !== viewer.accountId))
          return [];
        return (yield* all(listOfAccount, { ...values, account: ownerId ?? viewer.accountId })).map(toRecord);
      }),
    find: (id, viewer) =>
      db.read(function* () {
        const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin) });
        return row && toRecord(row);
      }),
    findMonitored: (id, account) =>
      db.read(function* () {
        const row = yield* one(findMonitored, { id, account });
        return row && toMonitored(row);
      }),
    update: (id, changes, traceOf) =>
      db.write("saved", function* () {
        const row = yield* one(lockById, { id });
        if (!row) return;
        const before = toRecord(row);
        const after = { ...before, ...changes };
        if (changeable.every((field) => after[field] === before[field])) return;
        const { name, isPublic, showAddressOnReport, notifyOnReport, groupId } = after;
        const flags = {
          is_public: Number(isPublic),
          show_address: Number(showAddressOnReport),
          notify: Number(notifyOnReport),
        };
        yield* run(update, { id, name, ...flags, group: groupId });
        yield* leaveTrace(traceOf?.(before, after) ?? null);
      }),
    present: async (digest, now) => {
      const found = await db.read(() => one(present, { digest }));
      if (!found) return null;
      const first = found.revoked_at === null && (found.first_used_at === null || found.verified_at === null);
      const row = first ? await db.write("saved", () => presentFirst(digest, found.id, now)) : found;
      return row && { server: toMonitored(row), revoked: row.revoked_at !== null };
    },
    markRejected: (id, now) =>
      db.write("counted", function* () {
        yield* run(reject, { id, now });
      }),
  };
}
