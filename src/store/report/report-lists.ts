import { sql, type RawBuilder } from "kysely";
import type { TimePosition } from "../../core/position.ts";
import type { ReportFilter, ReportRecord } from "../../core/report/records.ts";
import type { Instant } from "../../core/time.ts";
import type { Viewer } from "../../core/viewer.ts";
import { all, one, type Work } from "../engine/database.ts";
import { fromTop, query, type Query } from "../engine/query.ts";
import { heldReports, notExpired, reportRecordOf } from "./reports.ts";

type ListValues = {
  viewer: string | null;
  visibility: string | null;
  type: string | null;
  mode: string | null;
  server: string | null;
  now: number;
  at: number;
  id: string;
  limit: number;
};

/**
 * Why a viewer sees a report in a list. Each reason is its own statement, which an index gives in list order,
 * so that a filter that matches nothing reads almost nothing. A report is listed once.
 */
const reasons = {
  public: () => sql<boolean>`r.visibility = 'public'`,
  certified: ($: ListValues) =>
    sql<boolean>`(r.visibility = 'unlisted' and r.certificate_expires_at > ${$.now})`,
  written: ($: ListValues) => sql<boolean>`r.author_id = ${$.viewer}`,
  /** On a verified server of the viewer. Excludes the viewer's own reports, which `written` finds. */
  held: ($: ListValues) =>
    sql<boolean>`(s.account_id = ${$.viewer} and s.verified_at is not null and (r.author_id < ${$.viewer} or r.author_id > ${$.viewer} or r.author_id is null))`,
} satisfies Record<string, ($: ListValues) => RawBuilder<boolean>>;
type Reason = keyof typeof reasons;

/** Filters that are in the statement's text, so that an index can be used for them. */
interface Shape {
  readonly hasType: boolean;
  readonly hasMode: boolean;
  readonly hasVisibility: boolean;
}

type ListQuery = Query<ListValues, Parameters<typeof reportRecordOf>[0]>;

/** Statements by reason and shape, built at first use; most are never needed. */
const made = new Map<string, ListQuery>();

function listOf(reason: Reason, shape: Shape): ListQuery {
  const key = [reason, ...Object.values(shape)].join();
  const known = made.get(key);
  if (known) return known;
  const list = query<ListValues>()((db, $) => {
    let select = heldReports(db)
      .where(reasons[reason]($))
      .where(notExpired($.now))
      .where(sql<boolean>`(r.created_at, r.id) < (${$.at}, ${$.id})`);
    if (shape.hasType) select = select.where("r.server_type", "=", $.type);
    if (shape.hasMode) select = select.where("r.benchmark_mode", "=", $.mode);
    if (shape.hasVisibility) select = select.where("r.visibility", "=", $.visibility);
    return select.orderBy("r.created_at", "desc").orderBy("r.id", "desc").limit($.limit);
  });
  made.set(key, list);
  return list;
}

/**
 * Reports of one server of the viewer. Its filters are written so that no index fits them: the database must
 * not choose an index of all reports of a type.
 */
const listOfServer = query<ListValues & { mine: number; verified: number }>()((db, $) =>
  heldReports(db)
    .where("r.server_id", "=", $.server)
    .where(
      sql<boolean>`(r.author_id = ${$.viewer} or (cast(${$.mine} as integer) = 0 and (cast(${$.verified} as integer) = 1 or ${reasons.public()} or ${reasons.certified($)})))`,
    )
    .where(notExpired($.now))
    .where(sql<boolean>`(r.created_at, r.id) < (${$.at}, ${$.id})`)
    .where(sql<boolean>`(cast(${$.type} as text) is null or r.server_type = ${$.type})`)
    .where(sql<boolean>`(cast(${$.mode} as text) is null or r.benchmark_mode = ${$.mode})`)
    .where(sql<boolean>`(cast(${$.visibility} as text) is null or r.visibility = ${$.visibility})`)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit($.limit),
);

const holder = query<{ server: string | null; viewer: string | null }>()((db, $) =>
  db.selectFrom("server").select("verified_at").where("id", "=", $.server).where("account_id", "=", $.viewer),
);

/** Why viewers other than author and holder see a report, by visibility. */
const reasonsOfOthers = {
  public: ["public"],
  unlisted: ["certified"],
  private: [],
} as const satisfies Record<ReportRecord["visibility"], readonly Reason[]>;

function reasonsFor({ accountId }: Viewer, { mine, visibility }: ReportFilter): Reason[] {
  if (mine) return accountId === null ? [] : ["written"];
  const ofOthers: readonly Reason[] =
    visibility === null ? ["public", "certified"] : reasonsOfOthers[visibility];
  // Author and holder find public reports as everybody does.
  return accountId === null || visibility === "public" ? [...ofOthers] : [...ofOthers, "written", "held"];
}

export function* selectReports(
  viewer: Viewer,
  filter: ReportFilter,
  after: TimePosition | null,
  limit: number,
  now: Instant,
): Work<ReportRecord[]> {
  const shape = {
    hasType: filter.serverType !== null,
    hasMode: filter.benchmarkMode !== null,
    hasVisibility: filter.visibility !== null,
  };
  const values = {
    viewer: viewer.accountId,
    visibility: filter.visibility,
    type: filter.serverType,
    mode: filter.benchmarkMode,
    server: filter.serverId,
    now,
    ...(after ?? fromTop),
    limit,
  };
  if (filter.serverId !== null) {
    const held = yield* one(holder, values);
    const verified = Number(held?.verified_at !== null);
    const rows = held && (yield* all(listOfServer, { ...values, mine: Number(filter.mine), verified }));
    return (rows ?? []).map(reportRecordOf);
  }
  const found = new Map<string, ReportRecord>();
  for (const reason of reasonsFor(viewer, filter))
    for (const row of yield* all(listOf(reason, shape), values)) found.set(row.id, reportRecordOf(row));
  return [...found.values()].toSorted(newestFirst).slice(0, limit);
}

const newestFirst = (one: ReportRecord, other: ReportRecord): number =>
  other.createdAt - one.createdAt || Number(one.id < other.id) || -Number(one.id > other.id);
