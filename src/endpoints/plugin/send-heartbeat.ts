import { evaluateAtOnce } from "../../services/health/evaluate-servers.ts";
import { recordHeartbeat } from "../../services/metric/record-heartbeat.ts";
import { recordReportedSoftware } from "../../services/software/record-reported-software.ts";
import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { heartbeatSeconds, settleClock } from "../../core/metric/clock.ts";
import { ReportedSample } from "../../core/metric/reported-sample.ts";
import { Collectable, requestedCaptures } from "../../core/server/collection.ts";
import type { Announcement } from "../../core/server/server.ts";
import { SiteStep, siteStep } from "../../core/server/status.ts";
import { nothingReported } from "../../core/software/reported-software.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { dayMs, parseInstant, toTimestamp, type Instant } from "../../core/time.ts";
import { IsoInstant, Timestamp } from "../../core/timestamp.ts";

const Announce = z.enum(["stopping", "monitoring_paused", "monitoring_resumed"]);

/** A tick age of more than a year is a wrong clock, not a hung server. */
const longestTickAgeMs = 366 * dayMs;

export const sendHeartbeat = defineEndpoint({
  id: "heartbeat.send",
  method: "POST",
  path: "/heartbeat",
  params: {},
  access: { face: "plugin", credential: "server", saysAccepted: true },
  summary: "Report that the game server runs, its measurements, and whether it is about to stop.",
  input: z.object({
    sent_at: IsoInstant,
    boot_timestamp: IsoInstant.nullish(),
    plugin_version: plainText(64),
    last_tick_age_ms: z.int().min(0).max(longestTickAgeMs).nullish(),
    announce: Announce.nullish(),
    sample: ReportedSample.nullish(),
  }),
  output: z.object({
    accepted: z.boolean(),
    site_step: SiteStep,
    heartbeat_seconds: z.int(),
    server_time: Timestamp,
    /** Captures that the owner requested. */
    collect: z.array(Collectable),
  }),
  errors: [],
  idempotent: true,
  example: {
    input: {
      sent_at: "2026-11-20T07:33:48.000Z",
      boot_timestamp: "2026-11-19T18:02:11.000Z",
      plugin_version: "1.10.2",
      last_tick_age_ms: 38,
      announce: null,
      sample: { sampled_at: "2026-11-20T07:33:47.512Z", tps: 19.98, mspt: 21.4, player_count: 12 },
    },
    output: {
      accepted: true,
      site_step: "on",
      heartbeat_seconds: 30,
      server_time: "2026-11-20T07:33:48.020Z",
      collect: [],
    },
  },

  async handle(
    { boot_timestamp, plugin_version, last_tick_age_ms, announce, sample },
    { db, plans, caller, now },
  ) {
    const step = siteStep(caller.server, caller.limits);
    if (step === "on") {
      if (plugin_version !== caller.server.pluginVersion)
        await db.writeFor(
          caller.server.id,
          recordReportedSoftware,
          caller.server.id,
          { ...nothingReported, plugin_version },
          { now, happenedAt: now },
        );
      const isChanged = await db.writeFor(caller.server.id, recordHeartbeat, {
        serverId: caller.server.id,
        receivedAt: now,
        bootTimestamp: boot_timestamp ? bootedAt(boot_timestamp, now) : null,
        lastTickAgeMs: last_tick_age_ms ?? null,
        announcement: announcementOf(announce ?? null, now),
        sample: sample ? { sampledAt: settleClock(sample.sampled_at, now), reported: sample } : null,
        limits: caller.limits,
      });
      if (isChanged) await evaluateAtOnce({ db, plans }, caller.server.id, now);
    }
    return {
      accepted: step === "on",
      site_step: step,
      heartbeat_seconds: heartbeatSeconds,
      server_time: toTimestamp(now),
      collect: caller.server.ownerSuspended ? [] : requestedCaptures(caller.server.collecting, now),
    };
  },
});

/** A boot time in the future comes from a wrong clock. */
const bootedAt = (timestamp: string, now: Instant): Instant => Math.min(parseInstant(timestamp) ?? now, now);

/** A heartbeat without an announcement takes back an earlier one. */
function announcementOf(announce: z.infer<typeof Announce> | null, now: Instant): Announcement | null {
  if (announce === "stopping") return { kind: "stopped", at: now };
  return announce === "monitoring_paused" ? { kind: "paused", at: now } : null;
}
