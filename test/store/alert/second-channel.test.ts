import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { defaultSettings, type Dispatch, type DispatchResult } from "../../../src/core/notice/records.ts";
import type { OutsideChannel } from "../../../src/core/notice/channel.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { closeMaintenance } from "../../../src/services/maintenance/close-maintenance.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { queueDispatch } from "../../../src/services/notice/queue-dispatch.ts";
import { queueNotice } from "../../../src/services/notice/queue-notice.ts";
import { settleDispatch } from "../../../src/services/notice/settle-dispatch.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { memoryDatabase } from "../../support/memory-database.ts";
import { rulesOf } from "../../../src/store/alert/alert-rules.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { minute, newId, noon, times } from "../engine/rows.ts";
import type { told } from "./alerting.ts";
import { failure, nothingWaits, untold, watchedServer, type Watched } from "./alerting.ts";

let db: Database;
beforeAll(() => {
  db = memoryDatabase();
});
beforeEach(() => nothingWaits(db));
afterAll(() => db.close());

const sent: DispatchResult = { status: "sent" };
const refused = failure({ again: "never" });
const message = { title: "A notice", lines: [], link: null, tone: "info" } as const;

/** A server of an account with that second channel, and one bad sample. */
async function alerted(
  secondChannel: OutsideChannel | null,
  notify: Partial<typeof told> = { email: true },
): Promise<Watched> {
  const server = await watchedServer(db);
  await db.write(saveSettings, server.account.id, { ...defaultSettings, secondChannel }, noon);
  await server.rule({ notify: { ...untold, ...notify }, cooldownMinutes: 30 });
  await server.beat(noon, 5);
  return server;
}

const settle = (dispatch: Dispatch, result: DispatchResult, now = noon): Promise<void> =>
  db.write(settleDispatch, dispatch, result, now);
/** The next message that is due; the test says which channel it has to be for. */
async function taken(channel: OutsideChannel, now = noon): Promise<Dispatch> {
  const dispatch = await claimDispatch(db, now);
  if (dispatch?.channel !== channel) throw new Error(`Due is ${dispatch?.channel}, not ${channel}.`);
  return dispatch;
}
const deliveryOf = async (server: Watched) => (await server.alert()).delivery;

it("[OUR-SND-01] [OUR-SND-04] sends what was refused for good over the second channel, and says so", async () => {
  const server = await alerted("chat");
  expect((await deliveryOf(server)).second).toBeNull();
  const first = await taken("email");
  await settle(first, refused);
  expect(await deliveryOf(server)).toMatchObject({
    email: { status: "failed", attempts: 1 },
    chat: { status: "skipped", reason: "channel_off" },
    second: { channel: "chat", status: "pending", attempts: 0 },
  });
  const second = await taken("chat");
  expect([second.isSecond, second.message, second.purpose]).toEqual([true, first.message, "opened"]);
  await settle(second, sent);
  expect((await deliveryOf(server)).second).toEqual({
    channel: "chat",
    status: "sent",
    reason: null,
    at: noon,
    attempts: 1,
    resolvedStatus: null,
  });
  expect(await claimDispatch(db, noon)).toBeNull();
});

it("[OUR-SND-01] waits for the last attempt, and takes no answer three times for one", async () => {
  const server = await alerted("chat");
  let now = noon;
  for (const _ of times(2)) {
    await settle(await taken("email", now), failure({ again: "unknown" }), now);
    expect((await deliveryOf(server)).second).toBeNull();
    now += 60 * minute;
  }
  await settle(await taken("email", now), failure({ again: "unknown" }), now);
  expect((await deliveryOf(server)).second).toMatchObject({ channel: "chat", status: "pending" });
});

it("[OUR-SND-01] sends neither what was skipped nor what the second channel gave up, and nothing without one", async () => {
  const skipped = await alerted("chat");
  await settle(await taken("email"), { status: "skipped", reason: "not_configured" });
  expect((await deliveryOf(skipped)).second).toBeNull();

  const both = await alerted("webhook");
  await settle(await taken("email"), refused);
  const second = await taken("webhook");
  expect(second.postedAlert?.alert.id).toBe((await both.alert()).id);
  await settle(second, refused);
  expect((await deliveryOf(both)).second).toMatchObject({ status: "failed", reason: "provider_error" });
  expect(await claimDispatch(db, noon)).toBeNull();

  for (const channel of [null, "email"] as const) {
    const server = await alerted(channel);
    await settle(await taken("email"), refused);
    expect([(await deliveryOf(server)).second, await claimDispatch(db, noon)]).toEqual([null, null]);
  }
});

it("[OUR-SND-02] gets an alert once, and not beside a message of its own", async () => {
  const own = await alerted("chat", { email: true, chat: true });
  const waiting = [await claimDispatch(db, noon), await claimDispatch(db, noon)];
  for (const dispatch of waiting) if (dispatch?.channel === "email") await settle(dispatch, refused);
  expect((await deliveryOf(own)).second).toBeNull();

  await nothingWaits(db);
  const twice = await alerted("webhook", { email: true, chat: true });
  for (const dispatch of [await claimDispatch(db, noon), await claimDispatch(db, noon)])
    if (dispatch) await settle(dispatch, refused);
  expect(await deliveryOf(twice)).toMatchObject({
    email: { status: "failed" },
    chat: { status: "failed" },
    second: { channel: "webhook", status: "pending" },
  });
  await settle(await taken("webhook"), sent);
  expect(await claimDispatch(db, noon)).toBeNull();
});

