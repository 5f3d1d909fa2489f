import { selectInbox } from "../../../src/store/notice/notices.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addressBinding, messageSender } from "../../../src/app/access/message-sender.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { Notifier, SendResult } from "../../../src/core/notice/notifier.ts";
import { defaultSettings, type NotificationSettings } from "../../../src/core/notice/records.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { failure } from "../../store/alert/alerting.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, restOf, type AlertingScene, type Answered } from "./alerting.ts";

const webhook = "https://hooks.example/services/T0/B0/secret";
const address = "ops@elsewhere.example";
let scene: AlertingScene;
let rest: ReturnType<typeof restOf>;
let answers: Record<"email" | "chat", SendResult>;
let sent: Parameters<Notifier["send"]>[] = [];
const told: string[] = [];

beforeAll(async () => {
  scene = await alertingScene();
  const neverPosted: Notifier["post"] = () =>
    Promise.reject(new Error("A test of a rule posts to no webhook."));
  const send: Notifier["send"] = async (...message) => {
    sent.push(message);
    return answers[message[0]];
  };
  rest = restOf({
    ...scene.test.app,
    sendMessage: messageSender(scene.test.vault, { send, post: neverPosted }),
  });
});
beforeEach(() => {
  answers = { email: { status: "sent" }, chat: { status: "sent" } };
  sent = [];
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  const text = told.join();
  for (const secret of [webhook, "hooks.example", address, "elsewhere.example"])
    expect(text).not.toContain(secret);
  await rest.close();
  await scene.close();
});

