import { once } from "node:events";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { deliverDue } from "../../../src/jobs/deliver.ts";
import { notifier } from "../../../src/outbound/notifier.ts";
import { addressSealer, messageSender } from "../../../src/app/access/message-sender.ts";
import { noMeter } from "../../../src/contract/call/meter.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { sayLine } from "./say-line.ts";

/** What a process is told that lets alerts open and end: its servers, from when it counts, and where mail goes. */
export interface Transitions {
  readonly servers: readonly string[];
  readonly from: number;
  readonly reported: SampleWrite["reported"];
  readonly smtpUrl: string;
}

const second = 1000;
/** Alerts of a rule are this far apart: near enough to be many, too far to flap. */
const cycleMs = 20 * 60 * second;

const [url = "", plan = "{}"] = process.argv.slice(2);
const { servers, from, reported, smtpUrl } = JSON.parse(plan) as Transitions;
process.send?.("ready");
await once(process, "message");

const db = await openDatabase(url, () => {});
const mailFrom = { name: "", address: "alerts@tickmark.example" };
const outside = notifier({ smtpUrl, mailFrom, baseUrl: () => "http://localhost" });
const delivering = {
  db,
  plans: defaultPlans,
  meter: noMeter,
  sendMessage: messageSender(addressSealer(["a secret for tests only"]), outside),
  signal: new AbortController().signal,
  warn: () => {},
};

const beat = async (serverId: string, at: number, tps: number): Promise<void> => {
  const sample = { sampledAt: at, reported: { ...reported, tps } };
  const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits: defaultPlans.pro };
  await db.writeFor(serverId, recordHeartbeat, { serverId, receivedAt: at, sample, ...silent });
  sayLine("sample", serverId, at);
};

// What an earlier process left on its way comes first: it is settled before this one tells anything.
await deliverDue({ ...delivering, clock: () => from });
/** Each server's metric is bad once, and good for the minute that ends its alert. */
for (let start = from + cycleMs; ; start += cycleMs) {
  for (const [after, tps] of [
    [0, 5],
    [30 * second, 20],
    [90 * second, 20],
  ] as const) {
    const at = start + after;
    // The next heartbeats come while mails are on their way, as they do.
    await Promise.all([
      ...servers.map((server) => beat(server, at, tps)),
      deliverDue({ ...delivering, clock: () => at }),
    ]);
  }
}
