import { clockToleranceMs } from "../../core/metric/clock.ts";
import { sampleOf } from "../../core/metric/reported-sample.ts";
import { seriesFields, type Sample, type SeriesField } from "../../core/metric/sample.ts";
import type { SampleStore, SampleWrite } from "../../core/server/store.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { evaluateServer, type NewSample } from "../alert/evaluation.ts";
import { requireLinked } from "../server/locks.ts";
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

/** What a series cannot be drawn of. */
const detailOf = ({ paused_empty, worlds_top, region_source, regions }: Sample): string | null =>
  paused_empty === null && worlds_top === null && region_source === null && regions === null
    ? null
    : JSON.stringify({ paused_empty, worlds_top, region_source, regions });

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

/**
 * Everything a heartbeat says is as of that heartbeat: one that comes late changes nothing that a newer one said,
 * unless the newer one is from a time when our clock was wrong.
 */
const beat = query<{
  id: string;
  received: number;
  boot: number | null;
  tick_age: number | null;
  announcement: string | null;
  announced: number | null;
  unbelievable: number;
}>()((db, $) =>
  db
    .updateTable("server")
    .set({
      last_heartbeat: $.received,
      boot_timestamp: $.boot,
      last_tick_age_ms: $.tick_age,
      announcement: $.announcement,
      announced_at: $.announced,
    })
    .where("id", "=", $.id)
    .where((eb) =>
      eb.or([
        eb("last_heartbeat", "is", null),
        eb("last_heartbeat", "<=", $.received),
        eb("last_heartbeat", ">", $.unbelievable),
      ]),
    ),
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

/** What is dated ahead was measured at its receipt at the latest. */
const measuredAt = (sampledAt: number, receivedAt: number): number => Math.min(sampledAt, receivedAt);

interface Shown {
  readonly sampled_at: number | null;
  readonly sample_received_at: number | null;
}

/**
 * Neither an older sample nor a repeat takes the place of the one shown, unless that one was received further
 * ahead than any believed clock: then ours was wrong at that time.
 */
function staysShown(
  { sampled_at, sample_received_at }: Shown,
  sampledAt: number,
  receivedAt: number,
): boolean {
  if (sampled_at === null || sample_received_at === null) return false;
  if (sample_received_at > receivedAt + clockToleranceMs) return false;
  return (
    sampled_at === sampledAt ||
    measuredAt(sampled_at, sample_received_at) >= measuredAt(sampledAt, receivedAt)
  );
}

/** Stores the sample; answers it where it is now the one shown, null where a newer one stays. */
function* showSample(
  serverId: string,
  { sampledAt, reported }: SampleWrite,
  receivedAt: number,
): Generator<Step, NewSample | null, Result> {
  const sample = sampleOf(reported);
  const shown = yield* one(pauseOf, { id: serverId });
  yield* insertAll(insert, [rowOf(serverId, sampledAt, sample, receivedAt)]);
  if (!shown || staysShown(shown, sampledAt, receivedAt)) return null;
  // A pause began when the plugin says it did, else with the first sample of the run of paused samples.
  const paused =
    sample.paused_empty === true
      ? Math.min(reported.paused_since ?? shown.paused_since ?? sampledAt, sampledAt)
      : null;
  yield* run(show, {
    id: serverId,
    sampled: sampledAt,
    received: receivedAt,
    sample: JSON.stringify(sample),
    paused,
  });
  return { at: sampledAt, previousAt: shown.sampled_at, sample };
}

export function sampleStore(db: Database): SampleStore {
  return {
    recordHeartbeat: ({ serverId, receivedAt, bootTimestamp, lastTickAgeMs, announcement, sample, limits }) =>
      db.write("saved", function* () {
        yield* requireLinked(serverId);
        const newest = yield* run(beat, {
          id: serverId,
          received: receivedAt,
          boot: bootTimestamp,
          tick_age: lastTickAgeMs,
          announcement: announcement?.kind ?? null,
          announced: announcement?.at ?? null,
          unbelievable: receivedAt + clockToleranceMs,
        });
        const measured = sample && (yield* showSample(serverId, sample, receivedAt));
        // A heartbeat that comes late and measured nothing newer is no news: the newer one was judged already.
        if (newest > 0 || measured !== null)
          yield* evaluateServer(serverId, () => limits, receivedAt, measured);
      }),
    storeLate: (serverId, samples, now) =>
      db.write("saved", function* () {
        yield* requireLinked(serverId);
        // In order of time, so that two batches that overlap never wait for each other in a circle.
        const rows = samples
          .toSorted((a, b) => a.sampledAt - b.sampledAt)
          .map(({ sampledAt, reported }) => rowOf(serverId, sampledAt, sampleOf(reported), now));
        return (yield* insertAll(insert, rows)).written;
      }),
  };
}
