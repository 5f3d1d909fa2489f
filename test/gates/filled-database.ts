import type { RawDatabase } from "../store/engine/raw-database.ts";
import { copyRows, numbers } from "../support/copied-rows.ts";

/** How much of everything there is: one account is large, many are small, and a few servers are loud. */
export interface Size {
  /** Servers of the large account. */
  readonly large: number;
  /** Accounts of two servers. */
  readonly small: number;
  /** Servers of the large account with so many entries each; the other ones have 20. */
  readonly loud: number;
  readonly entriesOfLoud: number;
  readonly reports: number;
  /** Rows of every other kind that an account has many of. */
  readonly others: number;
}

/** What exists already, of which the rows are copies. */
interface Templates {
  readonly large: string;
  readonly small: string;
  readonly server: string;
  readonly now: number;
}

let kinds = 0;
/** An identifier of the row of that number, of a kind of its own. */
const idsOfKind = (): ((number: string) => string) => {
  const kind = 100 + (kinds += 1);
  return (number) => `'019a9f5e-1d00-7000-8${kind}-' || CAST(100000000000 + ${number} AS TEXT)`;
};

/** Fills a database by SQL: a service would take hours. */
export async function fill(
  raw: RawDatabase,
  size: Size,
  { large, small, server, now }: Templates,
): Promise<void> {
  const copies = copyRows.bind(null, raw);
  const [accountId, serverId, smallServerId] = [idsOfKind(), idsOfKind(), idsOfKind()];
  await copies(
    "account",
    size.small,
    { id: accountId("i"), email: `'small-' || i || '@example.org'`, created_at: `${now} - i` },
    `id = '${small}'`,
  );
  const linked = { linked_at: `${now} - 1000 * i`, created_at: `${now} - 1000 * i` };
  const ofTemplate = `id = '${server}'`;
  await copies(
    "server",
    size.large,
    { ...linked, id: serverId("i"), installation_id: "'l' || i" },
    ofTemplate,
  );
  await copies(
    "server",
    2 * size.small,
    {
      ...linked,
      id: smallServerId("i"),
      account_id: accountId("i / 2"),
      linked_by: accountId("i / 2"),
      installation_id: "'s' || i",
      group_id: "NULL",
    },
    ofTemplate,
  );
  await raw.run(`INSERT INTO monitoring_order (server_id, account_id, position)
    SELECT id, account_id, row_number() OVER (PARTITION BY account_id ORDER BY linked_at, id) FROM server
    WHERE id NOT IN (SELECT server_id FROM monitoring_order) AND account_id IS NOT NULL`);
  await fillTimelines(raw, size, serverId, smallServerId, now);
  const some = `${serverId(`i % ${size.large}`)}`;
  const back = `${now} - 60000 * i`;
  const report = idsOfKind();
  await copies("report", size.reports, {
    id: report("i"),
    short_id: "'r' || i",
    local_id: "'r' || i",
    author_id: `CASE WHEN i % 2 = 0 THEN '${large}' ELSE ${accountId(`i % ${size.small}`)} END`,
    server_id: `CASE WHEN i % 2 = 0 THEN ${some} ELSE ${smallServerId(`i % ${2 * size.small}`)} END`,
    visibility:
      "CASE i % 4 WHEN 0 THEN 'public' WHEN 1 THEN 'public' WHEN 2 THEN 'private' ELSE 'unlisted' END",
    benchmark_mode: "'standard'",
    server_type: "'paper'",
    created_at: back,
    finished_at: back,
  });
  await copies("unit_test", size.others, {
    id: idsOfKind()("i"),
    short_id: "'u' || i",
    local_id: "'u' || i",
    server_id: some,
    created_at: back,
  });
  await copies("profile_summary", size.others, {
    id: idsOfKind()("i"),
    local_id: "'p' || i",
    server_id: some,
    uploaded_at: back,
    timeline_at: back,
  });
  await copies("memory_report", size.others, {
    id: idsOfKind()("i"),
    local_id: "'m' || i",
    server_id: some,
    uploaded_at: back,
    timeline_at: back,
  });
  await copies("alert", size.others, {
    id: idsOfKind()("i"),
    server_id: some,
    opened_at: back,
    status: "CASE WHEN i % 50 = 0 THEN 'open' ELSE 'resolved' END",
    resolved_at: `CASE WHEN i % 50 = 0 THEN NULL ELSE ${back} END`,
  });
  await copies("alert_rule", 2 * size.large, {
    id: idsOfKind()("i"),
    server_id: some,
    created_at: back,
    open_alert_id: "NULL",
  });
  await copies("activity", size.others, {
    at: back,
    id: idsOfKind()("i"),
    token_id: "'none'",
    account_id: `'${large}'`,
  });
  await copies("inbox", size.others, { id: idsOfKind()("i"), created_at: back });
  await copies("dispatch", size.others, { id: idsOfKind()("i"), due_at: `${now} + i`, created_at: back });
  const target = idsOfKind();
  await copies("auto_bench_target", size.large, {
    id: target("i"),
    server_id: some,
    created_at: back,
    next_run_at: "NULL",
  });
  await copies("auto_bench_job", size.others, {
    id: idsOfKind()("i"),
    target_id: target(`i % ${size.large}`),
    server_id: some,
    nonce: "'n' || i",
    status: "'succeeded'",
    queued_at: back,
    finished_at: back,
    judged_at: back,
  });
  await copies("server_software", size.large, { server_id: serverId("i") });
  await copies("server_health", size.large, { server_id: serverId("i") });
  await copies("sample", size.others, {
    server_id: serverId(`i % ${size.loud}`),
    sampled_at: back,
    received_at: back,
  });
  await copies("api_token", size.others, {
    id: idsOfKind()("i"),
    digest: "'t' || i",
    account_id: accountId(`i % ${size.small}`),
    created_at: back,
  });
  await copies("offer", size.large, { id: idsOfKind()("i"), name: "'Offer ' || i" });
}

