import type { Plans } from "../../core/access/plan.ts";
import { clockToleranceMs, retainedFrom } from "../../core/metric/clock.ts";
import {
  fillingGaps,
  ownReachMs,
  type ImportedSample,
  type SampleSource,
} from "../../core/metric/imported.ts";
import { siteStep } from "../../core/server/status.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { selectSampleMarks } from "../../store/metric/imported-samples.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";
import { addSamples } from "./add-samples.ts";

interface Imported {
  readonly source: SampleSource;
  readonly samples: readonly ImportedSample[];
}

/**
 * Stores the samples of a file where the server has none of that time; they never become the shown one, and no alert
 * rule sees them. Nothing for a server whose own data would not be accepted. Lock the server first. Returns how many.
 */
export function* importSamples(
  serverId: string,
  { source, samples }: Imported,
  plans: Plans,
  now: Instant,
): Work<number> {
  const server = yield* monitoredServer(serverId);
  if (server === null || siteStep(server, plans[server.ownerPlan]) !== "on") return 0;
  const oldest = retainedFrom(plans[server.ownerPlan].retention_days, now);
  const kept = samples
    .filter(({ sampledAt }) => sampledAt >= oldest && sampledAt <= now + clockToleranceMs)
    .toSorted((one, other) => one.sampledAt - other.sampledAt);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const known = yield* selectSampleMarks(serverId, first.sampledAt - ownReachMs, last.sampledAt + ownReachMs);
  const received = fillingGaps(kept, known).map(({ sampledAt, sample }) => ({
    sampledAt,
    sample,
    receivedAt: now,
    source,
  }));
  return yield* addSamples(serverId, received, now);
}
