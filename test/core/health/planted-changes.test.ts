import { expect, it } from "vitest";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import { baselineOf, type LevelBucket } from "../../../src/core/health/baseline.ts";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import type { HealthFinding } from "../../../src/core/health/health.ts";
import { lookBackMs } from "../../../src/core/health/level-beginning.ts";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import {
  coincidesAfterMs,
  coincidesBeforeMs,
  startingMs,
  tracedMs,
  watchedMs,
} from "../../../src/core/health/thresholds.ts";
import { unseenLevelState, type LevelChange } from "../../../src/core/health/unusual-level.ts";
import type { Instant } from "../../../src/core/time.ts";
import { dice } from "../../support/dice.ts";
import {
  bucketMs,
  firstJudged,
  historyStart,
  plantedAt,
  serverKinds,
  slowHistory,
} from "../../support/slow-histories.ts";
import { day, eventOf, factsOf, minute, sampleAt, type HealthSample } from "./facts.ts";

const serversOfKind = 10;
const factor = 2;
/** As in the rates of the detector alone: found later is not found, and so far from the truth is something else. */
const foundWithinMs = 120 * minute;
const sinceWithinMs = 10 * minute;

const updated = (at: Instant, subject: string): EventRecord =>
  eventOf("plugin_updated", at, {
    category: "custom",
    source: "tickmark",
    title: "Plugin or mod updated",
    metadata: { subject, from: "2.10.0", to: "2.10.1" },
  });

const reported = (type: string) => (at: Instant) => eventOf(type, at);

/** What happens on a server beside the update that made it slow. */
const decoys = {
  backup: reported("backup_complete"),
  start: reported("server_start"),
  crash: reported("server_crash"),
  generation: reported("world_generation"),
  ban: (at: Instant) => eventOf("player_ban", at, { category: "moderation" }),
  setting: (at: Instant) =>
    eventOf("setting_changed", at, {
      category: "custom",
      source: "tickmark",
      title: "Setting changed",
      metadata: { subject: "server.properties view-distance", from: 8, to: 10 },
    }),
  otherUpdate: (at: Instant) => updated(at, "QuietChat"),
} as const;

/** How many of each happen a day, at any time of it. */
const perDay = { backup: 6, start: 2, crash: 1, generation: 2, ban: 4, setting: 3, otherUpdate: 1 } as const;
/** These may also happen near the slowdown, so many in all, within half an hour before it and 5 minutes after. */
const nearKinds = ["backup", "start", "crash", "generation", "ban", "setting"] as const;
const near = { count: 4, from: -30, to: 5 };

interface PlantedHistory {
  /** The truth. */
  readonly at: Instant;
  readonly updatedPlugin: string;
  readonly buckets: readonly LevelBucket[];
  /** Newest first. */
  readonly events: readonly EventRecord[];
}

/** The update, and what else happened from a day and a half before the slowdown to as long after it. */
function eventsAround(at: Instant, updatedPlugin: string, random: () => number): EventRecord[] {
  const between = (from: number, to: number): Instant => Math.round(at + from + (to - from) * random());
  const events = [
    updated(between(-8 * minute, -minute), updatedPlugin),
    // Another plugin changed shortly before: only the distance tells the two apart.
    decoys.otherUpdate(between(-30 * minute, -15 * minute)),
  ];
  for (const [kind, count] of Object.entries(perDay) as [keyof typeof perDay, number][])
    for (let index = 0; index < 3 * count; index += 1)
      events.push(decoys[kind](between(-1.5 * day, 1.5 * day)));
  for (let index = 0; index < near.count; index += 1) {
    const kind = nearKinds[Math.floor(random() * nearKinds.length)] ?? "backup";
    events.push(decoys[kind](between(near.from * minute, near.to * minute)));
  }
  return events.toSorted((one, other) => other.receivedAt - one.receivedAt);
}

const startsIn = (events: readonly EventRecord[]): Instant[] =>
  events.flatMap(({ type, receivedAt }) => (type === "server_start" ? [receivedAt] : []));

function plantedHistory(seed: number, dayToDay: number): PlantedHistory {
  const random = dice(2_000_000 + seed);
  const at = plantedAt(random);
  const updatedPlugin = `MarketStalls${seed}`;
  const events = eventsAround(at, updatedPlugin, random);
  const starts = startsIn(events);
  // A bucket that lies in the first minutes of a boot is in nothing.
  const buckets = slowHistory(seed, dayToDay, { at, factor }).filter(
    (bucket) => !starts.some((boot) => bucket.at >= boot && bucket.at + bucketMs <= boot + startingMs),
  );
  return { at, updatedPlugin, buckets, events };
}

