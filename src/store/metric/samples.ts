import type { SampleSource } from "../../core/metric/imported.ts";
import type { Sample } from "../../core/metric/sample.ts";
import type { SeriesField } from "../../core/metric/fields.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { runUnread, type Work } from "../engine/database.ts";
import { placesOf, query, type Builder } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { sampleTable } from "./tables.ts";

type SampleRow = RowOf<typeof sampleTable>;

/** Server and instant identify a sample; a stored one is not replaced. */
const insertion = (db: Builder, rows: SampleRow | SampleRow[]) =>
  db
    .insertInto("sample")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "sampled_at"]).doNothing());

const insert = bulk<SampleRow>(sampleTable.columns)(insertion);
const insertOne = query<SampleRow>()((db, $) => insertion(db, placesOf(sampleTable.columns, $)));

type Detail = Omit<Sample, SeriesField>;

/** Values that are not drawn as series, as JSON. The pause comes first, so that `pausedDetail` finds it. */
const detailOf = ({ paused_empty, worlds_top, region_source, regions, world_sizes }: Detail): string | null =>
  paused_empty === null &&
  worlds_top === null &&
  region_source === null &&
  regions === null &&
  world_sizes === null
    ? null
    : JSON.stringify({
        paused_empty,
        worlds_top,
        region_source,
        regions,
        world_sizes: world_sizes ?? undefined,
      });

/** The same for an imported sample, whose source comes first, so that `importedDetail` finds it. */
const importedDetailOf = ({ worlds_top }: Detail, source: SampleSource): string =>
  JSON.stringify({ source, worlds_top });

/** How the detail column starts if the sample was imported. */
export const importedDetail = '{"source":';

/** How the detail column starts if the server was paused because it was empty. */
export const pausedDetail = '{"paused_empty":true';

function rowOf(
  serverId: string,
  { sampledAt, sample, receivedAt, source = null }: ReceivedSample,
): SampleRow {
  const { paused_empty, worlds_top, region_source, regions, world_sizes, ...series } = sample;
  const details = { paused_empty, worlds_top, region_source, regions, world_sizes };
  const detail = source === null ? detailOf(details) : importedDetailOf(details, source);
  return { server_id: serverId, sampled_at: sampledAt, received_at: receivedAt, detail, ...series };
}

export interface ReceivedSample {
  readonly sampledAt: number;
  readonly sample: Sample;
  readonly receivedAt: number;
  /** Null or left out: the server sent it by itself. */
  readonly source?: SampleSource | null;
}

export function* insertSamples(serverId: string, samples: readonly ReceivedSample[]): Work<number> {
  const rows = samples.map((sample) => rowOf(serverId, sample));
  return (yield* insertAll(insert, rows)).written;
}

export function* sendSample(serverId: string, sample: ReceivedSample): Work<void> {
  yield* runUnread(insertOne, rowOf(serverId, sample));
}
