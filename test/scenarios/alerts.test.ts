import { selectInbox } from "../../src/store/notice/notices.ts";
import { saveSettings } from "../../src/store/notice/notification-settings.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressBinding } from "../../src/app/access/message-sender.ts";
import type { Account } from "../../src/core/access/account.ts";
import { defaultSettings } from "../../src/core/notice/records.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { certificate, startReceiver, type Receiver } from "../outbound/receiver.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Json,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";

const minuteMs = 60_000;
const beatMs = 30_000;

let now = Date.UTC(2026, 10, 20, 8);
let mail: MailServer;
let chat: Receiver;
let service: TestService;
let owner: Account;
let token: string;
let survival: LinkedServer;
let creative: LinkedServer;

beforeAll(async () => {
  [mail, chat] = await Promise.all([startMailServer(), startReceiver()]);
  service = await startTestService({
    clock: () => now,
    plans: roomyPlans,
    smtpUrl: mail.url,
    reach: {
      resolve: async () => ["127.0.0.1"],
      isAllowed: (address) => address === "127.0.0.1",
      authority: certificate,
    },
  });
  owner = await service.account("pro");
  token = await service.token(owner);
  survival = await service.server(owner, { name: "Survival" });
  creative = await service.server(owner, { name: "Creative" });
  const { db } = service.app;
  const webhook = `https://hooks.test.example:${chat.port}/services/T0/B0/secret`;
  await db.write(
    saveSettings,
    owner.id,
    { ...defaultSettings, sealedChat: service.service.vault.seal(webhook, addressBinding(owner.id, "chat")) },
    now,
  );
});
afterAll(async () => {
  await service.close();
  await Promise.all([mail.close(), chat.close()]);
});

/** A heartbeat of a server with that tick rate. */
async function beat({ credential }: LinkedServer, tps: number): Promise<void> {
  const sent = new Date(now).toISOString();
  const body = {
    sent_at: sent,
    boot_timestamp: "2026-11-20T06:00:00.000Z",
    plugin_version: "1.10.2",
    last_tick_age_ms: 40,
    sample: { sampled_at: sent, tps, mspt: 1000 / Math.max(tps, 1), player_count: 3 },
  };
  const answer = await service.request("POST", "/plugin/v1/heartbeat", { token: credential, body });
  expect(answer.json).toMatchObject({ accepted: true, site_step: "on" });
}

/** Heartbeats every 30 seconds for so long; what is due in between happens, as it does while the service runs. */
async function beats(minutes: number, rates: { survival: number; creative: number }): Promise<void> {
  for (let passed = 0; passed < minutes * minuteMs; passed += beatMs) {
    now += beatMs;
    await Promise.all([beat(survival, rates.survival), beat(creative, rates.creative)]);
    await service.service.work.run();
  }
}

const rest = async (method: string, path: string, body?: Json): Promise<Json> => {
  const answer = await service.request(method, `/api/v1${path}`, { token, ...(body && { body }) });
  expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status) => status < 300), answer.text]);
  return answer.json;
};

/** The same question as a tool, without what the connector adds. */
async function tool(name: string, args: Json = {}): Promise<Json> {
  const answer = await service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
  const result = answer.json["result"] as { structuredContent?: Json; isError?: boolean };
  expect(result.isError ?? false).toBe(false);
  const {
    third_party_text: _text,
    connector_notes: _notes,
    urls: _urls,
    ...rest
  } = result.structuredContent ?? {};
  return rest;
}

/** The alerts of a server, asked over both faces, which have to agree. */
async function alertsOf({ id }: LinkedServer): Promise<Json[]> {
  const answered = await service.request("GET", `/api/v1/alert-events?server_id=${id}`, { token });
  expect((await tool("list_alerts", { server_id: id }))["data"]).toEqual(answered.json["data"]);
  return rowsOf(answered);
}

const stateOf = async ({ id }: LinkedServer): Promise<unknown> => {
  const rules = (await rest("GET", `/servers/${id}/alert-rules`))["data"] as Json[];
  expect((await tool("list_alert_rules", { server_id: id }))["data"]).toEqual(rules);
  return rules[0]?.["state"];
};

const subjects = (): string[] => mail.mails.map((each) => readMail(each).subject);
const chats = (): string[] => chat.received.map(({ body }) => JSON.stringify(body));

