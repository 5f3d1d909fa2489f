import { evaluateAtOnce } from "../../services/health/evaluate-servers.ts";
import { recordEvents } from "../../services/event/record-events.ts";
import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { EventBatch, eventOf } from "../../core/event/reported-event.ts";
import { clockToleranceMs, retainedFrom } from "../../core/metric/clock.ts";
import { looksLikeOurs } from "../../core/event/server-event.ts";
import { siteStep } from "../../core/server/status.ts";

export const sendEvents = defineEndpoint({
  id: "events.send",
  method: "POST",
  path: "/events",
  params: {},
  access: { face: "plugin", credential: "server", saysAccepted: true },
  summary: "Send entries for the server's timeline, from this plugin and from the plugins it listens to.",
  input: EventBatch,
  batch: "events",
  output: z.object({ accepted: z.boolean(), stored: z.int(), duplicates: z.int(), too_old: z.int() }),
  errors: ["validation_error"],
  idempotent: true,
  example: {
    input: {
      events: [
        {
          local_id: "ban-8812",
          type: "tempban",
          category: "moderation",
          source: "LiteBans",
          severity: "warning",
          title: "Griefer42 was banned for 7 days",
          metadata: { player: "Griefer42", by: "Console", days: 7 },
          timestamp: "2026-11-20T06:58:12.000Z",
        },
      ],
    },
    output: { accepted: true, stored: 1, duplicates: 0, too_old: 0 },
  },

  check({ events }, { now, fail }) {
    const ahead = events.findIndex(
      ({ timestamp }) => timestamp !== null && timestamp > now + clockToleranceMs,
    );
    if (ahead >= 0) {
      const path = `/events/${ahead}/timestamp`;
      fail(
        "validation_error",
        `${path}: is more than five minutes in the future. Set the clock of the game server.`,
        { field: "events", path },
      );
    }
    const forged = events.findIndex(looksLikeOurs);
    if (forged >= 0) {
      const path = `/events/${forged}/source`;
      fail(
        "validation_error",
        `${path}: only the service itself records this type. Send the name of the plugin as source.`,
        {
          field: "events",
          path,
        },
      );
    }
  },

  async handle({ events }, { db, plans, caller, now, secrets }) {
    const { server, limits } = caller;
    if (siteStep(server, limits) !== "on") return { accepted: false, stored: 0, duplicates: 0, too_old: 0 };
    const oldest = retainedFrom(limits.retention_days, now);
    const kept = events.filter(({ timestamp }) => timestamp === null || timestamp >= oldest);
    const records = kept.map((reported) =>
      eventOf(reported, { id: secrets.newId(now), serverId: server.id, receivedAt: now }),
    );
    const stored = await db.writeFor(server.id, recordEvents, server.id, records, now);
    // After an unclean end the server is down, although its heartbeats are not late yet.
    if (stored.some(({ type }) => type === "server_crash"))
      await evaluateAtOnce({ db, plans }, server.id, now);
    return {
      accepted: true,
      stored: stored.length,
      duplicates: kept.length - stored.length,
      too_old: events.length - kept.length,
    };
  },
});
