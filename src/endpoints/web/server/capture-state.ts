import { z } from "zod";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import { Id } from "../../../core/id.ts";
import { requestedUntil } from "../../../core/server/collection.ts";
import { Sender } from "../../../core/server/link-code.ts";
import type { MonitoredServer } from "../../../core/server/server.ts";
import { SiteStep, siteStep } from "../../../core/server/status.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestampOrNull, type Instant } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** What the pages of a server's captures say beside their lists. */
export const CaptureState = z.object({
  server_id: Id,
  server_name: thirdPartyText(80).nullable(),
  /** So many the plan keeps of a server, full profiles for so many days at most. */
  keeps: z.object({ profiles: z.int(), profile_days: z.int(), memory_reports: z.int() }),
  /** Until when its plugin or agent is asked for one; null while it is not. */
  asked_until: z.object({ profile: Timestamp.nullable(), class_histogram: Timestamp.nullable() }),
  /** What speaks for the server. */
  sender: Sender,
  /** While the service does not take the server's data, heartbeats are answered and leave no trace. */
  site_step: SiteStep,
  /** The last heartbeat that was taken. */
  last_heartbeat: Timestamp.nullable(),
  /** When a message of the plugin was refused last, where none was taken since. */
  last_refused: Timestamp.nullable(),
});
export type CaptureState = z.infer<typeof CaptureState>;

export const exampleCaptureState: CaptureState = {
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  server_name: "Lobby",
  keeps: { profiles: 20, profile_days: 30, memory_reports: 10 },
  asked_until: { profile: "2026-11-20T07:44:00.000Z", class_histogram: null },
  sender: "plugin",
  site_step: "on",
  last_heartbeat: "2026-11-20T07:33:48.000Z",
  last_refused: null,
};

export function toCaptureState(
  server: MonitoredServer,
  sender: Sender,
  { limits }: SessionCaller,
  now: Instant,
): CaptureState {
  const { id, name, collecting, lastHeartbeat, lastRejectedAt } = server;
  return {
    server_id: id,
    server_name: name,
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
    site_step: siteStep(server, limits),
    last_heartbeat: toTimestampOrNull(lastHeartbeat),
    last_refused: toTimestampOrNull(
      lastRejectedAt !== null && lastRejectedAt > (lastHeartbeat ?? 0) ? lastRejectedAt : null,
    ),
  };
}
