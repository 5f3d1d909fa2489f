import { afterAll, describe, expect, it } from "vitest";
import { openRaw } from "../store/engine/raw-database.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { ask, startServiceProcess, until, type ServiceProcess } from "../support/service-process.ts";

const servers = 8;
const timeoutMs = 120_000;

/** A heartbeat whose sample was measured so many seconds ago. */
const beat = (tps: number, secondsAgo: number) => ({
  sent_at: new Date().toISOString(),
  plugin_version: "1.10.2",
  sample: { sampled_at: new Date(Date.now() - secondsAgo * 1000).toISOString(), tps },
});

eachDatabase((databases, kind) => {
  const running: (ServiceProcess | MailServer)[] = [];
  afterAll(async () => {
    for (const each of running) await ("stop" in each ? each.stop() : each.close());
  });

  /** Two services over one database that share a mail server, and nothing else. */
  async function twoServices() {
    const url = await databases.url();
    const fleet = await makeFleet(url, servers, "enterprise");
    const mail = await startMailServer();
    running.push(mail);
    const environment = {
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret that two processes share",
      TICKMARK_SMTP_URL: mail.url,
    };
    const both = await Promise.all([startServiceProcess(environment), startServiceProcess(environment)]);
    running.unshift(...both);
    return { url, fleet, mail, both };
  }

  /** The same heartbeats to both processes at once. */
  const sendToBoth = (
    both: readonly ServiceProcess[],
    { servers }: Fleet,
    ...beats: ReturnType<typeof beat>[]
  ) =>
    Promise.all(
      servers.flatMap(({ credential }) =>
        both.flatMap((service) =>
          beats.map(async (body) => {
            const { status, json } = await ask(service, "POST", "/plugin/v1/heartbeat", credential, body);
            expect([status, json["accepted"]]).toEqual([200, true]);
          }),
        ),
      ),
    );

  describe("two service processes on one database", () => {
    it(
      "[OUR-PRC-02] make one alert of what both are sent at once, and tell its beginning and its end once",
      async () => {
        const { url, fleet, mail, both } = await twoServices();
        const [one, other] = both;
        for (const { id } of fleet.servers) {
          const limits = { metric: "tps", condition: "below", threshold: 18, duration_minutes: 0 };
          const rule = { name: "Low TPS", ...limits, notify_email: true };
          const made = await ask(one, "POST", `/api/v1/servers/${id}/alert-rules`, fleet.token, rule);
          expect(made.status).toBe(201);
        }
        const half = { ...fleet, servers: fleet.servers.slice(0, servers / 2) };
        await sendToBoth(both, fleet, beat(5, 121), beat(6, 120));
        // One half recovers when its mail is out, the other while it is on its way.
        await sendToBoth(both, { ...fleet, servers: fleet.servers.slice(servers / 2) }, beat(20, 105));
        await sendToBoth(both, { ...fleet, servers: fleet.servers.slice(servers / 2) }, beat(20, 30));
        await until("every opening is told", () => mail.mails.length >= servers);
        await sendToBoth(both, half, beat(20, 100));
        await sendToBoth(both, half, beat(20, 25));

        const db = await openRaw(url);
        const left = async () => (await db.rows("SELECT id FROM dispatch")).length;
        // Mail goes out while a row stands for it, so with the last row gone none can follow.
        await until(
          "every message is out",
          async () => mail.mails.length >= 2 * servers && (await left()) === 0,
        );
        await db.close();
        const listed = await ask(other, "GET", "/api/v1/alert-events?limit=100", fleet.token);
        const alerts = listed.json["data"] as Record<string, unknown>[];
        const subjects = mail.mails.map((each) => readMail(each).subject);
        const opened = subjects.filter((subject) => !subject.startsWith("Resolved"));
        const twice = subjects.length - new Set(subjects).size;
        console.log(
          `two processes on ${kind}: ${servers} servers, ${8 * servers} heartbeats to both at once, ` +
            `${alerts.length} alerts, ${opened.length} mails of openings, ` +
            `${subjects.length - opened.length} of ends, sent twice ${twice}`,
        );
        expect(alerts.map((alert) => alert["server_id"]).toSorted()).toEqual(
          fleet.servers.map(({ id }) => id).toSorted(),
        );
        for (const alert of alerts) {
          const delivery = { email: { status: "sent", resolved_status: "sent", attempts: 1 } };
          expect(alert).toMatchObject({ status: "resolved", resolution_reason: "recovered", delivery });
        }
        expect([twice, opened.length, subjects.length]).toEqual([0, servers, 2 * servers]);
      },
      timeoutMs,
    );
  });
}, sharedKinds);
