import { storeLateSamples } from "../../services/metric/record-heartbeat.ts";
import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { clockToleranceMs, retainedFrom } from "../../core/metric/clock.ts";
import { SampleBatch } from "../../core/metric/reported-sample.ts";
import { siteStep } from "../../core/server/status.ts";
import { toTimestamp } from "../../core/time.ts";
import { Timestamp } from "../../core/timestamp.ts";

export const sendSamples = defineEndpoint({
  id: "samples.send",
  method: "POST",
  path: "/samples",
  params: {},
  access: { face: "plugin", credential: "server", saysAccepted: true },
  summary:
    "Send measurements from a time without network; they become part of the series, and never change the status.",
  input: SampleBatch,
  batch: "samples",
  output: z.object({
    accepted: z.boolean(),
    stored: z.int(),
    duplicates: z.int(),
    too_old: z.int(),
    /** Lets a plugin with a wrong clock correct the times of its samples. */
    server_time: Timestamp,
  }),
  errors: ["validation_error"],
  idempotent: true,
  example: {
    input: { samples: [{ sampled_at: "2026-11-20T06:00:00.000Z", tps: 20, mspt: 14.2 }] },
    output: {
      accepted: true,
      stored: 1,
      duplicates: 0,
      too_old: 0,
      server_time: "2026-11-20T07:00:02.000Z",
    },
  },

  check({ samples }, { now, fail }) {
    const ahead = samples.findIndex(({ sampled_at }) => sampled_at > now + clockToleranceMs);
    if (ahead >= 0) {
      const path = `/samples/${ahead}/sampled_at`;
      fail(
        "validation_error",
        `${path}: is more than five minutes in the future. Set the clock of the game server.`,
        { field: "samples", path },
      );
    }
  },

  async handle({ samples }, { db, caller, now }) {
    if (siteStep(caller.server, caller.limits) !== "on")
      return { accepted: false, stored: 0, duplicates: 0, too_old: 0, server_time: toTimestamp(now) };
    const oldest = retainedFrom(caller.limits.retention_days, now);
    const kept = samples.filter(({ sampled_at }) => sampled_at >= oldest);
    const writes = kept.map((reported) => ({ sampledAt: reported.sampled_at, reported }));
    const stored = await db.writeFor(caller.server.id, storeLateSamples, caller.server.id, writes, now);
    return {
      accepted: true,
      stored,
      duplicates: kept.length - stored,
      too_old: samples.length - kept.length,
      server_time: toTimestamp(now),
    };
  },
});
