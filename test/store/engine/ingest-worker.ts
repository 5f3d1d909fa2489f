import { once } from "node:events";
import { writeSync } from "node:fs";
import type { PlanLimits } from "../../../src/core/access/plan.ts";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import type * as Opening from "../../../src/store/engine/open-database.ts";
import type * as Heartbeats from "../../../src/services/metric/record-heartbeat.ts";
import type * as Events from "../../../src/services/event/record-events.ts";
import type * as Claiming from "../../../src/services/notice/claim-dispatch.ts";
import type * as Settling from "../../../src/services/notice/settle-dispatch.ts";

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
const [built = "", url = "", plan = "{}"] = process.argv.slice(2);
const part = (path: string): string => new URL(path, built).href;
const { openDatabase } = (await import(part("store/engine/open-database.js"))) as typeof Opening;
const { recordHeartbeat } = (await import(part("services/metric/record-heartbeat.js"))) as typeof Heartbeats;
const { recordEvents } = (await import(part("services/event/record-events.js"))) as typeof Events;
const { claimDispatch } = (await import(part("services/notice/claim-dispatch.js"))) as typeof Claiming;
const { settleDispatch } = (await import(part("services/notice/settle-dispatch.js"))) as typeof Settling;
const { servers, from, reported, limits } = JSON.parse(plan) as Ingest;
process.send?.("ready");
await once(process, "message");
const db = await openDatabase(url, () => {});

/** Synchronous, so that nothing told is lost with the process. */
const tell = (...words: readonly (string | number)[]): void => void writeSync(1, `${words.join(" ")}\n`);

const beat = async (serverId: string, at: number, tps: number): Promise<void> => {
  const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits };
  const sample = { sampledAt: at, reported: { ...reported, tps } };
  await db.write(recordHeartbeat, { serverId, receivedAt: at, sample, ...silent });
  tell("sample", serverId, at);
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
  await db.write(recordEvents, serverId, batch, at);
  for (const { localId } of batch) tell("event", serverId, localId ?? "");
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
