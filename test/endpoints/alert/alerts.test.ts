import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Alert } from "../../../src/core/alert/alert.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { eventRule } from "../../store/alert/alerting.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, type AlertingScene } from "./alerting.ts";

const minuteMs = 60_000;
let scene: AlertingScene;
let second: ServerRecord;
let began: number;

/** The clock at each alert's opening, in minutes from the beginning. */
const at = (minutes: number): string =>
  encodeURIComponent(new Date(began + minutes * minuteMs).toISOString());
const advance = (minutes: number): void => scene.test.clock.advance(minutes * minuteMs);

async function recover(of: ServerRecord): Promise<void> {
  for (let beat = 0; beat < 3; beat += 1) {
    scene.test.clock.advance(30_000);
    await scene.beat({ tps: 20 }, of);
  }
}

/** Opened at 0 and over; at 10 acknowledged; at 20 open and told to nobody; at 30 an event's. */
beforeAll(async () => {
  scene = await alertingScene();
  const { test, beat, ask, rule, server } = scene;
  second = await test.server(scene.owner, { name: "Games" });
  began = test.clock.now;
  await rule();
  await rule({ name: "Quiet", notify_in_app: false }, second);
  await test.app.db.write(addEventRule, eventRule(server.id), 5);
  await beat({ tps: 14.2 });
  await recover(server);
  test.clock.now = began + 10 * minuteMs;
  await beat({ tps: 3 });
  const [open] = await scene.alerts("?status=open");
  await ask("POST", `/alert-events/${String(open?.["id"])}/acknowledge`);
  test.clock.now = began + 20 * minuteMs;
  await beat({ tps: 1 }, second);
  test.clock.now = began + 30 * minuteMs;
  const happenedAt = test.clock.now - 1000;
  const ban = {
    type: "ban",
    category: "moderation",
    source: "LiteBans",
    severity: "warning",
    title: "A ban",
  } as const;
  const entry = {
    ...ban,
    description: null,
    metadata: null,
    happenedAt,
    durationMs: null,
    receivedAt: test.clock.now,
  };
  const ids = { id: test.app.secrets.newId(happenedAt), serverId: server.id, localId: "ban 1" };
  await test.app.db.write(recordEvents, server.id, [{ ...entry, ...ids }], test.clock.now);
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.close();
});

/** Which of the four alerts a query answers, by the minute of their opening. */
const minutes = async (query: string): Promise<number[]> =>
  (await scene.alerts(query)).map(({ opened_at }) => (Date.parse(String(opened_at)) - began) / minuteMs);

