import { seriesFields, type Sample, type SeriesField } from "../../core/metric/sample.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { sampleTable } from "./tables.ts";

type SampleRow = RowOf<typeof sampleTable>;

/** The same server and instant is the same sample: the first one stays. */
const insert = bulk<SampleRow>(sampleTable.columns)((db, rows) =>
  db
    .insertInto("sample")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "sampled_at"]).doNothing()),
);

function seriesColumns<T>(value: (field: SeriesField) => T): Record<SeriesField, T> {
  return Object.fromEntries(seriesFields.map((field) => [field, value(field)])) as Record<SeriesField, T>;
}

/** What a series cannot be drawn of; the pause comes first, so that statements find it by `pausedDetail`. */
const detailOf = ({ paused_empty, worlds_top, region_source, regions }: Sample): string | null =>
  paused_empty === null && worlds_top === null && region_source === null && regions === null
    ? null
    : JSON.stringify({ paused_empty, worlds_top, region_source, regions });

/** How the detail of a sample begins whose server was paused because nobody was on it. */
export const pausedDetail = '{"paused_empty":true';

const rowOf = (serverId: string, sampledAt: number, sample: Sample, receivedAt: number): SampleRow => ({
  server_id: serverId,
  sampled_at: sampledAt,
  received_at: receivedAt,
  detail: detailOf(sample),
  ...seriesColumns((field) => sample[field]),
});

const pauseOf = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .select(["s.paused_since", "s.sampled_at", "s.sample_received_at"])
    .where("s.id", "=", $.id),
);

const show = query<{
  id: string;
  sampled: number;
  received: number;
  sample: string;
  paused: number | null;
}>()((db, $) =>
  db
    .updateTable("server")
    .set({ sampled_at: $.sampled, sample_received_at: $.received, sample: $.sample, paused_since: $.paused })
    .where("id", "=", $.id),
);

/** The sample that a server shows, and since when it is paused. */
export interface ShownSample {
  readonly paused_since: number | null;
  readonly sampled_at: number | null;
  readonly sample_received_at: number | null;
}

export function* shownSample(id: string): Generator<Step, ShownSample | null, Result> {
  return yield* one(pauseOf, { id });
}

interface TimedSample {
  readonly sampledAt: number;
  readonly sample: Sample;
}

export interface ReceivedSample extends TimedSample {
  readonly receivedAt: number;
}

/** Inserts samples of a server; answers how many of them are new. */
export function* insertSamples(
  serverId: string,
  samples: readonly ReceivedSample[],
): Generator<Step, number, Result> {
  const rows = samples.map(({ sampledAt, sample, receivedAt }) =>
    rowOf(serverId, sampledAt, sample, receivedAt),
  );
  return (yield* insertAll(insert, rows)).written;
}

/** Makes a sample the one that its server shows. */
export function* showSample(
  serverId: string,
  { sampledAt, sample }: TimedSample,
  pausedSince: number | null,
  receivedAt: number,
): Generator<Step, void, Result> {
  const values = { id: serverId, sampled: sampledAt, received: receivedAt, paused: pausedSince };
  yield* run(show, { ...values, sample: JSON.stringify(sample) });
}
