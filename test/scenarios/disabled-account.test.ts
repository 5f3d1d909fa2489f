import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { updateAccount } from "../../src/actions/access/update-account.ts";
import { changeDigestChannels } from "../../src/services/digest/change-digest-channels.ts";
import { insertTarget } from "../../src/store/auto-bench/targets.ts";
import { publish, shownAt } from "../dashboard/status/publishing.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { asPerson } from "../support/as-person.ts";
import { targetOf } from "../support/auto-bench-target.ts";
import { handClock, hourMs, minuteMs, secondMs, type HandClock } from "../support/clock.ts";
import { eachDatabase } from "../support/databases.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type Json,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";

/** An hour before the digests of a week are due. */
const mondayMorning = Date.parse("2026-11-23T07:00:00Z");

eachDatabase((databases, kind) => {
  describe("a disabled account", () => {
    let clock: HandClock;
    let service: TestService;
    let owner: Account;
    let other: Account;
    let token: string;
    let server: LinkedServer;
    let others: LinkedServer;
    let address: string;
    let setRole: (role: "user" | "suspended") => Promise<unknown>;
    let mail: MailServer;
    /** What stands in the table that is printed at the end. */
    const seen: [what: string, how: string][] = [];
    const note = <T>(what: string, how: T): T => {
      seen.push([what, String(how)]);
      return how;
    };

    const plugin = (path: string, body: unknown, of = server, method = "POST"): Promise<Answer> =>
      service.request(method, `/plugin/v1${path}`, { token: of.credential, body });
    const iso = (): string => new Date(clock.now()).toISOString();
    const beat = (tps: number, of = server): Promise<Answer> => {
      clock.advance(secondMs);
      return plugin(
        "/heartbeat",
        { sent_at: iso(), plugin_version: "1.10.2", sample: { sampled_at: iso(), tps } },
        of,
      );
    };
    const api = (path: string): Promise<Answer> => service.request("GET", `/api/v1${path}`, { token });
    /** Everything that is due is done; answers the subjects of all mails to an account so far. */
    const work = async (): Promise<void> => service.service.work.run();
    const mailsTo = ({ email }: Account): string[] =>
      mail.mails.filter(({ recipients }) => recipients.includes(email)).map((sent) => readMail(sent).subject);
    const jobsOf = async (): Promise<string[]> =>
      rowsOf(await api("/auto-bench/jobs")).map(({ status }) => String(status));
    const deliveryOf = async (alert: Json | undefined): Promise<Json> =>
      ((alert?.["delivery"] ?? {}) as Record<string, Json>)["email"] ?? {};

    beforeAll(async () => {
      clock = handClock(mondayMorning);
      mail = await startMailServer();
      service = await startTestService({
        databaseUrl: await databases.url(),
        clock: clock.now,
        timers: false,
        plans: roomyPlans,
        smtpUrl: mail.url,
      });
      const admin = await service.account("enterprise", "admin");
      [owner, other] = [await service.account("pro"), await service.account("pro")];
      [server, others] = [await service.server(owner), await service.server(other)];
      token = await service.token(owner);
      const asAdmin = await asPerson(service, admin);
      setRole = (role) => asAdmin(updateAccount, { account_id: owner.id, role });
      for (const [account, at] of [
        [owner, server],
        [other, others],
      ] as const) {
        await service.app.db.write(
          changeDigestChannels,
          account.id,
          { byEmail: true, byChat: false },
          clock.now(),
        );
        await service.request("POST", `/api/v1/servers/${at.id}/alert-rules`, {
          token: await service.token(account),
          body: {
            name: "Low TPS",
            metric: "tps",
            condition: "below",
            threshold: 18,
            duration_minutes: 0,
            cooldown_minutes: 0,
            notify_email: true,
          },
        });
        await beat(20, at);
      }
      const target = targetOf(
        { id: service.app.secrets.newId(clock.now()), accountId: owner.id, serverId: server.id },
        clock.now(),
        { scheduleCron: "30 * * * *", nextRunAt: mondayMorning + hourMs / 2 },
      );
      await service.app.db.write(insertTarget, target);
      ({ address } = await publish(service, owner, [[server.id, "Lobby"]]));
      expect((await shownAt(service, address)).page.status).toBe(200);
    });
    afterAll(async () => {
      console.log(
        [`a disabled account, ${kind}:`, ...seen.map(([what, how]) => `  ${what}: ${how}`)].join("\n"),
      );
      await service.close();
      await mail.close();
    });

    it("[OUR-DIS-01] nothing is taken from its servers, and each is told so", async () => {
      // An alert opens and its message waits: then the account is disabled.
      expect((await beat(5)).json).toMatchObject({ accepted: true, site_step: "on" });
      expect((await beat(5, others)).json).toMatchObject({ accepted: true });
      const lastHeartbeat = (await api(`/servers/${server.id}/status`)).json["last_heartbeat"];
      await setRole("suspended");
      const { json: answer } = await beat(20);
      note("heartbeat", `accepted ${String(answer["accepted"])}, site_step ${String(answer["site_step"])}`);
      expect(answer).toMatchObject({ accepted: false, site_step: "off", collect: [] });
      const late = await plugin("/samples", {
        samples: [{ sampled_at: new Date(clock.now() - minuteMs).toISOString(), tps: 3 }],
      });
      note("late samples", JSON.stringify(late.json));
      expect([late.status, late.json]).toMatchObject([200, { accepted: false, stored: 0 }]);
      const event = { local_id: "e", type: "ban", category: "moderation", source: "s", title: "t" };
      const events = await plugin("/events", { events: [{ ...event, severity: "info" }] });
      note("events", JSON.stringify(events.json));
      expect([events.status, events.json]).toMatchObject([200, { accepted: false, stored: 0 }]);
      const software = await plugin("/software", { plugin_version: "1.0.0" }, server, "PUT");
      note("software", JSON.stringify(software.json));
      expect([software.status, software.json]).toMatchObject([200, { accepted: false }]);
      const uploads: string[] = [];
      for (const path of ["/reports", "/unit-tests", "/profiles", "/memory-reports"]) {
        const { status, json } = await plugin(path, {});
        uploads.push(`${path} ${status} ${String(json["error"])}`);
      }
      note("uploads", uploads.join(", "));
      expect(uploads.filter((each) => !each.endsWith("409 invalid_state"))).toEqual([]);
      expect((await beat(20, others)).json).toMatchObject({ accepted: true });

      await setRole("user");
      expect((await api(`/servers/${server.id}/status`)).json["last_heartbeat"]).toBe(lastHeartbeat);
      await setRole("suspended");
    });

    it("[OUR-DIS-04] its tokens are refused, and its status pages are unknown", async () => {
      const { status, json } = await api("/servers");
      note("token", `${status} ${String(json["error"])}`);
      expect([status, json["error"]]).toEqual([403, "missing_scope"]);
      const { page, badge, chart } = await shownAt(service, address);
      note("status page, badge, chart", [page, badge, chart].map((each) => each.status).join(", "));
      expect([page, badge, chart].map((each) => each.status)).toEqual([404, 404, 404]);
    });

    it("[OUR-DIS-02] [OUR-DIS-03] its jobs do nothing for it: no message, no digest, no run, no alert", async () => {
      await work();
      clock.advance(90 * minuteMs);
      await beat(20, others);
      await work();
      await work();
      note("mails in 90 minutes", mailsTo(owner).length);
      note("mails to another account", mailsTo(other).join(" | "));
      expect(mailsTo(owner)).toEqual([]);
      // The alert of the other account and its digest.
      expect(mailsTo(other).length).toBeGreaterThanOrEqual(2);
    });

    it("[OUR-DIS-02] [OUR-DIS-05] once it is enabled everything goes on, and what is stale is not sent as if it were new", async () => {
      await setRole("user");
      note("scheduled runs while it was disabled", (await jobsOf()).length);
      expect(await jobsOf()).toEqual([]);
      const [alert] = rowsOf(await api(`/alert-events?server_id=${server.id}`));
      const delivery = await deliveryOf(alert);
      note("the alert that waited", JSON.stringify(delivery));
      note("why that alert ended", alert?.["resolution_reason"]);
      expect(delivery).toMatchObject({ status: "skipped", reason: "account_disabled" });
      expect(alert?.["resolution_reason"]).toBe("monitoring_off");

      expect((await beat(20)).json).toMatchObject({ accepted: true, site_step: "on" });
      expect((await shownAt(service, address)).page.status).toBe(200);
      await work();
      const before = mailsTo(owner);
      clock.advance(hourMs);
      await beat(5);
      await work();
      await work();
      note("runs in the hour after", (await jobsOf()).length);
      expect(await jobsOf()).toHaveLength(1);
      note("mails at once", before.join(" | "));
      note("mails in the hour after", mailsTo(owner).slice(before.length).join(" | "));
      expect(before).toEqual([]);
      // The digest of the week is sent on its day, as after an outage.
      expect(mailsTo(owner)).toEqual([
        expect.stringMatching(/^Low TPS/),
        expect.stringMatching(/^Weekly digest/),
      ]);
    });

    it("[OUR-DIS-02] [OUR-DIS-03] a message that waited for less than an hour is sent, and a run in progress was stopped", async () => {
      for (let seconds = 0; seconds < 150; seconds += 30) {
        clock.advance(30 * secondMs);
        await beat(20);
      }
      await work();
      const before = mailsTo(owner).length;
      await beat(5);
      expect(await jobsOf()).toEqual(["queued"]);
      await setRole("suspended");
      clock.advance(20 * minuteMs);
      await work();
      expect(mailsTo(owner)).toHaveLength(before);
      await setRole("user");
      await work();
      await work();
      const after = mailsTo(owner).slice(before);
      note("mails after 20 minutes", after.join(" | "));
      expect(after.filter((subject) => subject.startsWith("Low TPS"))).toHaveLength(1);
      note("a run that was queued", (await jobsOf()).join());
      expect(await jobsOf()).toEqual(["cancelled"]);
    });
  });
});
