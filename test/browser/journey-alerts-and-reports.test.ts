import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { minuteMs } from "../../src/core/time.ts";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { certificate, startReceiver, type Receiver } from "../outbound/receiver.ts";
import { signedInAt, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { referencePayload } from "../support/payload.ts";
import { startTestService, type Json, type LinkedServer, type TestService } from "../support/service.ts";

const clock = { ahead: 0 };
const now = (): number => Date.now() + clock.ahead;

let browser: Browser;
let chat: Receiver;
let service: TestService;
let account: Account;
let server: LinkedServer;
let owner: Somebody;

/** A heartbeat of a server that ticks so fast, and what the service does of itself in the minute after it. */
async function beat(tps: number): Promise<void> {
  clock.ahead += minuteMs;
  const at = new Date(now()).toISOString();
  const answer = await pluginClient(service.app.baseUrl, server.credential).heartbeat({
    sent_at: at,
    boot_timestamp: at,
    plugin_version: "1.10.2",
    last_tick_age_ms: 40,
    announce: null,
    sample: { sampled_at: at, tps, mspt: 1000 / tps, player_count: 3 },
  });
  expect(answer).toMatchObject({ accepted: true, site_step: "on" });
  await service.service.work.run();
}

/** Ticks well again for as long as it takes until an alert is over. */
async function recover(): Promise<void> {
  for (const tps of [20, 20, 20]) await beat(tps);
}

/** The messages that the chat received so far. */
const chats = (): string[] => chat.received.map(({ body }) => JSON.stringify(body));

/** The newest alert of the page of alerts, with its trail unfolded. */
async function newestAlert(): Promise<string> {
  await owner.visit("/alerts");
  const item = owner.page.locator("ol.list > li").first();
  await item.locator("summary").click();
  return item.innerText();
}

describe.runIf(chromiumPath !== null)("somebody with a server", () => {
  beforeAll(async () => {
    [browser, chat] = await Promise.all([launchBrowser(), startReceiver()]);
    service = await startTestService({
      clock: now,
      reach: {
        resolve: async () => ["127.0.0.1"],
        isAllowed: (address) => address === "127.0.0.1",
        authority: certificate,
      },
    });
    account = await service.account();
    server = await service.server(account, { name: "Lobby" });
    owner = await signedInAt(browser, service, account);
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
    await chat.close();
  });

  it("[OUR-ALP-05] gives the account a webhook and the server a rule, in the pages", async () => {
    await owner.visit("/settings/notifications");
    const webhook = `https://hooks.test.example:${chat.port}/services/T0/B0/secret`;
    await owner.send("set-chat", { url: webhook });
    expect(await owner.page.content()).not.toContain("B0/secret");
    const test = owner.form("test").filter({ has: owner.page.locator('input[value="chat"]') });
    await owner.send("test", {}, test);
    expect(await owner.page.getByRole("status").innerText()).toMatch(/test message:\s+sent\s*$/);
    expect(chats()).toHaveLength(1);
    await owner.visit(`/servers/${server.id}/rules`);
    await owner.follow(owner.page.getByRole("link", { name: "TPS", exact: true }));
    await owner.send(
      "create-rule",
      {
        name: "Too slow",
        condition: "below",
        threshold: "18",
        duration_minutes: "0",
        cooldown_minutes: "0",
        notify_chat: true,
        notify_email: false,
      },
      owner.form("create-rule").filter({ has: owner.page.locator('[name="threshold"]:visible') }),
    );
    expect(await owner.page.getByRole("row", { name: /Too slow/ }).innerText()).toContain("Chat, In-app");
  });

  it("[OUR-ALP-02] [OUR-ALP-03] finds the alert with its notifications, and acknowledges it", async () => {
    await beat(20);
    await owner.visit("/alerts");
    expect(await owner.text()).not.toContain("Too slow");
    await beat(9);
    expect(chats()).toHaveLength(2);
    expect(chats()[1]).toContain("Too slow on Lobby");
    const alert = await newestAlert();
    expect(alert).toContain("open");
    expect(alert).toContain("Notified by: Chat, In-app.");
    expect(alert).toMatch(/Chat\s+sent\s+\d/);
    expect(alert).toMatch(/E-mail\s+skipped\s+Not sent: the rule does not use this channel\./);
    await owner.send("acknowledge");
    await owner.follow(owner.page.getByRole("link", { name: "Too slow" }).first());
    expect(await owner.text()).toContain("in the browser");
    await recover();
    expect(await newestAlert()).toContain("resolved");
    expect(chats()).toHaveLength(2);
  });

  it("[OUR-ALP-02] reads why nobody was notified while a rule is muted, and during maintenance", async () => {
    await owner.visit(`/servers/${server.id}/rules`);
    await owner.follow(owner.page.locator("#rules").getByRole("link", { name: "Change" }));
    await owner.send("mute-rule", { mute_minutes: "60" });
    await beat(9);
    const muted = await newestAlert();
    expect(muted).toContain("Nobody was notified: the rule was muted");
    expect(muted).toMatch(/Chat\s+skipped\s+Not sent: the rule was muted/);
    await recover();
    await owner.visit(`/servers/${server.id}/rules`);
    expect(await owner.text()).toContain("muted until");
    await owner.follow(owner.page.locator("#rules").getByRole("link", { name: "Change" }));
    const end = owner.form("mute-rule").filter({ has: owner.page.locator('input[value="0"]') });
    await owner.send("mute-rule", {}, end);
    await owner.visit(`/servers/${server.id}`);
    await owner.page.locator("summary", { hasText: "Start maintenance" }).click();
    await owner.send("start-maintenance", { duration: "60", reason: "New disk" });
    await beat(9);
    const kept = await newestAlert();
    expect(kept).toContain("Nobody was notified: the server was in maintenance");
    expect(chats()).toHaveLength(2);
    await owner.visit(`/servers/${server.id}`);
    expect(await owner.text()).toContain("Maintenance is in progress");
    await owner.send("end-maintenance");
    // If the problem is still there, a message is sent then.
    await beat(9);
    expect(chats()).toHaveLength(3);
  });

  it("[OUR-RPG-10] compares two reports by the page's own links, with the figures of the API and each band drawn", async () => {
    const plugin = pluginClient(service.app.baseUrl, server.credential);
    const upload = async (factor: number) => {
      const tests = { cpu_single_core: { metrics: { ops_per_second: Math.round(1_000_000 * factor) } } };
      const finished_at = new Date(Date.parse("2026-11-20T07:00:00.000Z") + factor * 3_600_000).toISOString();
      const body = referencePayload({ local_id: `run-${factor}`, finished_at }, tests);
      return (await plugin.uploadReport(body as never)).short_id;
    };
    const [base, other] = [await upload(1), await upload(1.08)];
    await owner.visit("/reports");
    for (const id of [other, base]) await owner.page.locator(`input[type=checkbox][value="${id}"]`).check();
    await owner.follow(owner.page.getByRole("button", { name: "Compare the two that are ticked" }));
    const token = await service.token(account);
    const answer = await service.request("GET", `/api/v1/reports/compare?base=${base}&other=${other}`, {
      token,
    });
    const metrics = answer.json["metrics"] as Json[];
    const table = owner.page.getByRole("table", { name: "Scores of both reports" });
    const rows = await table.locator("tbody tr").all();
    expect(rows).toHaveLength(metrics.length);
    const seen = await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
    for (const [index, { base: one, other: two, outcome, leader }] of metrics.entries()) {
      const figures = seen[index]?.slice(1, 3).map((text) => text.replace("not measured", "0"));
      expect(figures).toEqual([String(one), String(two)]);
      expect(seen[index]?.at(-1)).toContain(outcome === "leader" ? `${leader} leads` : outcome);
    }
    const bands = await table.locator("svg.tie-band").all();
    expect(bands).toHaveLength(metrics.filter(({ gap }) => gap !== null).length);
    let widest = 0;
    for (const band of bands) {
      const [room, tie] = [await band.boundingBox(), await band.locator("rect").boundingBox()];
      expect(tie?.width).toBeGreaterThan(10);
      expect(tie?.width).toBeLessThan(room?.width ?? 0);
      expect(await band.locator("path").first().isVisible()).toBe(true);
      widest = Math.max(widest, tie?.width ?? 0);
    }
    const fell = await table.locator('[data-fell="above"]').count();
    expect(fell).toBe(metrics.filter(({ leader }) => leader === "other").length);
    expect(fell).toBeGreaterThan(0);
    console.log(
      `${rows.length} scores as the API gives them, ${bands.length} bands drawn, up to ${widest} px`,
    );
  });

  it("[OUR-DSH-12] finds the server from any page with the keyboard alone", async () => {
    const { page } = owner;
    await owner.visit("/docs");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Find anything" });
    await field.waitFor();
    await page.keyboard.type("nothing is named like this");
    await page.getByText("Nothing is named like this.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("lob");
    const chosen = page.locator('[role=option][aria-selected="true"]');
    await chosen.filter({ hasText: "Lobby" }).waitFor();
    await Promise.all([page.waitForURL(`**/servers/${server.id}*`), page.keyboard.press("Enter")]);
    for (const key of ["g", "a"]) await page.keyboard.press(key);
    await page.waitForURL("**/alerts");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").innerText()).toContain("Keyboard shortcuts");
    await page.keyboard.press("Escape");
  });

  it("[OUR-DSH-14] chooses theme, time zone and clock, which every page of the browser shows from then on", async () => {
    const { page } = owner;
    const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
    await owner.visit("/settings/display");
    const light = await ink();
    await owner.send("save-display", { theme: "dark", zone: "Australia/Adelaide", clock: "12" });
    expect(await ink()).not.toBe(light);
    await owner.visit("/alerts");
    expect(await ink()).not.toBe(light);
    const time = page.locator("main time").first();
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const [hour, minute] = new Intl.DateTimeFormat("en-US", {
      timeZone: "Australia/Adelaide",
      hour: "numeric",
      minute: "2-digit",
    })
      .format(at)
      .split(/[: ]/);
    expect(`${await time.innerText()} ${await time.getAttribute("title")}`).toMatch(
      new RegExp(`\\b${hour}:${minute}\\s[ap]m`, "i"),
    );
    await owner.visit("/settings/display");
    await owner.send("save-display", { theme: "system", zone: "browser", clock: "24" });
  });

  it("[OUR-DSH-01] no page logged an error on the console or requested another host", () => owner.leave());
});