describe("the list of alerts", () => {
  it("[ALR-06] [ALR-22] has every field in order, newest first, of either kind", async () => {
    const rows = await scene.alerts();
    for (const row of rows) expect(Object.keys(row)).toEqual(Object.keys(Alert.shape));
    expect(await minutes("")).toEqual([30, 20, 10, 0]);
    const [event, open, acknowledged, over] = rows;
    expect(event).toMatchObject({
      kind: "event",
      status: "resolved",
      resolution_reason: "instantaneous",
      metric: null,
      condition: null,
      threshold: null,
      duration_minutes: null,
      value: null,
      event: { type: "ban", category: "moderation", severity: "warning", title: "A ban" },
    });
    expect(open).toMatchObject({
      status: "open",
      server_id: second.id,
      server_name: "Games",
      notified: false,
      delivery: { in_app: { status: "skipped", reason: "channel_off", at: null, attempts: 0 } },
      event: null,
    });
    expect(acknowledged).toMatchObject({ status: "acknowledged", acknowledged_by: "api", resolved_at: null });
    expect(over).toMatchObject({
      status: "resolved",
      resolution_reason: "recovered",
      value: 14.2,
      worst_value: 14.2,
      notified: true,
      delivery: { in_app: { status: "sent", reason: null, attempts: 1, resolved_status: "sent" } },
    });
  });

  it.each([
    ["", [30, 20, 10, 0]],
    ["?kind=threshold", [20, 10, 0]],
    ["?kind=event", [30]],
    ["?status=open", [20, 10]],
    ["?status=acknowledged", [10]],
    ["?status=resolved", [30, 0]],
    ["?status=open&kind=event", []],
    ["?status=open&kind=threshold", [20, 10]],
    ["?status=resolved&kind=event", [30]],
    ["?notified=true", [30, 10, 0]],
    ["?notified=false", [20]],
    ["?channel=in_app", [30, 10, 0]],
    ["?channel=in_app&status=open", [10]],
    ["?channel=email", []],
    ["?channel=webhook", []],
    ["?rule_name=Quiet", [20]],
    ["?rule_name=quiet", []],
    ["?rule_name=Low%20TPS&status=open", [10]],
    ["?status=acknowledged&notified=false", []],
  ])("[ALR-20] [ALR-21] [OUR-ALR-59] [OUR-ALR-110] %s", async (query, expected) => {
    expect(await minutes(query)).toEqual(expected);
  });

  it("[OUR-ALR-59] lists what was open at some time of a period, its start inclusive and its end not, and servers of one's own", async () => {
    expect(await minutes(`?since=${at(10)}`)).toEqual([30, 20, 10]);
    // Those of minute 10 and 20 are still open.
    expect(await minutes(`?since=${at(29)}`)).toEqual([30, 20, 10]);
    expect(await minutes(`?since=${at(31)}`)).toEqual([20, 10]);
    expect(await minutes(`?since=${at(15)}&until=${at(20)}`)).toEqual([10]);
    const [over] = await scene.alerts("?status=resolved&kind=threshold");
    const resolvedAt = Date.parse(String(over?.["resolved_at"]));
    const sinceThen = (ms: number) =>
      minutes(`?since=${new Date(resolvedAt + ms).toISOString()}&until=${at(10)}`);
    expect([await sinceThen(-1), await sinceThen(0)]).toEqual([[0], []]);
    expect(await minutes(`?until=${at(10)}`)).toEqual([0]);
    expect(await minutes(`?since=${at(10)}&until=${at(20)}`)).toEqual([10]);
    expect(await minutes(`?since=${at(20)}&until=${at(20)}`)).toEqual([10]);
    expect(await minutes("?since=2026-11-20T10%3A10%3A00%2B02%3A00&status=open")).toEqual([20, 10]);
    expect(await minutes(`?server_id=${second.id}`)).toEqual([20]);
    const foreign = await scene.test.server(await scene.test.account("pro"));
    expect(await minutes(`?server_id=${foreign.id}`)).toEqual([]);
  });

  it.each([
    ["kind", "kind=Threshold"],
    ["status", "status=closed"],
    ["status", "status="],
    ["since", "since=yesterday"],
    ["since", "since=2026-11-20T08:00:00"],
    ["until", "until=2026-02-30T00%3A00%3A00Z"],
    ["rule_name", "rule_name="],
    ["rule_name", `rule_name=${"x".repeat(81)}`],
    ["notified", "notified=1"],
    ["channel", "channel=fax"],
    ["server_id", "server_id=x"],
    ["limit", "limit=101"],
    ["limit", "limit=0"],
    ["kind", "kind=event&kind=event"],
    ["days", "days=7"],
    ["rule_id", "rule_id=x"],
  ])("[PAG-05] refuses %s in ?%s", async (field, query) => {
    const { status, body } = await scene.ask("GET", `/alert-events?${query}`);
    expect([status, body["error"], body["field"]]).toEqual([400, "validation_error", field]);
  });

  it("[PAG-01] [PAG-04] goes on by a cursor that belongs to its filters", async () => {
    const { ask } = scene;
    const cursorOf = ({ body }: { body: Json }) => (body["page"] as { cursor: string | null }).cursor ?? "";
    const first = await ask("GET", "/alert-events?limit=3");
    expect(first.body["page"]).toMatchObject({ has_more: true });
    const rest = await ask("GET", `/alert-events?limit=1&cursor=${cursorOf(first)}`);
    expect(rest.body["page"]).toEqual({ cursor: null, has_more: false });
    const ids = [first, rest].flatMap(({ body }) => (body["data"] as Json[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    for (const query of [
      "status=resolved",
      "kind=event",
      "notified=true",
      "rule_name=Quiet",
      `since=${at(0)}`,
    ]) {
      const { status, body } = await ask("GET", `/alert-events?${query}&cursor=${cursorOf(first)}`);
      expect([query, status, body["error"]]).toEqual([query, 400, "invalid_cursor"]);
    }
  });

  it("[ACC-26] is the account's own, to an admin too", async () => {
    const { secret } = await scene.test.token(await scene.test.account("enterprise", "admin"));
    for (const query of ["", `?server_id=${second.id}`]) {
      const { status, body } = await scene.rest.call(secret, "GET", `/alert-events${query}`);
      expect([status, body["data"]]).toEqual([200, []]);
    }
  });
});

describe("acknowledging", () => {
  const acknowledge = (alert: Json | undefined) =>
    scene.ask("POST", `/alert-events/${String(alert?.["id"])}/acknowledge`);
  const opened = async () => {
    const of = await scene.test.server(scene.owner, { name: "Survival" });
    await scene.rule({}, of);
    advance(1);
    await scene.beat({ tps: 5 }, of);
    const [alert] = await scene.alerts(`?server_id=${of.id}`);
    return { of, alert };
  };

  it("[ALR-07] [ALR-15] [ALR-16] answers true once and false afterwards, and the alert stays open", async () => {
    const { of, alert } = await opened();
    advance(1);
    const first = await acknowledge(alert);
    const acknowledged_at = new Date(scene.test.clock.now).toISOString();
    const after = { ...alert, status: "acknowledged", acknowledged_at, acknowledged_by: "api" };
    expect(first).toMatchObject({ status: 200, body: { acknowledged: true, alert: after } });
    advance(1);
    expect((await acknowledge(alert)).body).toEqual({ acknowledged: false, alert: after });
    expect(await scene.alerts(`?server_id=${of.id}&status=open`)).toEqual([after]);
    await recover(of);
    const over = (await scene.alerts(`?server_id=${of.id}`))[0];
    expect(over).toMatchObject({
      status: "resolved",
      acknowledged_at,
      delivery: { in_app: { resolved_status: "skipped" } },
    });
    expect(await acknowledge(over)).toMatchObject({ status: 409, body: { error: "invalid_state" } });
    expect((await scene.alerts(`?server_id=${of.id}`))[0]).toEqual(over);
  });

  it("[ALR-17] [ERR-23] of an alert that is over, or of an event's, is 409 and changes nothing", async () => {
    for (const query of ["?kind=event", "?status=resolved&kind=threshold"]) {
      const [alert] = await scene.alerts(query);
      const { status, body } = await acknowledge(alert);
      expect([status, body["error"], typeof body["message"]]).toEqual([409, "invalid_state", "string"]);
      expect((await scene.alerts(query))[0]).toEqual(alert);
    }
  });

  it("[OUR-ALR-57] stands in the timeline and is told its owner, once", async () => {
    const { of, alert } = await opened();
    const { db } = scene.test.app;
    const before = (await db.read(selectInbox, scene.owner.id, null, 100)).length;
    await Promise.all([acknowledge(alert), acknowledge(alert), acknowledge(alert)]);
    const { body } = await scene.ask("GET", `/servers/${of.id}/events`);
    expect(body["data"]).toMatchObject([
      {
        type: "alert_acknowledged",
        category: "security",
        source: "tickmark",
        metadata: { token: "a test's token", client: null, alert_id: alert?.["id"], rule_name: "Low TPS" },
      },
    ]);
    const inbox = await db.read(selectInbox, scene.owner.id, null, 100);
    expect(inbox).toHaveLength(before + 1);
    expect(
      inbox
        .filter(({ serverId }) => serverId === of.id)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["alert", "token_action"]);
  });

  it("[ACC-26] [ALR-07] of another account's alert, or of none, is 404 to everybody, and takes no field", async () => {
    const { alert } = await opened();
    const { test, rest } = scene;
    const absent = test.app.secrets.newId(test.clock.now);
    for (const account of [await test.account("pro"), await test.account("enterprise", "admin")]) {
      const { secret } = await test.token(account);
      for (const id of [alert?.["id"], absent, "no-id"]) {
        const { status, body } = await rest.call(secret, "POST", `/alert-events/${String(id)}/acknowledge`);
        expect([status, body["error"]]).toEqual([404, "not_found"]);
      }
    }
    const { status, body } = await scene.ask("POST", `/alert-events/${absent}/acknowledge`, { by: "me" });
    expect([status, body["error"], body["allowed_fields"]]).toEqual([400, "field_not_allowed", []]);
    expect((await scene.alerts(`?server_id=${String(alert?.["server_id"])}`))[0]).toEqual(alert);
  });
});

it("[ALR-25] no answer about alerts holds an address or a webhook", async () => {
  const answers = [await scene.alerts(), await scene.alerts("?status=open")];
  const text = JSON.stringify(answers);
  expect(text).toContain("Lobby");
  expect(text).not.toContain(scene.owner.email);
  expect(text).not.toContain("http");
});
