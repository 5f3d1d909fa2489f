import { healthFields, steadyFields, type SteadyField } from "../../core/health/health-fields.ts";
import { HealthSamples } from "../../core/health/health-samples.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { readPoints } from "../../store/metric/series-points.ts";

/** Days before the last day in which a field counts as measured, and the length of the look into each. */
const daysBefore = 7;
const lookMs = 5 * minuteMs;

/** Samples with the fields that rules use, oldest first; `to` is exclusive. */
export async function readHealthSamples(
  db: Database,
  server: string,
  from: Instant,
  to: Instant,
): Promise<HealthSamples> {
  const parts: HealthSamples[] = [];
  for await (const { times, columns } of readPoints(db, server, from, to, healthFields))
    parts.push(
      new HealthSamples(
        times,
        columns.map((column) => column.values()),
      ),
    );
  return HealthSamples.joined(parts);
}

/** Fields of every sample that were measured on one of the days before the last, in five minutes at the same time of day. */
export async function fieldsBefore(
  db: Database,
  server: string,
  to: Instant,
  firstSampleAt: Instant | null,
): Promise<Set<SteadyField>> {
  const fields = new Set<SteadyField>();
  for (let days = 1; days <= daysBefore; days += 1) {
    const end = to - days * dayMs;
    if (firstSampleAt === null || end <= firstSampleAt) break;
    const samples = await readHealthSamples(db, server, end - lookMs, end);
    for (const field of steadyFields) if (samples.has(field)) fields.add(field);
  }
  return fields;
}