/** What the detector says of the buckets that closed by `to`, one by one, each by the baseline of its day. */
function judgedUntil(buckets: readonly LevelBucket[], to: Instant) {
  const changes: LevelChange[] = [];
  let [state, baseline] = [unseenLevelState, baselineOf(buckets, firstJudged)];
  for (const [place, bucket] of buckets.entries()) {
    if (bucket.at < firstJudged || bucket.at + bucketMs > to) continue;
    if (bucket.at >= baseline.day + day) baseline = baselineOf(buckets, Math.floor(bucket.at / day) * day);
    const step = stepSlowerThanUsual(
      state,
      [bucket],
      baseline,
      buckets.slice(Math.max(0, place - lookBackMs / bucketMs), place),
    );
    state = step.state;
    changes.push(...step.changes);
  }
  return { slowness: state.open, baseline, changes };
}

/** A sample every 30 seconds of the buckets between two instants. */
const samplesBetween = (buckets: readonly LevelBucket[], from: Instant, to: Instant): HealthSample[] =>
  buckets
    .filter(({ at }) => at + bucketMs > from && at < to)
    .flatMap(({ at, value: mspt, players }) =>
      Array.from({ length: 10 }, (_, index) =>
        sampleAt(at + index * 30_000 + 15_000, {
          tps: Math.min(20, 1000 / mspt),
          mspt,
          mspt_p95: 1.4 * mspt,
          worst_tick_ms: 3 * mspt,
          player_count: players,
        }),
      ),
    )
    .filter((sample) => sample.at >= from && sample.at < to);

/** The finding that the health of the last 24 hours has at `to`, of what the service reads for it then. */
function findingAt({ buckets, events }: PlantedHistory, to: Instant): HealthFinding | undefined {
  const { slowness, baseline } = judgedUntil(buckets, to);
  const known = events.filter(({ receivedAt }) => receivedAt <= to);
  const isRead = ({ receivedAt: at }: EventRecord): boolean =>
    at >= to - tracedMs - coincidesBeforeMs ||
    (slowness !== null &&
      at >= slowness.since - coincidesBeforeMs &&
      at <= slowness.since + coincidesAfterMs);
  const health = evaluateHealth(
    factsOf({
      from: to - day,
      to,
      bootAt: startsIn(known)[0] ?? historyStart,
      samples: samplesBetween(buckets, to - watchedMs, to),
      samplesFrom: to - watchedMs,
      sampleTimes: Float64Array.from(samplesBetween(buckets, to - day, to), ({ at }) => at),
      firstSampleAt: historyStart,
      events: known.filter(isRead),
      usual: { baseline, slowness, past: [] },
    }),
  );
  return health.findings.find(({ code }) => code === "slower_than_usual");
}

/** When the slowdown was found: the end of the bucket that opened the finding; null where it was not in time. */
function foundAt({ at, buckets }: PlantedHistory): Instant | null {
  const { changes } = judgedUntil(buckets, at + day);
  const ends = changes.flatMap((change) => (change.kind === "opened" ? [change.at + bucketMs] : []));
  return ends.find((end) => end > at && end <= at + foundWithinMs) ?? null;
}

/** Of the findings looked at: those that began at the truth, and those of them that name the update first. */
function named(
  found: readonly { readonly history: PlantedHistory; readonly end: Instant }[],
  moment: (end: Instant) => Instant,
) {
  let [right, first] = [0, 0];
  for (const { history, end } of found) {
    const finding = findingAt(history, moment(end));
    if (!finding?.since || Math.abs(Date.parse(finding.since) - history.at) > sinceWithinMs) continue;
    right += 1;
    const [change] = finding.coincides_with;
    if (change?.kind === "plugin_updated" && change.subject === history.updatedPlugin) first += 1;
  }
  return { right, first };
}

it("[OUR-HLT-13] [OUR-HLT-48] the change before a slowdown is named first among all that happened, also a day later", () => {
  const histories = serverKinds.flatMap(({ dayToDay }, kind) =>
    Array.from({ length: serversOfKind }, (_, index) =>
      plantedHistory(1001 + kind * serversOfKind + index, dayToDay),
    ),
  );
  const found = histories.flatMap((history) => {
    const end = foundAt(history);
    return end === null ? [] : [{ history, end }];
  });
  const moments = {
    "when found": named(found, (end) => end),
    "a day later": named(found, (end) => end + day),
  };
  console.log(`${histories.length} slowdowns x${factor} with an update before each: ${found.length} found`);
  expect(found.length).toBeGreaterThanOrEqual(25);
  for (const [moment, { right, first }] of Object.entries(moments)) {
    console.log(
      `${moment}: since right in ${right} of ${found.length}, the update first in ${first} of them`,
    );
    expect(right / found.length, moment).toBeGreaterThanOrEqual(0.85);
    expect(first / right, moment).toBeGreaterThanOrEqual(0.95);
  }
});