describe("an owner's evening, seen over REST, over MCP and in what arrives", () => {
  it("[ALR-02] makes a rule over REST, and the same one over MCP", async () => {
    const rule = { name: "Low TPS", metric: "tps", condition: "below", threshold: 18, duration_minutes: 2 };
    const channels = { notify_email: true, notify_chat: true };
    await rest("POST", `/servers/${survival.id}/alert-rules`, { ...rule, ...channels });
    const made = await tool("create_alert_rule", { server_id: creative.id, ...rule, ...channels });
    expect(made).toMatchObject({ name: "Low TPS", state: "no_data", notify_in_app: true, enabled: true });
    await beats(1, { survival: 20, creative: 20 });
    expect([await stateOf(survival), await stateOf(creative)]).toEqual(["ok", "ok"]);
  });

  it("[OUR-ALR-02] opens an alert once the metric was bad for its duration, and tells it everywhere", async () => {
    await beats(2, { survival: 12.5, creative: 20 });
    expect(await alertsOf(survival)).toEqual([]);
    expect(await stateOf(survival)).toBe("pending");
    await beats(0.5, { survival: 11, creative: 20 });
    const [alert] = await alertsOf(survival);
    expect(alert).toMatchObject({
      kind: "threshold",
      status: "open",
      server_name: "Survival",
      value: 11,
      notified: true,
      delivery: {
        email: { status: "sent", reason: null, attempts: 1 },
        chat: { status: "sent", reason: null, attempts: 1 },
        in_app: { status: "sent" },
      },
    });
    expect(await stateOf(survival)).toBe("firing");
    expect(subjects()).toEqual(["Low TPS on Survival"]);
    expect(mail.mails[0]?.recipients).toEqual([owner.email]);
    expect(chats()).toHaveLength(1);
    expect(chats()[0]).toContain("Low TPS on Survival");
    const overview = await rest("GET", "/monitoring/overview");
    expect(await tool("get_monitoring_overview")).toMatchObject({ totals: { open_alerts: 1 } });
    expect(overview).toMatchObject({ totals: { servers: 2, online: 2, open_alerts: 1 } });
  });

  it("[ALR-15] acknowledging stops its messages, and is recorded and told to its owner", async () => {
    const [alert] = await alertsOf(survival);
    const done = await tool("acknowledge_alert", { alert_id: alert?.["id"] });
    expect(done).toMatchObject({
      acknowledged: true,
      alert: { status: "acknowledged", acknowledged_by: "api" },
    });
    expect(await rest("POST", `/alert-events/${String(alert?.["id"])}/acknowledge`)).toMatchObject({
      acknowledged: false,
    });
    const events = (await tool("list_server_events", { server_id: survival.id, category: "security" }))[
      "data"
    ];
    expect(events).toMatchObject([
      { type: "alert_acknowledged", source: "tickmark", metadata: { token: "a test's token" } },
    ]);
    const inbox = await service.app.db.read(selectInbox, owner.id, null, 10);
    expect(inbox.map(({ kind }) => kind).toSorted()).toEqual(["alert", "token_action"]);
    await beats(2, { survival: 20, creative: 20 });
    const [over] = await alertsOf(survival);
    expect(over).toMatchObject({
      status: "resolved",
      resolution_reason: "recovered",
      worst_value: 11,
      delivery: { email: { status: "sent", resolved_status: "skipped" } },
    });
    expect([subjects().length, chats().length]).toEqual([1, 1]);
  });

  it("[MNT-08] maintenance records another server's alert and tells nobody", async () => {
    const window = await rest("POST", `/servers/${creative.id}/maintenance`, {
      duration_minutes: 30,
      reason: "New disk",
    });
    expect(window).toMatchObject({ in_progress: true, extended: false });
    expect(await tool("get_maintenance", { server_id: creative.id })).toMatchObject({
      in_progress: true,
      reason: "New disk",
    });
    await beats(3, { survival: 20, creative: 9 });
    const [alert] = await alertsOf(creative);
    expect(alert).toMatchObject({
      status: "open",
      in_maintenance: true,
      notified: false,
      delivery: { email: { status: "skipped", reason: "maintenance" }, chat: { reason: "maintenance" } },
    });
    expect([subjects().length, chats().length]).toEqual([1, 1]);
  });

  it("[MNT-09] the end of maintenance tells what still fires", async () => {
    expect(await tool("end_maintenance", { server_id: creative.id })).toMatchObject({ ended: true });
    await beats(0.5, { survival: 20, creative: 9 });
    await service.service.work.run();
    const [alert] = await alertsOf(creative);
    expect(alert).toMatchObject({
      status: "open",
      notified: true,
      delivery: { email: { status: "sent" }, chat: { status: "sent" } },
    });
    expect(subjects()).toEqual(["Low TPS on Survival", "Low TPS on Creative"]);
    expect(chats()).toHaveLength(2);
  });

  it("[OUR-ALR-04] recovery resolves it, and whoever was told hears of it", async () => {
    await beats(2, { survival: 20, creative: 20 });
    await service.service.work.run();
    const [alert] = await alertsOf(creative);
    expect(alert).toMatchObject({
      status: "resolved",
      resolution_reason: "recovered",
      worst_value: 9,
      delivery: {
        email: { resolved_status: "sent" },
        chat: { resolved_status: "sent" },
        in_app: { resolved_status: "sent" },
      },
    });
    expect(subjects().at(-1)).toBe("Resolved: Low TPS on Creative");
    expect(chats()).toHaveLength(3);
    expect(await tool("get_monitoring_overview")).toMatchObject({ totals: { open_alerts: 0 } });
  });

  it("[ALR-25] no answer holds an address or a webhook, and nothing was a defect", async () => {
    const answers = [
      await rest("GET", "/alert-events"),
      await rest("GET", `/servers/${survival.id}/alert-rules`),
      await rest("GET", "/monitoring/overview"),
    ];
    const text = JSON.stringify(answers);
    expect([text.includes(owner.email), text.includes("hooks.test.example")]).toEqual([false, false]);
    expect(service.defects).toEqual([]);
  });
});
