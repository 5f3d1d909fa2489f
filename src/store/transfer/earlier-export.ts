import { ByteReader } from "../../core/metric/block/byte-reader.ts";
import { blockExtent, blockSegments } from "../../core/metric/block/segment.ts";
import { concatenated } from "../../core/metric/concatenated.ts";

/** The format before the first release, with migrations 1 to 41. */
export const earlierFormat = "tickmark-export/1";
export const newestEarlierMigration = 41;

/** Tables that no release has; each of their rows summarizes five minutes of samples. */
export const earlierTables: readonly string[] = ["sample_rollup"];

export type ExportedRow = Readonly<Record<string, unknown>>;

/** Adds the values of columns that earlier migrations did not have. */
const completed = new Map(
  Object.entries<(row: ExportedRow) => ExportedRow>({
    account: (row) => ({ device_generation: 0, ...row }),
    server: (row) => ({ linked_by: row["account_id"], sender: "plugin", ...row }),
    server_software: (row) => ({ first_received_at: row["changed_at"], changes: "[]", ...row }),
    server_baseline: (row) => ({ counts: "{}", ...row }),
    dispatch: (row) => ({ unanswered: 0, is_second: 0, ...row }),
    notification_setting: (row) => ({ digest_email: 0, digest_chat: 0, notices_webhook: 0, ...row }),
    alert: (row) => ({ ...row, delivery: withValues(row["delivery"], { webhook: null, second: null }) }),
    inbox: (row) => ({
      ...row,
      message: withValues(row["message"], {
        link: row["alert_id"] ? `/alerts/${String(row["alert_id"])}` : null,
      }),
    }),
  }),
);

const withValues = (json: unknown, values: object): string =>
  JSON.stringify({ ...values, ...(JSON.parse(String(json)) as object) });

export interface Adapted {
  /** Null if no table can hold it. */
  readonly row: ExportedRow | null;
  readonly leftOut: number;
}

/** Converts a row to the first schema; throws if one of its values is not valid. */
export function toFirstSchema(table: string, row: ExportedRow): Adapted {
  if (earlierTables.includes(table)) return { row: null, leftOut: 1 };
  if (table === "sample_block") return withoutFiveMinutes(row);
  return { row: completed.get(table)?.(row) ?? row, leftOut: 0 };
}

/** The kind of a segment with five-minute rows. */
const fiveMinutes = 1;

function withoutFiveMinutes(row: ExportedRow): Adapted {
  const block = Buffer.from(String(row["data"]), "base64");
  const kept: Uint8Array[] = [];
  for (let start = 0; start < block.length;) {
    const reader = new ByteReader(block, start);
    reader.byte();
    const kind = reader.byte();
    reader.take(reader.count());
    if (kind !== fiveMinutes) kept.push(block.subarray(start, reader.at));
    start = reader.at;
  }
  const data = concatenated(Uint8Array, kept);
  if (data.length === block.length) return { row, leftOut: 0 };
  const extent = blockExtent(blockSegments(data));
  const leftOut = Number(row["points"]) - extent.points;
  if (data.length === 0) return { row: null, leftOut };
  return { row: { ...row, ...extent, data: Buffer.from(data).toString("base64") }, leftOut };
}

/** From this migration on a row says whether agent or plugin reports for the server. */
const sendersFrom = 17;
/** Before this migration, the order of monitored servers was computed at each call. */
const orderFrom = 26;

/** Statements that compute, after an import, what an export of that migration lacks. */
export const afterRowsOf = (migration: number): readonly string[] => [
  ...(migration < sendersFrom
    ? [
        `UPDATE server SET sender = 'agent' WHERE EXISTS (
           SELECT 1 FROM link_code AS c WHERE c.server_id = server.id AND c.facts LIKE '%"plugin_version":"tickmark-agent%')`,
      ]
    : []),
  ...(migration < orderFrom
    ? [
        `INSERT INTO monitoring_order (server_id, account_id, position)
           SELECT id, account_id, row_number() OVER (PARTITION BY account_id ORDER BY linked_at, id)
           FROM server WHERE account_id IS NOT NULL AND monitoring_enabled = 1`,
      ]
    : []),
];
