import { once } from "node:events";
import type { PlanLimits } from "../../../src/core/access/plan.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import { sayLine } from "./say-line.ts";

/** What a process that ingests is told: its servers, from when it counts, and what they report. */
export interface Ingest {
  readonly servers: readonly string[];
  readonly from: number;
  readonly reported: SampleWrite["reported"];
  readonly limits: PlanLimits;
}

const second = 1000;
/** Alerts of a rule are this far apart: near enough to be many, too far to flap. */
const cycleMs = 20 * 60 * second;

/**
 * Sends heartbeats and events of several servers without end, delivers what alerts queue, and tells each thing by a
 * line once it is acknowledged. Opens the database when it is told to begin, as a process that starts does.
 */
const [url = "", plan = "{}"] = process.argv.slice(2);
const { servers, from, reported, limits } = JSON.parse(plan) as Ingest;
process.send?.("ready");
await once(process, "message");
const db = await openDatabase(url, () => {});

const beat = async (serverId: string, at: number, tps: number): Promise<void> => {
  const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits };
  const sample = { sampledAt: at, reported: { ...reported, tps } };
  await db.writeFor(serverId, recordHeartbeat, { serverId, receivedAt: at, sample, ...silent });
  sayLine("sample", serverId, at);
};

let serial = 0;
const newEvent = (serverId: string, at: number, place: number): EventRecord => ({
  // Later processes count from a later instant.
  id: `${at.toString(16).padStart(12, "0")}-${(serial += 1).toString(16).padStart(8, "0")}`,
  serverId,
  localId: `${at}-${place}`,
  type: place === 0 ? "ban" : "chat",
  category: "moderation",
  source: "LiteBans",
  severity: "warning",
  title: "Griefer42 was banned for 7 days",
  description: null,
  metadata: { player: "Griefer42", days: 7, about: "x".repeat(200) },
  happenedAt: at,
  durationMs: null,
  receivedAt: at,
});

const report = async (serverId: string, at: number): Promise<void> => {
  const batch = [0, 1, 2].map((place) => newEvent(serverId, at, place));
  await db.writeFor(serverId, recordEvents, serverId, batch, at);
  for (const { localId } of batch) sayLine("event", serverId, localId ?? "");
};

const deliver = async (at: number): Promise<void> => {
  const dispatch = await claimDispatch(db, at);
  if (dispatch) await db.write(settleDispatch, dispatch, { status: "sent" }, at);
};

/** Each server's metric is bad once, and good for the minute that ends its alert. */
for (let start = from; ; start += cycleMs) {
  for (const [after, tps] of [
    [0, 5],
    [30 * second, 20],
    [90 * second, 20],
  ] as const) {
    const at = start + after;
    await Promise.all([
      ...servers.flatMap((server) => [beat(server, at, tps), report(server, at)]),
      // As many as the alerts of a step queue, so that none pile up.
      ...servers.flatMap(() => [deliver(at), deliver(at), deliver(at)]),
    ]);
  }
}
