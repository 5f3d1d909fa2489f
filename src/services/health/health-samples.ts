import { healthFields, type HealthField, type HealthSample } from "../../core/health/facts.ts";
import { fieldValues } from "../../core/health/field-values.ts";
import type { SeriesChunk } from "../../core/metric/chunk.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { readPoints } from "../../store/metric/series-points.ts";

/** Days before the last one in which a field counts as measured before, and how long a look into each is. */
const daysBefore = 7;
const lookMs = 5 * minuteMs;

function* samplesIn({ times, columns }: SeriesChunk): Generator<HealthSample> {
  const values = columns.map(({ sum }) => sum);
  for (const [index, at] of times.entries())
    yield fieldValues(at, healthFields, (place) => values[place]?.[index]);
}

/** The samples of a server with the fields that rules look at, oldest first, `to` exclusive. */
export async function readHealthSamples(
  db: Database,
  server: string,
  from: Instant,
  to: Instant,
): Promise<HealthSample[]> {
  const samples: HealthSample[] = [];
  for await (const chunk of readPoints(db, server, from, to, healthFields))
    if (!chunk.rolled) samples.push(...samplesIn(chunk));
  return samples;
}

/** The fields that five minutes of one of the days before the last one have, at the same time of day. */
export async function fieldsBefore(
  db: Database,
  server: string,
  to: Instant,
  firstSampleAt: Instant | null,
): Promise<Set<HealthField>> {
  const fields = new Set<HealthField>();
  for (let days = 1; days <= daysBefore; days += 1) {
    const end = to - days * dayMs;
    if (firstSampleAt === null || end <= firstSampleAt) break;
    for (const sample of await readHealthSamples(db, server, end - lookMs, end))
      for (const field of healthFields) if (sample[field] !== null) fields.add(field);
  }
  return fields;
}
