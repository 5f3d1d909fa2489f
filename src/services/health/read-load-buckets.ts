import { timelineAt } from "../../core/event/server-event.ts";
import {
  BucketCollector,
  loadFields,
  type ExcludedTime,
  type LoadBucket,
  type LoadColumns,
} from "../../core/health/load-buckets.ts";
import { startingMs } from "../../core/health/thresholds.ts";
import type { SeriesChunk } from "../../core/metric/chunk.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import { selectEvents } from "../../store/event/timeline.ts";
import type { PresentFacts } from "../../store/health/present-facts.ts";
import { readPoints } from "../../store/metric/series-points.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";

export interface LoadedServer {
  readonly id: string;
  readonly bootTimestamp: Instant | null;
}

/** Facts that may exclude times; absent ones are not read. */
type MayExclude = Pick<PresentFacts, "hasWindow" | "hasStart">;
const mayExclude: MayExclude = { hasWindow: true, hasStart: true };

/** Most boots of a day that are read: one every three minutes. */
const mostBoots = 480;

/** Times that do not count as usual: maintenance windows, and the first minutes after each boot. */
function* excludedTimes(
  { id, bootTimestamp }: LoadedServer,
  from: Instant,
  to: Instant,
  { hasWindow, hasStart }: MayExclude,
): Work<ExcludedTime[]> {
  const windows = hasWindow ? yield* pastWindowsOf(id, from, to) : [];
  const filter = {
    from: from - startingMs,
    to,
    category: null,
    severity: null,
    source: null,
    type: "server_start",
  };
  const starts = !hasStart
    ? []
    : yield* selectEvents(id, filter, null, mostBoots * Math.ceil((to - from) / dayMs));
  const boots = [...starts.map(timelineAt), ...(bootTimestamp === null ? [] : [bootTimestamp])];
  return [
    ...windows.map(({ startedAt, endsAt }) => ({ from: startedAt, to: endsAt })),
    ...boots.map((at) => ({ from: at, to: at + startingMs })),
  ];
}

const columnsOf = ({ times, columns }: SeriesChunk): LoadColumns => ({
  times,
  columns: columns.map((column) => column.values()),
});

/** Without maintenance and starts; `to` is exclusive. Other work runs between two reads. */
export async function readLoadBuckets(
  db: Database,
  server: LoadedServer,
  from: Instant,
  to: Instant,
  present: MayExclude = mayExclude,
): Promise<LoadBucket[]> {
  const collector = new BucketCollector(await db.read(excludedTimes, server, from, to, present));
  for await (const chunk of readPoints(db, server.id, from, to, loadFields)) collector.add(columnsOf(chunk));
  return collector.finish();
}
