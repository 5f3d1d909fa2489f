import { sweepServers } from "../../../src/services/alert/sweep-servers.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlertRule } from "../../../src/core/alert/alert-rule.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, type AlertingScene, type Answered } from "./alerting.ts";

const minuteMs = 60_000;
let scene: AlertingScene;

beforeAll(async () => {
  scene = await alertingScene();
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.close();
});

const pathOf = ({ id }: Json): string => `/alert-rules/${String(id)}`;
const patch = (rule: Json, body: object): Promise<Answered> => scene.ask("PATCH", pathOf(rule), body);
/** A rule on a server of its own. */
const fresh = async (changes: Json = {}) => {
  const server = await scene.test.server(scene.owner, { name: "Lobby" });
  const rule = await scene.rule(changes, server);
  const events = async (): Promise<Json[]> =>
    (await scene.ask("GET", `/servers/${server.id}/events?category=security`)).body["data"] as Json[];
  const look = async (): Promise<Json> => {
    const { body } = await scene.ask("GET", `/servers/${server.id}/alert-rules`);
    return (body["data"] as Json[]).find(({ id }) => id === rule["id"]) ?? {};
  };
  const beat = (tps: number) => scene.beat({ tps }, server);
  return { server, rule, events, look, beat, alerts: () => scene.alerts(`?server_id=${server.id}`) };
};
const inbox = async (): Promise<number> =>
  (await scene.test.app.db.read(selectInbox, scene.owner.id, null, 100)).length;

describe("a change of a rule", () => {
  it("[ALR-03] [OUR-ALR-55] changes what is sent and nothing else, and answers the whole rule", async () => {
    const { rule, look } = await fresh({ notify_email: true });
    scene.test.clock.advance(1000);
    const { status, body } = await patch(rule, { name: "Calm", cooldown_minutes: 1440 });
    expect([status, Object.keys(body)]).toEqual([200, Object.keys(AlertRule.shape)]);
    const updated_at = new Date(scene.test.clock.now).toISOString();
    expect(body).toEqual({ ...rule, name: "Calm", cooldown_minutes: 1440, updated_at });
    expect(await look()).toEqual(body);
    scene.test.clock.advance(1000);
    expect((await patch(rule, { name: "Calm" })).body).toEqual(body);
  });

  it("[ALR-13] [ALR-14] that switches it off pauses it, closes its alert and keeps the rest", async () => {
    const { rule, beat, alerts, look } = await fresh({ notify_email: true, duration_minutes: 0 });
    await beat(5);
    expect((await look())["open_alert_id"]).not.toBeNull();
    const { body } = await patch(rule, { enabled: false });
    expect(body).toMatchObject({ enabled: false, state: "paused", notify_email: true, open_alert_id: null });
    expect(await alerts()).toMatchObject([{ status: "resolved", resolution_reason: "rule_disabled" }]);
    expect((await patch(rule, { enabled: true })).body).toMatchObject({ enabled: true, state: "no_data" });
  });

  it("[OUR-ALR-41] of the threshold closes its alert with rule_changed", async () => {
    const { rule, beat, alerts } = await fresh();
    await beat(5);
    await patch(rule, { threshold: 17.5 });
    expect(await alerts()).toMatchObject([
      { status: "resolved", resolution_reason: "rule_changed", threshold: 18, rule_name: "Low TPS" },
    ]);
  });

  it("[OUR-ALR-55] to offline drops condition and threshold, and away from it takes both", async () => {
    const { rule } = await fresh();
    const { body } = await patch(rule, { metric: "offline" });
    expect(body).toMatchObject({ metric: "offline", condition: null, threshold: null });
    expect((await patch(rule, { metric: "offline", condition: null })).body).toEqual(body);
    const refused = async (sent: object) => (await patch(rule, sent)).body["field"];
    expect(await refused({ metric: "tps" })).toBe("condition");
    expect(await refused({ metric: "tps", condition: "below" })).toBe("threshold");
    expect(await refused({ metric: "tps", threshold: 18 })).toBe("condition");
    expect(await refused({ condition: "below" })).toBe("condition");
    expect(await refused({ threshold: 18 })).toBe("threshold");
    expect(await refused({ metric: "offline", threshold: 18 })).toBe("threshold");
    const back = await patch(rule, { metric: "mspt", condition: "above", threshold: 50 });
    expect(back.body).toMatchObject({ metric: "mspt", condition: "above", threshold: 50 });
  });

  it("[OUR-ALR-23] [OUR-ALR-55] is checked with what the rule has already, and refused changes nothing", async () => {
    const { rule, look } = await fresh({ metric: "mspt", condition: "above", threshold: 50.5 });
    const refused = async (sent: object) => {
      const { status, body } = await patch(rule, sent);
      return [status, body["error"], body["field"]];
    };
    expect(await refused({ metric: "tps" })).toEqual([400, "validation_error", "threshold"]);
    expect(await refused({ metric: "player_count" })).toEqual([400, "validation_error", "threshold"]);
    expect(await refused({ threshold: null })).toEqual([400, "validation_error", "threshold"]);
    expect(await refused({ condition: null, enabled: false })).toEqual([
      400,
      "validation_error",
      "condition",
    ]);
    for (const field of ["name", "metric", "enabled", "mute_minutes", "notify_email", "duration_minutes"])
      expect(await refused({ [field]: null })).toEqual([400, "validation_error", field]);
    expect(await look()).toEqual(rule);
    expect((await patch(rule, { metric: "cpu_usage" })).body).toMatchObject({
      metric: "cpu_usage",
      threshold: 50.5,
    });
  });

  it("[PAG-06] [ERR-03] of nothing, and of what no rule has, is refused with the fields there are", async () => {
    const { rule } = await fresh();
    const fields =
      "name metric condition threshold duration_minutes cooldown_minutes notify_email notify_chat notify_in_app enabled mute_minutes";
    const empty = await patch(rule, {});
    expect([empty.status, empty.body["error"], empty.body["allowed_fields"]]).toEqual([
      400,
      "validation_error",
      fields.split(" "),
    ]);
    for (const name of ["state", "muted_until", "server_id", "id", "open_alert_id"]) {
      const { body } = await patch(rule, { [name]: null });
      expect([body["error"], body["allowed_fields"]]).toEqual(["field_not_allowed", fields.split(" ")]);
    }
  });
});