it("[OUR-SND-03] is told the end of an alert whose opening it got", async () => {
  const server = await alerted("chat");
  await settle(await taken("email"), refused);
  await settle(await taken("chat"), sent);
  await server.beats(noon + minute, 2, 20);
  const end = await taken("chat", noon + 3 * minute);
  expect([end.purpose, end.isSecond]).toEqual(["resolved", true]);
  await settle(end, sent, noon + 3 * minute);
  expect(await deliveryOf(server)).toMatchObject({
    email: { resolvedStatus: null },
    second: { status: "sent", resolvedStatus: "sent" },
  });
});

it("[OUR-SND-03] is told an end that the channel of the opening gave up", async () => {
  const server = await alerted("chat");
  await settle(await taken("email"), sent);
  await server.beats(noon + minute, 2, 20);
  const now = noon + 3 * minute;
  await settle(await taken("email", now), refused, now);
  expect((await deliveryOf(server)).second).toEqual({
    channel: "chat",
    status: "skipped",
    reason: "not_needed",
    at: null,
    attempts: 0,
    resolvedStatus: "pending",
  });
  await settle(await taken("chat", now), sent, now);
  expect(await deliveryOf(server)).toMatchObject({
    email: { status: "sent", resolvedStatus: "failed" },
    second: { status: "skipped", resolvedStatus: "sent" },
  });
});

it("[OUR-SND-05] gets notices and digests that were given up, unless it gets its own", async () => {
  const server = await watchedServer(db);
  const accountId = server.account.id;
  const wishes = { ...defaultSettings, secondChannel: "chat", noticesByEmail: true } as const;
  const notice = { accountId, kind: "report", serverId: server.id, message, now: noon } as const;
  const digest = { accountId, channel: "email", purpose: "digest", alert: null, message, now: noon } as const;
  const queued = async (): Promise<(string | undefined)[]> => {
    await db.write(queueNotice, { ...notice, id: newId() });
    await settle(await taken("email"), refused);
    const after = await claimDispatch(db, noon);
    if (after) await settle(after, sent);
    await db.write(queueDispatch, digest);
    await settle(await taken("email"), refused);
    const last = await claimDispatch(db, noon);
    if (last) await settle(last, sent);
    return [after?.isSecond ? after.channel : undefined, last?.isSecond ? last.channel : undefined];
  };
  await db.write(saveSettings, accountId, wishes, noon);
  expect(await queued()).toEqual(["chat", "chat"]);
  await db.write(saveSettings, accountId, { ...wishes, digestByChat: true }, noon);
  expect(await queued()).toEqual(["chat", undefined]);
});

it("[OUR-SND-06] keeps to maintenance, and goes out after it", async () => {
  const server = await alerted("chat");
  await settle(await taken("email"), refused);
  const request = { serverId: server.id, durationMinutes: 5, reason: null, by: "api", now: noon } as const;
  await db.write(beginMaintenance, request, () => null);
  const held = await taken("chat");
  expect(held.quiet).toBe("maintenance");
  await settle(held, { status: "skipped", reason: "maintenance" });
  expect((await deliveryOf(server)).second).toMatchObject({ status: "skipped", reason: "maintenance" });
  await db.write(closeMaintenance, server.id, noon + minute);
  await server.beat(noon + minute, 5);
  expect((await deliveryOf(server)).second).toMatchObject({ channel: "chat", status: "pending" });
  const after = await taken("chat", noon + minute);
  expect(after.isSecond).toBe(true);
  await settle(after, sent, noon + minute);
  expect(await deliveryOf(server)).toMatchObject({ email: { status: "failed" }, second: { status: "sent" } });
});

it("[OUR-SND-06] begins the cooldown when it was sent, tries again, and keeps to the limit of 50", async () => {
  const server = await alerted("chat");
  await settle(await taken("email"), refused);
  await settle(await taken("chat"), failure());
  expect((await deliveryOf(server)).second).toMatchObject({ status: "pending", attempts: 1 });
  await settle(await taken("chat", noon + minute), sent, noon + minute);
  const rules = await db.read(rulesOf, server.id);
  expect(rules.map(({ lastNotifiedAt }) => lastNotifiedAt)).toEqual([noon + minute]);

  await nothingWaits(db);
  const full = await alerted("chat");
  const { id: accountId } = full.account;
  const first = await taken("email");
  for (const _ of times(50))
    await db.write(queueDispatch, {
      accountId,
      channel: "chat",
      purpose: "notice",
      alert: null,
      message,
      now: noon,
    });
  await settle(first, refused);
  expect((await deliveryOf(full)).second).toMatchObject({ status: "skipped", reason: "rate_limited" });
});

it("[OUR-SND-06] is dropped with the other messages when the alert is acknowledged", async () => {
  const server = await alerted("chat");
  await settle(await taken("email"), refused);
  await server.acknowledge(await server.alert(), noon);
  expect((await deliveryOf(server)).second).toMatchObject({ status: "skipped", reason: "muted" });
  expect(await claimDispatch(db, noon)).toBeNull();
});