/** A new account, so that no test spends another's five messages. */
async function tester(settings: Partial<NotificationSettings> = {}, changes: Partial<Account> = {}) {
  const { test } = scene;
  const account = await test.account("pro", "user", changes);
  const { secret } = await test.token(account);
  const server: ServerRecord = await test.server(account, { name: "Lobby" });
  const seal = (channel: "email" | "chat", text: string) =>
    test.vault.seal(text, addressBinding(account.id, channel));
  const configured = { sealedChat: seal("chat", webhook) };
  await test.app.db.write(
    saveSettings,
    account.id,
    { ...defaultSettings, ...configured, ...settings },
    test.clock.now,
  );
  const ask = async (method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<Answered> => {
    const answer = await rest.call(secret, method, path, body);
    told.push(JSON.stringify(answer.body));
    return answer;
  };
  const rule = async (channels: Json): Promise<Json> => {
    const made = { name: "Low TPS", metric: "tps", condition: "below", threshold: 18, ...channels };
    return (await ask("POST", `/servers/${server.id}/alert-rules`, made)).body;
  };
  const run = ({ id }: Json) => ask("POST", `/alert-rules/${String(id)}/test`);
  const list = async () => (await ask("GET", `/servers/${server.id}/alert-rules`)).body["data"];
  const inbox = () => test.app.db.read(selectInbox, account.id, null, 10);
  return { account, server, seal, ask, rule, run, list, inbox };
}

const all = { notify_email: true, notify_chat: true, notify_in_app: true };
const skipped = (reason: string) => ({
  status: "skipped",
  reason,
  at: null,
  attempts: 0,
  resolved_status: null,
});
const attempted = (status: string, reason: string | null) => ({
  status,
  reason,
  at: "2026-11-20T08:00:00.000Z",
  attempts: 1,
  resolved_status: null,
});

describe("a test message", () => {
  it("[ALR-04] [ALR-18] goes out now on the rule's channels, marked [TEST], and tells what each did", async () => {
    const { account, rule, run, inbox } = await tester();
    const made = await rule(all);
    const { status, body } = await run(made);
    const record = attempted("sent", null);
    expect([status, body]).toEqual([
      200,
      {
        tested: true,
        rule_id: made["id"],
        delivery: { email: record, chat: record, in_app: record, webhook: null, second: null },
      },
    ]);
    expect(sent.map(([channel, destination]) => [channel, destination]).toSorted()).toEqual([
      ["chat", webhook],
      ["email", account.email],
    ]);
    const items = await inbox();
    expect(items.map(({ kind }) => kind)).toEqual(["test"]);
    for (const title of [...sent.map(([, , message]) => message.title), items[0]?.message.title])
      expect(title).toBe("[TEST] Low TPS on Lobby");
  });

  it.each([
    [{ notify_in_app: false }, ["channel_off", "channel_off", "channel_off"]],
    [{ notify_in_app: false, notify_email: true }, [null, "channel_off", "channel_off"]],
    [{ notify_chat: true }, ["channel_off", null, null]],
  ])("[ALR-24] goes nowhere a channel is off: %j", async (channels, reasons) => {
    const { rule, run, inbox } = await tester();
    const made = await rule(channels);
    const { delivery } = (await run(made)).body as { delivery: Record<string, Json> };
    expect(["email", "chat", "in_app"].map((name) => delivery[name]?.["reason"])).toEqual(reasons);
    expect(sent).toHaveLength(reasons.slice(0, 2).filter((reason) => reason === null).length);
    expect(await inbox()).toHaveLength(reasons[2] === null ? 1 : 0);
  });

  it("[ALR-04] [OUR-ALR-58] tells that no webhook is set, and that no address is verified", async () => {
    const bare = await tester({ sealedChat: null }, { emailVerified: false });
    const made = await bare.rule(all);
    expect((await bare.run(made)).body["delivery"]).toMatchObject({
      email: skipped("address_unverified"),
      chat: skipped("not_configured"),
    });
    const { account, seal, rule, run } = await tester();
    const own = (settings: Partial<NotificationSettings>) =>
      scene.test.app.db.write(
        saveSettings,
        account.id,
        { ...defaultSettings, ...settings },
        scene.test.clock.now,
      );
    const ruled = await rule(all);
    await own({ sealedEmail: seal("email", address) });
    expect((await run(ruled)).body["delivery"]).toMatchObject({ email: skipped("address_unverified") });
    expect(sent).toEqual([]);
    await own({ sealedEmail: seal("email", address), emailVerifiedAt: 1 });
    expect((await run(ruled)).body["delivery"]).toMatchObject({ email: attempted("sent", null) });
    expect(sent.map(([, destination]) => destination)).toEqual([address]);
    // Sealed for another channel: it is there, and nothing opens it.
    await own({ sealedChat: seal("email", webhook) });
    expect((await run(ruled)).body["delivery"]).toMatchObject({
      chat: { status: "failed", reason: "unreadable" },
    });
  });

  it("[OUR-ALR-58] tells how one channel failed while the other went out, and tries none again", async () => {
    const { account, rule, run, ask } = await tester();
    const made = await rule(all);
    for (const reason of ["provider_error", "timeout", "rate_limited"] as const) {
      answers = {
        email: { status: "sent" },
        chat: failure({ reason, detail: `500 from ${webhook}` }),
      };
      const { status, body } = await run(made);
      const delivery = { email: attempted("sent", null), chat: attempted("failed", reason) };
      expect([status, body]).toMatchObject([200, { tested: true, delivery }]);
    }
    answers = { email: { status: "skipped", reason: "not_configured" }, chat: { status: "sent" } };
    expect((await run(made)).body["delivery"]).toMatchObject({ email: skipped("not_configured") });
    expect(await claimDispatch(scene.test.app.db, scene.test.clock.now)).toBeNull();
    expect((await ask("GET", "/alert-events")).body["data"]).toEqual([]);
    expect(account.id).toBeDefined();
  });

  it("[ALR-18] of a paused or muted rule goes out as well, and leaves no alert, no cooldown and no version", async () => {
    const { rule, run, ask, list } = await tester();
    const made = await rule(all);
    await ask("PATCH", `/alert-rules/${String(made["id"])}`, { enabled: false, mute_minutes: 60 });
    const before = await list();
    expect((await run(made)).body["delivery"]).toMatchObject({
      chat: { status: "sent" },
      in_app: { status: "sent" },
    });
    expect(await list()).toEqual(before);
    expect(before).toMatchObject([{ last_notified_at: null, last_triggered_at: null, state: "paused" }]);
    expect((await ask("GET", "/alert-events")).body["data"]).toEqual([]);
  });
});

describe("the limit", () => {
  it("[ALR-19] [ERR-25] lets five go in ten minutes, whatever rule, and says when the next may", async () => {
    const { rule, run } = await tester();
    const [one, other] = [await rule(all), await rule({ ...all, name: "Other" })];
    for (let minute = 0; minute < 5; minute += 1) {
      expect((await run(minute % 2 ? one : other)).status).toBe(200);
      scene.test.clock.advance(60_000);
    }
    const count = sent.length;
    const refused = await run(one);
    expect([refused.status, refused.body["error"], refused.headers["retry-after"]]).toEqual([
      429,
      "rate_limited",
      "300",
    ]);
    expect(refused.body["message"]).toContain("300 seconds");
    scene.test.clock.advance(300_000 - 1);
    expect((await run(one)).headers["retry-after"]).toBe("1");
    expect(sent).toHaveLength(count);
    scene.test.clock.advance(1);
    expect((await run(one)).status).toBe(200);
    expect((await run(one)).status).toBe(429);
  });

  it("[ALR-19] holds for calls that come at once, and is nobody else's", async () => {
    const { rule, run } = await tester();
    const made = await rule(all);
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => run(made)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    const other = await tester();
    expect((await other.run(await other.rule(all))).status).toBe(200);
  });

  it("[ALR-19] is spent by no refusal: a rule that is not there, a field there is none of", async () => {
    const { rule, ask, run } = await tester();
    const made = await rule(all);
    const absent = scene.test.app.secrets.newId(scene.test.clock.now);
    for (let sentAgain = 0; sentAgain < 8; sentAgain += 1) {
      expect((await ask("POST", `/alert-rules/${absent}/test`)).status).toBe(404);
      const { status, body } = await ask("POST", `/alert-rules/${String(made["id"])}/test`, {
        channel: "email",
      });
      expect([status, body["allowed_fields"]]).toEqual([400, []]);
    }
    expect((await run(made)).status).toBe(200);
  });
});
