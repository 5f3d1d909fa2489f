import { sql, type RawBuilder, type SqlBool } from "kysely";
import { BenchmarkMode, Visibility } from "../../core/report/report.ts";

/** The values of a list of reports; filters that are null are switched off. */
export type ListValues = {
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

export const notExpired = (now: number) => sql<boolean>`(r.expires_at is null or r.expires_at > ${now})`;

type Condition = RawBuilder<SqlBool>;

const all = (conditions: readonly Condition[]): Condition =>
  sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** True when the filter is switched off or asks for this word; the database sees that before it reads a row. */
const allows = (filter: string | null, word: string): Condition =>
  sql<SqlBool>`(cast(${filter} as text) is null or cast(${filter} as text) = ${sql.lit(word)})`;

/** The newest reports of one visibility and one mode that meet the conditions: a walk along one index. */
const walk = (
  $: ListValues,
  isTyped: boolean,
  visibility: Visibility,
  mode: BenchmarkMode,
  conditions: readonly Condition[],
): RawBuilder<unknown> =>
  sql`select id from (select r.id from report as r where ${all([
    ...conditions,
    sql`r.visibility = ${sql.lit(visibility)}`,
    sql`r.benchmark_mode = ${sql.lit(mode)}`,
    ...(isTyped ? [sql<SqlBool>`r.server_type = ${$.type}`] : []),
    allows($.visibility, visibility),
    allows($.mode, mode),
    notExpired($.now),
    sql`(r.created_at, r.id) < (${$.at}, ${$.id})`,
  ])} order by r.created_at desc, r.id desc limit ${$.limit}) as found`;

const walks = (
  $: ListValues,
  isTyped: boolean,
  visibilities: readonly Visibility[],
  conditions: readonly Condition[],
): RawBuilder<unknown>[] =>
  visibilities.flatMap((visibility) =>
    BenchmarkMode.options.map((mode) => walk($, isTyped, visibility, mode, conditions)),
  );

/** Unlisted reports that are certified: the only ones beside public and own ones that everybody sees. */
const certified = ($: ListValues, isTyped: boolean): RawBuilder<unknown> =>
  sql`select r.id from report as r where ${all([
    sql`r.certificate_expires_at > ${$.now}`,
    sql`r.visibility = 'unlisted'`,
    allows($.visibility, "unlisted"),
    sql`(cast(${$.mode} as text) is null or r.benchmark_mode = ${$.mode})`,
    ...(isTyped ? [sql<SqlBool>`r.server_type = ${$.type}`] : []),
    notExpired($.now),
    sql`(r.created_at, r.id) < (${$.at}, ${$.id})`,
  ])}`;

/** Reports that others wrote of the viewer's verified servers. */
const ofOwnServers = ($: ListValues, isTyped: boolean): RawBuilder<unknown>[] =>
  Visibility.options.flatMap((visibility) =>
    BenchmarkMode.options.map(
      (mode) =>
        sql`select r.id from server as s join report as r on r.server_id = s.id where ${all([
          sql`s.account_id = ${$.viewer}`,
          sql`s.verified_at is not null`,
          sql`r.visibility = ${sql.lit(visibility)}`,
          sql`r.benchmark_mode = ${sql.lit(mode)}`,
          ...(isTyped ? [sql<SqlBool>`r.server_type = ${$.type}`] : []),
          allows($.visibility, visibility),
          allows($.mode, mode),
          sql`(r.author_id is null or r.author_id <> ${$.viewer})`,
          notExpired($.now),
          sql`(r.created_at, r.id) < (${$.at}, ${$.id})`,
        ])}`,
    ),
  );

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(parts, sql` union all `);

const byAuthor = ($: ListValues): Condition => sql`r.author_id = ${$.viewer}`;

/**
 * The ids among which a filtered page is: each part finds its newest ones along an index that has every filter, so that
 * a filter which few reports meet costs no walk through all of them. `isTyped`: whether a server type is asked for.
 */
export const seenByViewer = ($: ListValues, isTyped: boolean): RawBuilder<unknown> =>
  union([
    ...walks($, isTyped, ["public"], []),
    ...walks($, isTyped, Visibility.options, [byAuthor($)]),
    certified($, isTyped),
    ...ofOwnServers($, isTyped),
  ]);

export const writtenByViewer = ($: ListValues, isTyped: boolean): RawBuilder<unknown> =>
  union(walks($, isTyped, Visibility.options, [byAuthor($)]));

/** Of one server; the caller adds the conditions on who sees them. */
export const measuredOnServer = ($: ListValues, isTyped: boolean, seen: Condition): RawBuilder<unknown> =>
  union(walks($, isTyped, Visibility.options, [sql`r.server_id = ${$.server}`, seen]));
