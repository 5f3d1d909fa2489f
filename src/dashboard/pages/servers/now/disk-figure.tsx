import { shownMemory } from "../../../../core/text/memory.ts";
import { onlineWithinMs, type ServerStatus } from "../../../../core/server/status.ts";
import type { ServerHealth } from "../../../../core/health/health.ts";
import type { Instant } from "../../../../core/time.ts";
import { Age, Quantity, Text } from "../../../parts/value.tsx";
import { FigureFinding, figureLevelOf } from "./health/figure-finding.tsx";

/** Free space where the worlds are, and the largest of them; nothing for a server that does not send it. */
export function DiskFigure({
  status: { current, sampled_at: at },
  health,
  now,
}: {
  status: Pick<ServerStatus, "current" | "sampled_at">;
  /** Null if the plan does not show it. */
  health: ServerHealth | null;
  now: Instant;
}) {
  const free = current?.disk_free_mb ?? null;
  if (current === null || free === null) return null;
  const level = figureLevelOf("disk_free_mb", health?.findings ?? [], {});
  const total = current.disk_total_mb ?? null;
  const backups = current.backup_disk_free_mb ?? null;
  const [largest] = current.world_sizes ?? [];
  return (
    <div class={level ? `figure ${level.means}` : "figure"}>
      <dt>
        Disk, free <FigureFinding level={level} />
      </dt>
      <dd>
        <Quantity value={free} unit="MB" />
        <div class="small quiet">
          {total !== null && `of ${shownMemory(total)} · `}
          <Age at={at} now={now} staleAfterMs={onlineWithinMs} />
        </div>
        {largest !== undefined && (
          <div class="small quiet">
            largest world: <Text value={largest.name} />, {shownMemory(largest.size_mb)}
          </div>
        )}
        {backups !== null && <div class="small quiet">backups: {shownMemory(backups)} free</div>}
      </dd>
    </div>
  );
}
