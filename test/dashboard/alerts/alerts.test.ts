import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeliveryReason, DeliveryStatus } from "../../../src/core/alert/delivery.ts";
import { deliveryWords, deliverySentence } from "../../../src/dashboard/words/alerts.ts";
import { roomyPlans } from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";
import { alertPages, idAfter, post, textOf, type AlertPages } from "./alerting.ts";

const minuteMs = 60_000;
const slowTicks = {
  metric: "mspt",
  name: "Slow ticks",
  condition: "above",
  threshold: "50",
  duration_minutes: "5",
  notify_in_app: "on",
};

describe("an alert", () => {
  let scene: AlertPages;
  beforeAll(async () => {
    scene = await alertPages({ plans: roomyPlans });
  });
  afterAll(async () => {
    expect(scene.service.defects).toEqual([]);
    await scene.service.close();
  });

  it("[OUR-ALP-01] [OUR-ALP-02] [OUR-ALP-03] [OUR-ALP-05] is opened by a rule made here, shows its notifications, is acknowledged, and ends", async () => {
    const { visitor, rules, beats, server } = scene;
    expect(textOf((await visitor.get("/alerts")).text)).toContain("No alerts yet");
    const made = await visitor.send(`${rules}?metric=mspt`, "create-rule", slowTicks);
    expect([made.status, made.headers.location]).toEqual([303, rules]);
    await beats(4, { mspt: 20, tps: 20 });
    await beats(4, { mspt: 71.5, tps: 14 });
    expect(textOf((await visitor.get("/alerts")).text)).toContain("No alerts yet");
    await beats(2, { mspt: 71.5, tps: 14 });

    const list = (await visitor.get("/alerts")).text;
    const shown = textOf(list);
    expect(shown).toMatch(/In progress open Slow ticks on Lobby/);
    expect(shown).toContain("Tick time 71.5 ms when it opened ; condition: Tick time above 50 ms for 5 min");
    expect(shown).toContain("Shown in the app only: no message went out.");
    expect(shown).toContain("skipped Not sent: the rule does not use this channel.");
    const id = idAfter(list, "/alerts/");
    const page = textOf((await visitor.get(`/alerts/${id}`)).text);
    expect(page).toContain("Server state then running");
    expect((await visitor.get(`/alerts/${id}`)).text).toContain(`/servers/${server.id}/timeline`);

    const done = await visitor.send("/alerts?notified=yes", "acknowledge", { alert_id: id });
    expect([done.status, done.headers.location]).toEqual([303, "/alerts?notified=yes"]);
    expect(textOf((await visitor.get(`/alerts/${id}`)).text)).toMatch(
      /Acknowledged [\d-]+ [\d:]+ UTC in the browser/,
    );
    expect(textOf((await visitor.get("/alerts")).text)).toMatch(/In progress acknowledged Slow ticks/);
    const own = textOf((await visitor.get(`/servers/${server.id}`)).text);
    expect(own.match(/acknowledged Slow ticks/g)).toHaveLength(1);
    const again = await post(scene, visitor, `/alerts/${id}`, "acknowledge");
    expect(again.status).toBe(303);

    await beats(2, { mspt: 20, tps: 20 });
    expect(textOf((await visitor.get("/alerts")).text)).toMatch(
      /In progress No alert is in progress\. Ended resolved Slow ticks/,
    );
    const over = textOf((await visitor.get(`/alerts/${id}`)).text);
    expect(over).toContain("The problem is over.");
    expect(over).toContain(
      "not sent: the alert was acknowledged, or its rule was muted, or the server was in maintenance",
    );
    const late = await post(scene, visitor, `/alerts/${id}`, "acknowledge");
    expect([late.status, textOf(late.text)]).toEqual([409, expect.stringContaining("This alert is over")]);
    const listed = await post(scene, visitor, "/alerts", "acknowledge", { alert_id: id });
    expect([listed.status, textOf(listed.text)]).toEqual([
      409,
      expect.stringContaining("This alert is over"),
    ]);
  });

  it("[OUR-ALP-02] gives in the list the reason why nobody was notified", async () => {
    const { visitor, rules, beats, clock } = scene;
    clock.now += 60 * minuteMs;
    await visitor.send(`${rules}?metric=tps`, "create-rule", {
      metric: "tps",
      name: "Unheard",
      condition: "below",
      threshold: "18",
      duration_minutes: "0",
      notify_chat: "on",
    });
    await beats(1, { mspt: 20, tps: 3 });
    const shown = textOf((await visitor.get("/alerts?notified=no")).text);
    expect(shown).toContain("Nobody was notified: no chat webhook is set in Settings, Notifications.");
    expect(shown).not.toContain("Slow ticks");
    expect(textOf((await visitor.get("/alerts?status=resolved")).text)).toMatch(/Found resolved Slow ticks/);
    const empty = textOf((await visitor.get("/alerts?status=acknowledged")).text);
    expect(empty).toContain("No alert matches");
    expect((await visitor.get("/alerts?server_id=nonsense")).status).toBe(400);
  });

  it("[OUR-ALP-01] goes on page by page, newest first, with the same filters", async () => {
    const { visitor, events, rules, server } = scene;
    await visitor.send(rules, "create-event-rule", { preset: "bans", name: "Bans", cooldown_minutes: "0" });
    const ban = (index: number) => ({
      local_id: `ban-${index}`,
      type: "ban",
      category: "moderation",
      source: "bans",
      severity: "warning",
      title: `Ban number ${index};`,
    });
    for (const batch of [0, 1])
      await events(...Array.from({ length: 20 }, (_, index) => ban(batch * 20 + index)));
    const titles = (html: string) =>
      [...textOf(html).matchAll(/Ban number (\d+);/g)].map(([, at]) => Number(at));
    const first = (await visitor.get(`/alerts?server_id=${server.id}&rule_name=Bans`)).text;
    const older = /href="(\?[^"]*cursor=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(older).toContain("rule_name=Bans");
    const second = (await visitor.get(`/alerts${older}`)).text;
    const seen = [...titles(first), ...titles(second)];
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(40);
    expect(second).not.toContain("In progress</h2>");
  });

  it("[OUR-ALP-08] is 404 to everybody else, an admin included", async () => {
    const { service, visitor, rules } = scene;
    const id = idAfter((await visitor.get("/alerts")).text, "/alerts/");
    expect((await visitor.get(`/alerts/${id}`)).status).toBe(200);
    for (const role of ["user", "admin"] as const) {
      const other = await signedIn(service, await service.account("enterprise", role));
      const absent = await other.get(`/alerts/${service.app.secrets.newId(0)}`);
      const foreign = await other.get(`/alerts/${id}`);
      expect([foreign.status, textOf(foreign.text)]).toEqual([404, textOf(absent.text)]);
      expect((await other.get(rules)).status).toBe(404);
      expect((await post(scene, other, "/alerts", "acknowledge", { alert_id: id })).status).toBe(404);
      expect(textOf((await other.get("/alerts")).text)).not.toContain("Lobby");
    }
  });

  it("[OUR-NTS-11] stands among the notices, unread until they are marked", async () => {
    const { visitor } = scene;
    const before = textOf((await visitor.get("/notices")).text);
    expect(before).toMatch(/\d+ unread Mark all as read/);
    expect(before).toContain("alert Slow ticks on Lobby unread");
    expect(textOf((await visitor.get("/alerts")).text)).toMatch(/Notices \(\d+ unread\)/);
    expect((await visitor.send("/notices", "mark-read")).status).toBe(303);
    expect(textOf((await visitor.get("/notices")).text)).not.toContain("unread");
    expect(textOf((await visitor.get("/alerts")).text)).not.toContain("unread");
  });
});