/** Loud servers have one type often, of which every other one has none at all, and a rare one a long time ago. */
async function fillTimelines(
  raw: RawDatabase,
  { large, small, loud, entriesOfLoud }: Size,
  serverId: (number: string) => string,
  smallServerId: (number: string) => string,
  now: number,
): Promise<void> {
  const ofServers = async (
    count: number,
    each: number,
    server: (number: string) => string,
  ): Promise<void> => {
    const entry = idsOfKind();
    const [of, place] = [`(i / ${each})`, `(i % ${each})`];
    await raw.run(`INSERT INTO server_event
        (id, server_id, local_id, type, category, source, severity, title, happened_at, timeline_at, received_at)
      ${numbers(count * each)}
      SELECT ${entry("i")}, ${server(of)}, CAST(i AS TEXT),
        CASE WHEN ${place} = ${each - 1} THEN 'server_crash' WHEN ${of} % 2 = 0 AND ${place} % 3 = 0 THEN 'lag_spike' ELSE 'ban' END,
        CASE WHEN ${place} = ${each - 1} THEN 'lifecycle' WHEN ${of} % 2 = 0 AND ${place} % 3 = 0 THEN 'custom' ELSE 'moderation' END,
        CASE WHEN ${place} = ${each - 1} THEN 'agent' WHEN ${of} % 2 = 0 AND ${place} % 3 = 0 THEN 'plugin' ELSE 'LiteBans' END,
        CASE WHEN ${place} = ${each - 1} THEN 'error' WHEN ${of} % 2 = 0 AND ${place} % 3 = 0 THEN 'warning' ELSE 'info' END,
        'Something happened', ${now} - 60000 * ${place} - ${of}, ${now} - 60000 * ${place} - ${of}, ${now} FROM n`);
  };
  await ofServers(loud, entriesOfLoud, serverId);
  await ofServers(large - loud, 20, (number) => serverId(`${loud} + ${number}`));
  await ofServers(2 * small, 20, smallServerId);
  await raw.run(
    "UPDATE server SET last_event_at = (SELECT max(e.timeline_at) FROM server_event AS e WHERE e.server_id = server.id)",
  );
}
