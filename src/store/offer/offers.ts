import { sql, type RawBuilder } from "kysely";
import type { ReportContent } from "../../core/report/detail.ts";
import { contests, contestWindowMs, evidenceRanks } from "../../core/offer/offer.ts";
import type { OfferFilter, OfferPosition, OfferRecord } from "../../core/offer/records.ts";
import { type Instant, toTimestamp, toTimestampOrNull } from "../../core/time.ts";
import { type Work, all } from "../engine/database.ts";
import { factsOf } from "./offer-rows.ts";
import { query, type Dialect } from "../engine/query.ts";

const unknownPrice = Number.MAX_SAFE_INTEGER;

const fromTop: OfferPosition = { rank: -1, price: 0, id: "" };

/** SQLite keeps the order of cross joins; otherwise it might start with the reports of all servers. */
const measured = (report: string) =>
  sql`auto_bench_target t cross join auto_bench_job j cross join report ${sql.raw(report)}
    where t.offer_id = o.id and t.kind = 'one_off' and j.target_id = t.id and ${sql.raw(report)}.job_id = j.id`;

/** Reports of servers whose owners say that they run on offer `o`. */
const linked = (report: string) =>
  sql`server s cross join report ${sql.raw(report)}
    where s.offer_id = o.id and s.account_id is not null and ${sql.raw(report)}.server_id = s.id`;

/** The report of offer `o`'s last certificate; it stays the offer's after the certificate ended. */
const certified = (report: string) =>
  sql`report ${sql.raw(report)} where ${sql.raw(report)}.id = o.certified_report_id`;

const isPublic = (report: string, now: number) =>
  sql`${sql.raw(report)}.visibility = 'public' and (${sql.raw(report)}.expires_at is null or ${sql.raw(report)}.expires_at > ${now})`;

/** Instead of EXISTS, which PostgreSQL may answer from a hash table of all reports that it builds first. */
const exists = (reports: RawBuilder<unknown>, now: number) =>
  sql`(select 1 from ${reports} and ${isPublic("c", now)} limit 1) is not null`;

/** Sorted by `created_at + 0`, so that no index of all reports by time is used to find an offer's few. */
const newest = (reports: RawBuilder<unknown>, now: number) =>
  sql`(select c.id from ${reports} and ${isPublic("c", now)} order by c.created_at + 0 desc, c.id desc limit 1)`;

/** A value inside the report's content, which only this program writes. */
const total = (report: string, dialect: Dialect) =>
  dialect === "sqlite"
    ? sql`json_extract(${sql.raw(report)}.content, '$.scores.total')`
    : sql`cast(${sql.raw(report)}.content as json) #>> '{scores,total}'`;

const version = (report: string, dialect: Dialect) =>
  dialect === "sqlite"
    ? sql`json_extract(${sql.raw(report)}.content, '$.algorithm_version')`
    : sql`(cast(${sql.raw(report)}.content as json) ->> 'algorithm_version')`;

/** The lowest total among reports comparable with `r`. A total of 0 means that a test was absent. */
const lowest = (reports: RawBuilder<unknown>, now: number, dialect: Dialect) => {
  const score = sql`cast(${total("c", dialect)} as double precision)`;
  return sql<number | null>`(select min(${score}) from ${reports} and ${isPublic("c", now)} and c.id <> r.id
    and c.benchmark_mode = r.benchmark_mode and abs(c.created_at - r.created_at) <= ${sql.lit(contestWindowMs)}
    and ${version("c", dialect)} = ${version("r", dialect)} and ${score} > 0)`;
};

type ListValues = {
  now: number;
  provider: string | null;
  type: string | null;
  price: number | null;
  ram: number | null;
  evidence: number | null;
  fromRank: number;
  fromPrice: number;
  fromId: string;
  limit: number;
};

const shownColumns = [
  "b.rank",
  "b.price",
  "o.id",
  "o.provider_id",
  "p.name as provider_name",
  "p.url as provider_url",
  "o.name",
  "o.type",
  "o.cpu_name",
  "o.cpu_cores",
  "o.ram_gb",
  "o.disk_type",
  "o.disk_gb",
  "o.location",
  "o.price_eur_cents",
  "o.url",
  "o.certified_at",
  "o.certificate_expires_at",
  "o.disputed_at",
  "o.updated_at",
  "r.id as report_id",
  "r.short_id as report_short_id",
  "r.visibility as report_visibility",
  "r.created_at as report_created_at",
  "r.content as report_content",
] as const;

