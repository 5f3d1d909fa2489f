import { once } from "node:events";
import { writeSync } from "node:fs";
import type * as Metering from "../../../src/contract/call/meter.ts";
import type * as Contract from "../../../src/contract/access/message-sender.ts";
import type * as Plans from "../../../src/core/access/plan.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import type * as Jobs from "../../../src/jobs/deliver.ts";
import type * as Outbound from "../../../src/outbound/notifier.ts";
import type * as Opening from "../../../src/store/engine/open-database.ts";
import type * as Heartbeats from "../../../src/services/metric/record-heartbeat.ts";

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

const [built = "", url = "", plan = "{}"] = process.argv.slice(2);
const part = (path: string): string => new URL(path, built).href;
const { openDatabase } = (await import(part("store/engine/open-database.js"))) as typeof Opening;
const { recordHeartbeat } = (await import(part("services/metric/record-heartbeat.js"))) as typeof Heartbeats;
const { deliverDue } = (await import(part("jobs/deliver.js"))) as typeof Jobs;
const { notifier } = (await import(part("outbound/notifier.js"))) as typeof Outbound;
const { addressSealer, messageSender } = (await import(
  part("contract/access/message-sender.js")
)) as typeof Contract;
const { noMeter } = (await import(part("contract/call/meter.js"))) as typeof Metering;
const { defaultPlans } = (await import(part("core/access/plan.js"))) as typeof Plans;
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

/** Synchronous, so that nothing told is lost with the process. */
const tell = (...words: readonly (string | number)[]): void => void writeSync(1, `${words.join(" ")}\n`);

const beat = async (serverId: string, at: number, tps: number): Promise<void> => {
  const sample = { sampledAt: at, reported: { ...reported, tps } };
  const silent = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits: defaultPlans.pro };
  await db.write(recordHeartbeat, { serverId, receivedAt: at, sample, ...silent });
  tell("sample", serverId, at);
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
