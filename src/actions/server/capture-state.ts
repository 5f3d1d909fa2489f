import type { SessionCaller } from "../../contract/call/caller.ts";
import { requestedUntil } from "../../core/server/collection.ts";
import type { Sender } from "../../core/server/link-code.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { siteStep } from "../../core/server/status.ts";
import { toTimestampOrNull, type Instant } from "../../core/time.ts";

export function toCaptureState(
  server: MonitoredServer,
  sender: Sender,
  { limits }: SessionCaller,
  now: Instant,
) {
  const { id, name, collecting, lastHeartbeat, lastRejectedAt } = server;
  return {
    server_id: id,
    server_name: name,
    // Full profiles are deleted after `profile_days`.
    keeps: {
      profiles: limits.profiles,
      profile_days: limits.profile_days,
      memory_reports: limits.memory_reports,
    },
    asked_until: {
      profile: toTimestampOrNull(requestedUntil(collecting.profile, now)),
      class_histogram: toTimestampOrNull(requestedUntil(collecting.class_histogram, now)),
    },
    sender,
    // While data is not accepted, heartbeats are answered but not recorded.
    site_step: siteStep(server, limits),
    last_heartbeat: toTimestampOrNull(lastHeartbeat),
    // When the plugin was last refused; null if data was accepted since.
    last_refused: toTimestampOrNull(
      lastRejectedAt !== null && lastRejectedAt > (lastHeartbeat ?? 0) ? lastRejectedAt : null,
    ),
  };
}
