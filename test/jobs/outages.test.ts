import { noMeter } from "../../src/contract/call/meter.ts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addressSealer, messageSender } from "../../src/app/access/message-sender.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { deliverDue } from "../../src/jobs/deliver.ts";
import { notifier, type OpenNotifier } from "../../src/outbound/notifier.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { memoryDatabase } from "../support/memory-database.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { baseUrl } from "../outbound/receiver.ts";
import { email, mailedAlert, nothingWaits, second, type Watched } from "../store/alert/alerting.ts";
import { minute, noon, times } from "../store/engine/rows.ts";

let db: Database;
const running: OpenNotifier[] = [];
const servers: MailServer[] = [];
beforeAll(() => {
  db = memoryDatabase();
});
beforeEach(() => nothingWaits(db));
afterAll(async () => {
  for (const each of running) each.close();
  await Promise.all(servers.map((each) => each.close()));
  await db.close();
});

const mailServer = async (...options: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const started = await startMailServer(...options);
  servers.push(started);
  return started;
};

/** The work of a process that sends mail there, whenever something is due between two instants. */
function delivery(smtpUrl: string) {
  const outside = notifier({ smtpUrl, baseUrl, mailFrom: { name: "", address: "alerts@tickmark.example" } });
  running.push(outside);
  let now = noon;
  const delivering = {
    db,
    plans: defaultPlans,
    meter: noMeter,
    sendMessage: messageSender(addressSealer(["a secret for tests only"]), outside),
    clock: () => now,
    signal: new AbortController().signal,
    warn: () => {},
  };
  return async (from: number, until: number): Promise<void> => {
    for (now = from; now < until; now += 5 * second) await deliverDue(delivering);
  };
}

/** How often the mail of each of these alerts arrived, and the state of each alert's delivery. */
async function outcome(alerts: readonly Watched[], { mails }: MailServer) {
  const arrived = mails.map((mail) => readMail(mail).headers.find(([name]) => name === "message-id")?.[1]);
  const states = await Promise.all(alerts.map(email));
  return {
    arrived: mails.flatMap(({ recipients }) => recipients).toSorted(),
    lost: states.filter(({ status }) => status !== "sent").length,
    doubled: arrived.length - new Set(arrived).size,
    attempts: states.map(({ attempts }) => attempts),
  };
}
const addresses = (alerts: readonly Watched[]): string[] =>
  alerts.map(({ account }) => account.email).toSorted();

it("[OUR-ALR-47] a mail server that is away for half an hour loses no mail and gets none twice", async () => {
  const gone = await mailServer();
  const work = delivery(gone.url);
  await gone.close();
  const before: Watched[] = [];
  for (const _ of times(12)) before.push(await mailedAlert(db));
  await work(noon, noon + 30 * minute);
  const back = await mailServer({}, gone.port);
  await work(noon + 30 * minute, noon + 40 * minute);
  const result = await outcome(before, back);
  console.log(`mail server away for 30 min: 12 alerts, lost ${result.lost}, doubled ${result.doubled}`);
  expect(result).toEqual({ arrived: addresses(before), lost: 0, doubled: 0, attempts: before.map(() => 7) });
});

it("[OUR-ALR-47] a mail server that takes mail of strangers after 15 minutes alone gets each mail once", async () => {
  const seen = new Map<string, number>();
  let now = noon;
  const server = await mailServer({
    onRcptTo: ({ address }, _session, done) => {
      const since = seen.get(address) ?? now;
      seen.set(address, since);
      const tooSoon = Object.assign(new Error("Greylisted, come back later"), { responseCode: 451 });
      done(now - since < 15 * minute ? tooSoon : null);
    },
  });
  const work = delivery(server.url);
  const alerts: Watched[] = [];
  for (const _ of times(12)) alerts.push(await mailedAlert(db));
  for (; now < noon + 30 * minute; now += minute) await work(now, now + minute);
  const result = await outcome(alerts, server);
  console.log(`greylisting of 15 min: 12 alerts, lost ${result.lost}, doubled ${result.doubled}`);
  expect(result).toMatchObject({ arrived: addresses(alerts), lost: 0, doubled: 0 });
});

it("[OUR-ALR-64] a mail that is refused for good is tried once", async () => {
  let attempts = 0;
  const server = await mailServer({
    onRcptTo: (_address, _session, done) => {
      attempts += 1;
      done(Object.assign(new Error("No such user"), { responseCode: 550 }));
    },
  });
  const alert = await mailedAlert(db);
  await delivery(server.url)(noon, noon + 10 * minute);
  expect(attempts).toBe(1);
  expect(await email(alert)).toMatchObject({ status: "failed", reason: "provider_error", attempts: 1 });
});

it("[OUR-ALR-65] a mail server that hangs up with the mail in its hands is given it three times at most", async () => {
  let given = 0;
  const server = await mailServer({
    onData: (stream) => {
      given += 1;
      stream.resume().once("end", () => {
        for (const connection of server.connections()) connection.destroy();
      });
    },
  });
  const alert = await mailedAlert(db);
  await delivery(server.url)(noon, noon + 3 * 60 * minute);
  expect([given, (await email(alert)).status]).toEqual([3, "failed"]);
});
