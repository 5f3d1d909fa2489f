import { z } from "zod";
import { percentUp } from "../health/availability.ts";
import { Availability } from "../health/health.ts";
import { Id } from "../id.ts";
import type { Position } from "../position.ts";
import type { MonitoredServer } from "../server/server.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";

export const ServerAvailability = z.object({
  server_id: Id,
  name: thirdPartyText(80).nullable(),
  ...Availability.shape,
});
export type ServerAvailability = z.infer<typeof ServerAvailability>;

const count = z.int();

/** Of all servers, not only of those on the page. */
export const AvailabilityTotals = z.object({
  servers: count,
  /** Servers that were up or down in the period. */
  measured: count,
  /** Up among up and down of all servers, %; null if nothing was measured. */
  percent: z.number().nullable(),
  down_seconds: count,
  incidents: count,
});
export type AvailabilityTotals = z.infer<typeof AvailabilityTotals>;

export const AvailabilityPeriod = z.object({ from: Timestamp, to: Timestamp });

export function availabilityTotals(of: readonly Availability[]): AvailabilityTotals {
  const sum = (field: "up_seconds" | "down_seconds" | "incidents"): number =>
    of.reduce((total, availability) => total + availability[field], 0);
  return {
    servers: of.length,
    measured: of.filter(({ percent }) => percent !== null).length,
    percent: percentUp({ up_seconds: sum("up_seconds"), down_seconds: sum("down_seconds") }),
    down_seconds: sum("down_seconds"),
    incidents: sum("incidents"),
  };
}

/** Behind every percentage: nothing was measured. */
const unmeasured = 101;
/** Behind every name. */
const nameless = "\uFFFF";

/** The place in the list: the least available first, then the longest down, then by name and id. */
export const availabilityPlace = (row: ServerAvailability): Position => [
  row.percent ?? unmeasured,
  -row.down_seconds,
  row.name ?? nameless,
  row.server_id,
];

function comparePlaces(one: Position, other: Position): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? value;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}

/** The rows behind a place, worst first. */
export function worstAvailable(
  servers: readonly MonitoredServer[],
  known: ReadonlyMap<string, Availability>,
  after: Position | null,
): ServerAvailability[] {
  const placed = servers.flatMap(({ id, name }) => {
    const availability = known.get(id);
    if (!availability) return [];
    const row = { server_id: id, name, ...availability };
    return [{ row, place: availabilityPlace(row) }];
  });
  return placed
    .filter(({ place }) => after === null || comparePlaces(place, after) > 0)
    .toSorted((one, other) => comparePlaces(one.place, other.place))
    .map(({ row }) => row);
}