/** Ranks every offer by the evidence that exists, and looks up details only for the page's rows. */
const list = query<ListValues>()((db, $, dialect) =>
  db
    .with("ranked", (cte) =>
      cte
        .selectFrom("offer as o")
        .select("o.id")
        .select(sql<number>`coalesce(o.price_eur_cents, ${sql.lit(unknownPrice)})`.as("price"))
        .select(
          sql<number>`case when o.certified_report_id is not null and o.certificate_expires_at > ${$.now} then 0
            when ${exists(measured("c"), $.now)} then 1 when ${exists(linked("c"), $.now)} then 2 else 3 end`.as(
            "rank",
          ),
        )
        .where(
          sql<boolean>`(cast(${$.provider} as text) is null or o.provider_id = cast(${$.provider} as text))`,
        )
        .where(sql<boolean>`(cast(${$.type} as text) is null or o.type = cast(${$.type} as text))`)
        .where(
          sql<boolean>`(cast(${$.price} as bigint) is null or o.price_eur_cents <= cast(${$.price} as bigint))`,
        )
        .where(
          sql<boolean>`(cast(${$.ram} as double precision) is null or o.ram_gb >= cast(${$.ram} as double precision))`,
        ),
    )
    .with("page", (cte) =>
      cte
        .selectFrom("ranked as k")
        .select(["k.id", "k.price", "k.rank"])
        .where(sql<boolean>`(k.rank, k.price, k.id) > (${$.fromRank}, ${$.fromPrice}, ${$.fromId})`)
        .where(
          sql<boolean>`(cast(${$.evidence} as integer) is null or k.rank = cast(${$.evidence} as integer))`,
        )
        .orderBy("k.rank")
        .orderBy("k.price")
        .orderBy("k.id")
        .limit($.limit),
    )
    .with("best", (cte) =>
      cte
        .selectFrom("page as g")
        .innerJoin("offer as o", "o.id", "g.id")
        .select(["g.id", "g.price", "g.rank"])
        .select(
          sql<
            string | null
          >`case g.rank when 0 then o.certified_report_id when 1 then ${newest(measured("c"), $.now)}
            when 2 then ${newest(linked("c"), $.now)} end`.as("report_id"),
        ),
    )
    .selectFrom("best as b")
    .innerJoin("offer as o", "o.id", "b.id")
    .innerJoin("provider as p", "p.id", "o.provider_id")
    .leftJoin("report as r", "r.id", "b.report_id")
    .select(shownColumns)
    .select(lowest(certified("c"), $.now, dialect).as("lowest_certified"))
    .select(lowest(measured("c"), $.now, dialect).as("lowest_measured"))
    .select(lowest(linked("c"), $.now, dialect).as("lowest_linked"))
    .orderBy("b.rank")
    .orderBy("b.price")
    .orderBy("b.id"),
);

type Row = NonNullable<(typeof list)["types"]>["row"];

const contentFrom = (json: string): ReportContent => JSON.parse(json) as ReportContent;

function evidenceOf(row: Row): Pick<OfferRecord["offer"], "report" | "contested"> {
  const content = row.report_content === null ? null : contentFrom(row.report_content);
  const score = content?.scores.total ?? null;
  const lowest = [row.lowest_certified, row.lowest_measured, row.lowest_linked];
  const isContested = row.disputed_at !== null || lowest.some((total) => contests(score, total));
  const { report_id, report_short_id, report_created_at } = row;
  // A certificate may belong to an unlisted report, whose address must not be revealed.
  if (row.report_visibility !== "public" || !content || report_id === null) {
    return { report: null, contested: isContested };
  }
  const { algorithm_version } = content;
  return {
    report: {
      id: report_id,
      short_id: report_short_id ?? "",
      total: score,
      hardware: content.scores.hardware,
      algorithm_version,
      created_at: toTimestamp(report_created_at ?? 0),
    },
    contested: isContested,
  };
}

function toOffer(row: Row): OfferRecord {
  const { report, contested } = evidenceOf(row);
  return {
    position: { rank: row.rank, price: row.price, id: row.id },
    offer: {
      ...factsOf(row),
      billing_period: "month",
      evidence: evidenceRanks[row.rank] ?? "none",
      contested,
      certified_at: toTimestampOrNull(row.certified_at),
      certificate_expires_at: toTimestampOrNull(row.certificate_expires_at),
      report,
      updated_at: toTimestamp(row.updated_at),
    },
  };
}

const rankOf = ({ evidence }: OfferFilter): number | null =>
  evidence === null ? null : evidenceRanks.indexOf(evidence);

/** Best evidence first, then by price (unknown prices last), then by id. */
export function* selectOffers(
  filter: OfferFilter,
  after: OfferPosition | null,
  limit: number,
  now: Instant,
): Work<OfferRecord[]> {
  const from = after ?? fromTop;
  const rows = yield* all(list, {
    now,
    provider: filter.providerId,
    type: filter.type,
    price: filter.maxPriceEurCents,
    ram: filter.minRamGb,
    evidence: rankOf(filter),
    fromRank: from.rank,
    fromPrice: from.price,
    fromId: from.id,
    limit,
  });
  return rows.map(toOffer);
}
