import { sampleFields, type SampleField } from "../../core/metric/fields.ts";
import { ReportedSample } from "../../core/metric/reported-sample.ts";
import { toTimestamp, type Instant } from "../../core/time.ts";
import type { SampleBody } from "../../outbound/plugin-client.ts";
import type { Measured, Reading } from "./source.ts";

type Field = keyof Measured;

/** Joins the readings of all sources: the first source with a figure and the latest announcement count. */
export function merged(readings: readonly Reading[]): Reading {
  return readings.reduce<Reading>((believed, reading) => joined(believed, reading, keepFirst), {});
}

/** Joins two readings of one source: sums add up, the larger maximum counts, else the later figure. */
export function continued(earlier: Reading, later: Reading): Reading {
  const { measured, events, announced } = earlier;
  return joined(
    later,
    { ...(measured && { measured }), ...(events && { events }), ...(announced && { announced }) },
    addSpans,
  );
}

type Joining = (believed: Record<string, unknown>, field: Field, value: unknown) => void;

function joined(believed: Reading, other: Reading, join: Joining): Reading {
  const measured: Record<string, unknown> = { ...believed.measured };
  for (const [field, value] of Object.entries(other.measured ?? {}))
    if (value !== null && value !== undefined) join(measured, field as Field, value);
  const announced = [believed.announced, other.announced].flatMap((one) => one ?? []);
  const last = announced.toSorted((a, b) => a.at - b.at).at(-1);
  return {
    ...other,
    ...believed,
    measured: measured as Measured,
    events: [...(other.events ?? []), ...(believed.events ?? [])],
    ...(last && { announced: last }),
  };
}

const keepFirst: Joining = (believed, field, value) => {
  believed[field] ??= value;
};

function reductionOf(field: SampleField): "sum" | "max" | undefined {
  const declared = sampleFields[field];
  return declared.measured ? declared.reduce : undefined;
}

const addSpans: Joining = (believed, field, value) => {
  const known = believed[field];
  if (typeof known !== "number" || typeof value !== "number") believed[field] ??= value;
  else if (reductionOf(field) === "sum") believed[field] = known + value;
  else if (reductionOf(field) === "max") believed[field] = Math.max(known, value);
};

/** A figure for which the service would refuse the sample is left out and named in `refused`. */
export function mergedSample(
  { measured = {}, pausedSince }: Reading,
  sampledAt: Instant,
): { readonly sample: SampleBody; readonly refused: readonly string[] } {
  const known = Object.entries(measured).filter(([, value]) => value !== null && value !== undefined);
  const taken = known.filter(([field, value]) => isTaken(field, value));
  return {
    sample: {
      sampled_at: toTimestamp(sampledAt),
      paused_since: pausedSince === undefined ? null : toTimestamp(pausedSince),
      ...(Object.fromEntries(taken) as Measured),
    },
    refused: known.filter((one) => !taken.includes(one)).map(([field]) => field),
  };
}

const isTaken = (field: string, value: unknown): boolean =>
  field in ReportedSample.shape && ReportedSample.shape[field as Field].safeParse(value).success;
