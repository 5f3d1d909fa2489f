import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { healthFields, type HealthField } from "../../../src/core/health/health-fields.ts";
import { HealthSamples } from "../../../src/core/health/health-samples.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { ProfileRecord } from "../../../src/core/profile/records.ts";
import type { Instant } from "../../../src/core/time.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const noon = Date.parse("2026-11-20T12:00:00Z");

export type HealthSample = Readonly<Record<HealthField, number | null>> & { readonly at: Instant };

const nothing = Object.fromEntries(healthFields.map((field) => [field, null])) as Record<HealthField, null>;

/** A sample with these fields and no other. */
export const sampleAt = (at: Instant, fields: Partial<Record<HealthField, number>>): HealthSample => ({
  ...nothing,
  ...fields,
  at,
});

/** A sample every 30 seconds of the three hours before noon; the newest is half a minute old. */
export const samplesOf = (
  fields: (at: Instant, index: number) => Partial<Record<HealthField, number>>,
): HealthSample[] =>
  Array.from({ length: 360 }, (_, index) => {
    const at = noon - 3 * hour + index * 30_000 + 15_000;
    return sampleAt(at, fields(at, index));
  });

/** A calm server that has run for a day: nothing is wrong with it. */
export const calm = samplesOf(() => ({
  tps: 20,
  mspt: 12,
  mspt_p95: 20,
  worst_tick_ms: 60,
  player_count: 8,
}));

/** Facts, of which samples may be records. */
export type ChangedFacts = Partial<Omit<HealthFacts, "samples">> & {
  readonly samples?: readonly HealthSample[] | HealthSamples;
};

const columnsOf = (samples: readonly HealthSample[]): HealthSamples =>
  new HealthSamples(
    Float64Array.from(samples, ({ at }) => at),
    healthFields.map((field) => Float64Array.from(samples, (sample) => sample[field] ?? Number.NaN)),
  );

/** The facts of a calm server, but for these. */
export const factsOf = ({ samples = calm, ...changes }: ChangedFacts = {}): HealthFacts => ({
  serverId: "0197aaaa-0000-7000-8000-000000000001",
  from: noon - day,
  to: noon,
  state: "running",
  stateSince: noon - day,
  bootAt: noon - day,
  sender: "agent",
  samples: samples instanceof HealthSamples ? samples : columnsOf(samples),
  samplesFrom: noon - 3 * hour,
  sampleTimes: Float64Array.from({ length: 2880 }, (_, index) => noon - day + index * 30_000 + 15_000),
  transitions: [],
  nextSampleAt: null,
  firstSampleAt: noon - 30 * day,
  measuredBefore: new Set(),
  events: [],
  eventsFrom: noon - 2 * day,
  alerts: [],
  enabledRules: 1,
  newestProfile: null,
  formerProfile: null,
  heapLows: [],
  diskLows: [],
  usual: { baseline: null, slowness: null, past: [] },
  countBaselines: {},
  earlier: null,
  regressionSince: null,
  maintenance: [],
  ...changes,
});

/** A profile of these plugins, by their own share in percent of 1,000 tick samples. */
export const profileOf = (
  capturedAt: Instant,
  plugins: Readonly<Record<string, number>>,
  changes: Partial<ProfileRecord["summary"]> = {},
): ProfileRecord => ({
  id: `summary-${capturedAt}`,
  serverId: "0197aaaa-0000-7000-8000-000000000001",
  serverName: null,
  profileId: `profile-${capturedAt}`,
  pluginVersion: null,
  capturedAt,
  uploadedAt: capturedAt,
  longestTickMs: null,
  serviceVersion: null,
  summary: {
    schema: "service-profile-summary/1",
    local_id: null,
    trigger: "lag",
    created_at: null,
    lag: null,
    window: { start: null, end: null, seconds: null },
    samples: { tick: 1000, total: 1000 },
    platform: { server_type: null, server_version: null, java_version: null },
    warnings: [],
    owners_by_total: [],
    owners: Object.entries(plugins)
      .map(([owner, pct]) => ({ owner, plugin: true, self_pct: pct, total_pct: pct }))
      .toSorted((one, other) => other.self_pct - one.self_pct),
    owners_complete: true,
    methods: [],
    categories: [],
    key_points: [],
    ...changes,
  },
});

export const eventOf = (type: string, at: Instant, changes: Partial<EventRecord> = {}): EventRecord => ({
  id: `event-${type}-${at}`,
  serverId: "0197aaaa-0000-7000-8000-000000000001",
  localId: null,
  type,
  category: "lifecycle",
  source: "agent",
  severity: "info",
  title: `Title of ${type}`,
  description: null,
  metadata: null,
  happenedAt: at,
  durationMs: null,
  receivedAt: at,
  ...changes,
});