describe("without anything", () => {
  it("[OUR-ALP-06] an account without a server is asked to link one; without the plan the pages name the plans that have it", async () => {
    const scene = await alertPages({ plans: { ...roomyPlans, hosting: { monitored_servers: 0 } } }, "free");
    const { service, visitor, rules } = scene;
    const nobody = await signedIn(service, await service.account("pro"));
    expect(textOf((await nobody.get("/alerts")).text)).toContain(
      "Link a server , then create a rule for it.",
    );
    expect(textOf((await nobody.get("/notices")).text)).toContain("No notices yet");
    for (const path of ["/alerts", rules]) {
      const shown = textOf((await visitor.get(path)).text);
      expect(shown).toContain("This account is on Free. The feature is part of Pro and Enterprise.");
      expect(shown).not.toContain("Create the");
    }
    const refused = await post(scene, visitor, rules, "create-rule", slowTicks);
    expect([refused.status, textOf(refused.text)]).toEqual([
      403,
      expect.stringContaining("The account's plan (free) does not include monitoring"),
    ]);
    expect(service.defects).toEqual([]);
    await service.close();
  });
});

describe("words", () => {
  const record = { at: null, attempts: 0, resolved_status: null };
  const off = { ...record, status: "skipped", reason: "channel_off" } as const;

  it("[OUR-ALP-02] has a sentence of its own for each reason and each status", () => {
    const sentences = DeliveryReason.options.map((reason) =>
      deliveryWords("chat", { ...record, status: "skipped", reason }),
    );
    expect(new Set(sentences).size).toBe(DeliveryReason.options.length);
    expect(deliveryWords("email", { ...record, status: "skipped", reason: "not_configured" })).toContain(
      "mail server",
    );
    const statuses = DeliveryStatus.options.map((status) =>
      deliveryWords("email", { ...record, status, reason: null, attempts: 1 }),
    );
    expect(new Set(statuses).size).toBe(DeliveryStatus.options.length);
    expect(deliveryWords("chat", { ...record, status: "sent", reason: null, attempts: 3 })).toBe(
      "It took 3 attempts.",
    );
    expect(deliveryWords("chat", { ...record, status: "failed", reason: "timeout", attempts: 3 })).toBe(
      "Given up after 3 attempts: the mail server or chat service did not answer in time.",
    );
    expect(
      deliveryWords("email", { ...record, status: "failed", reason: "provider_error", attempts: 1 }),
    ).toBe(
      "Given up after one attempt: the mail server or chat service refused the message, or could not be reached.",
    );
    expect(deliveryWords("email", { ...record, status: "pending", reason: "timeout", attempts: 9 })).toBe(
      "Tried 9 times: the mail server or chat service did not answer in time; the service tries again for 24 hours in all.",
    );
  });

  it("[OUR-ALP-02] has a sentence for each reason why nobody was notified", () => {
    for (const reason of DeliveryReason.options) {
      const told = deliverySentence({
        delivery: {
          email: { ...record, status: "skipped", reason },
          chat: off,
          in_app: off,
          webhook: null,
          second: null,
        },
      });
      expect(told).toMatch(/^Nobody was notified: .+\.$/);
    }
    const sent = { ...record, status: "sent", reason: null } as const;
    expect(
      deliverySentence({ delivery: { email: off, chat: sent, in_app: sent, webhook: null, second: null } }),
    ).toBe("Notified by: Chat, In-app.");
    const pending = { ...record, status: "pending", reason: null } as const;
    expect(
      deliverySentence({ delivery: { email: pending, chat: off, in_app: off, webhook: null, second: null } }),
    ).toContain("the message waits to be sent");
    const retried = { ...pending, reason: "timeout", attempts: 2 } as const;
    expect(
      deliverySentence({ delivery: { email: retried, chat: off, in_app: off, webhook: null, second: null } }),
    ).toBe("Nobody was notified yet: sending the message failed, and the service tries again.");
  });
});