describe("a mute", () => {
  it("[OUR-ALR-56] ends so many minutes from now, a week at most, and 0 ends it", async () => {
    const { rule } = await fresh();
    const mutedUntil = async (mute_minutes: number) =>
      (await patch(rule, { mute_minutes })).body["muted_until"];
    const from = scene.test.clock.now;
    expect(await mutedUntil(1)).toBe(new Date(from + minuteMs).toISOString());
    expect(await mutedUntil(10_080)).toBe(new Date(from + 10_080 * minuteMs).toISOString());
    expect(await mutedUntil(0)).toBeNull();
    for (const bad of [10_081, -1, 1.5]) {
      const { status, body } = await patch(rule, { mute_minutes: bad });
      expect([status, body["field"]]).toEqual([400, "mute_minutes"]);
    }
  });

  it("[OUR-ALR-16] keeps an alert back and tells it when it is over", async () => {
    const { rule, server, beat, alerts } = await fresh();
    await patch(rule, { mute_minutes: 10 });
    await beat(5);
    expect(await alerts()).toMatchObject([
      { status: "open", notified: false, delivery: { in_app: { reason: "muted" } } },
    ]);
    await patch(rule, { mute_minutes: 0 });
    const { db, plans } = scene.test.app;
    await sweepServers(db, [server.id], (plan) => plans[plan], scene.test.clock.now);
    expect(await alerts()).toMatchObject([{ status: "open", notified: true }]);
  });
});

describe("what a token silences", () => {
  it("[OUR-ALR-57] stands in the timeline with token and client, and is told its owner in-app", async () => {
    const { rule, server, events } = await fresh({ name: "Low <b>TPS</b>" });
    const before = await inbox();
    await patch(rule, { enabled: false });
    await patch(rule, { mute_minutes: 90 });
    const common = { category: "security", severity: "warning", source: "tickmark", server_id: server.id };
    const by = { token: "a test's token", client: null, rule_id: rule["id"], rule_name: "Low <b>TPS</b>" };
    const ends_at = new Date(scene.test.clock.now + 90 * minuteMs).toISOString();
    expect(
      (await events()).toSorted((a, b) => String(a["type"]).localeCompare(String(b["type"]))),
    ).toMatchObject([
      { ...common, type: "rule_disabled", metadata: by },
      { ...common, type: "rule_muted", metadata: { ...by, minutes: 90, ends_at } },
    ]);
    const items = (await scene.test.app.db.read(selectInbox, scene.owner.id, null, 100)).filter(
      (item) => item.serverId === server.id,
    );
    expect([await inbox(), items.length]).toEqual([before + 2, 2]);
    for (const { kind, message, serverId } of items) {
      expect([kind, serverId, message.title]).toEqual([
        "token_action",
        server.id,
        expect.stringContaining("a test's token"),
      ]);
      expect(message.lines).toEqual(
        expect.arrayContaining(["Server: Lobby", "What: Low <b>TPS</b>", "Client: unknown"]),
      );
    }
  });

  it("[OUR-ALR-57] twice at once stands there twice, and nothing does where nothing was silenced or changed", async () => {
    const { rule, events } = await fresh();
    const before = await inbox();
    await patch(rule, { enabled: true, mute_minutes: 0, name: "Other", threshold: 3, notify_in_app: false });
    expect([await events(), await inbox()]).toEqual([[], before]);
    await patch(rule, { enabled: false, mute_minutes: 5 });
    await patch(rule, { enabled: false });
    expect([(await events()).length, await inbox()]).toEqual([2, before + 2]);
    expect((await patch(rule, { enabled: false, threshold: 21 })).status).toBe(400);
    await patch(rule, { enabled: true, mute_minutes: 0 });
    expect([(await events()).length, await inbox()]).toEqual([2, before + 2]);
  });

  it("[OUR-ALR-57] [ACC-32] by a call that is repeated is told once, and again what ends five minutes after the end that was told", async () => {
    const { rule, events } = await fresh();
    const told = async (mute_minutes: number): Promise<number> => {
      await patch(rule, { mute_minutes });
      return (await events()).length;
    };
    expect(await told(60)).toBe(1);
    scene.test.clock.advance(5 * minuteMs - 1);
    const { body } = await patch(rule, { mute_minutes: 60 });
    expect(body["muted_until"]).toBe(new Date(scene.test.clock.now + 60 * minuteMs).toISOString());
    expect(await told(60)).toBe(1);
    // Shorter, and longer again: the owner knows of more.
    expect(await told(30)).toBe(1);
    expect(await told(35)).toBe(1);
    // Whoever creeps forward in small steps is told of all the same.
    scene.test.clock.advance(1);
    expect(await told(60)).toBe(2);
    scene.test.clock.advance(60 * minuteMs);
    expect(await told(1)).toBe(3);
  });
});
