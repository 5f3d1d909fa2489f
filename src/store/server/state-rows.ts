import type { MonitoredServer } from "../../core/server/server.ts";
import type { StateBasis } from "../../core/server/status.ts";

/** Of the server `s`: what its state is derived from. */
export const stateColumns = [
  "s.last_heartbeat",
  "s.announcement",
  "s.announced_at",
  "s.boot_timestamp",
  "s.last_tick_age_ms",
  "s.paused_since",
  "s.sampled_at",
  "s.sample_received_at",
] as const;

interface AnnouncementRow {
  readonly announcement: string | null;
  readonly announced_at: number | null;
}

interface StateRow extends AnnouncementRow {
  readonly last_heartbeat: number | null;
  readonly boot_timestamp: number | null;
  readonly last_tick_age_ms: number | null;
  readonly paused_since: number | null;
  readonly sampled_at: number | null;
  readonly sample_received_at: number | null;
}

export const announcementOf = ({
  announcement,
  announced_at,
}: AnnouncementRow): MonitoredServer["announcement"] =>
  announced_at === null ? null : { kind: announcement === "paused" ? "paused" : "stopped", at: announced_at };

export const stateBasisOf = (row: StateRow): StateBasis => ({
  lastHeartbeat: row.last_heartbeat,
  announcement: announcementOf(row),
  bootTimestamp: row.boot_timestamp,
  lastTickAgeMs: row.last_tick_age_ms,
  pausedSince: row.paused_since,
  sampledAt: row.sampled_at,
  sampleReceivedAt: row.sample_received_at,
  // `paused_since` is set exactly while the newest sample reports a pause.
  sample: { paused_empty: row.paused_since !== null },
});
