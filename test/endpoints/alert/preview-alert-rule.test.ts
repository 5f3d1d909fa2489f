import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlertRulePreview } from "../../../src/core/alert/preview-answer.ts";
import { examplePreview } from "../../../src/endpoints/api/alert/example-preview.ts";
import { roomy, testApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, restOf, type AlertingScene } from "./alerting.ts";

let scene: AlertingScene;
let path: string;
let live: Json[];

const second = 1000;
const lowTps = "metric=tps&condition=below&threshold=18&duration_minutes=1";
const ask = (query: string) => scene.ask("GET", `${path}?${query}`);
const begin = "2026-11-20T08:00:00.000Z";

/** Samples every 30 s. */
async function beats(values: readonly number[]): Promise<void> {
  for (const tps of values) {
    await scene.beat({ tps });
    scene.test.clock.advance(30 * second);
  }
}

beforeAll(async () => {
  scene = await alertingScene();
  path = `/servers/${scene.server.id}/alert-rules/preview`;
  const rule = await scene.rule({ duration_minutes: 1, cooldown_minutes: 0 });
  await beats([20, 20, 12, 12, 12, 11, 13, 20, 20, 20, 20, 9, 9, 9, 9]);
  live = await scene.alerts(`?rule_name=${encodeURIComponent(String(rule["name"]))}`);
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.close();
});

describe("previewing a rule", () => {
  it("[OUR-ALR-93] answers the documented members in order, and the alerts that the rule raised live", async () => {
    const { status, body } = await ask(lowTps);
    expect([status, Object.keys(body)]).toEqual([200, Object.keys(AlertRulePreview.shape)]);
    expect(live).toHaveLength(2);
    expect(body).toEqual({
      server_id: scene.server.id,
      metric: "tps",
      condition: "below",
      threshold: 18,
      duration_minutes: 1,
      cooldown_minutes: 30,
      from: "2026-11-13T08:07:30.000Z",
      to: "2026-11-20T08:07:30.000Z",
      samples: 15,
      late_samples: 0,
      first_sample_at: begin,
      last_sample_at: "2026-11-20T08:07:00.000Z",
      // From the third bad sample to the third good one, and from the other third one until now.
      minutes_in_alert: 2.5 + 1,
      messages: { opened: 1, resolved: 1 },
      kept_back: { maintenance: 0, flapping: 0, cooldown: 1 },
      episodes_total: 2,
      live_would_have_seen: { episodes_total: 2, minutes_in_alert: 2.5 + 1 },
      episodes: live.map(({ opened_at, resolved_at, resolution_reason, worst_value }, index) => ({
        opened_at,
        resolved_at,
        resolution_reason,
        worst_value,
        notified: index === 1,
        quiet_reason: index === 1 ? null : "cooldown",
      })),
      not_recorded: [],
    });
  });

  it("[OUR-ALR-93] takes the duration, the cooldown and the days of a rule that is made", async () => {
    const { body } = await ask("metric=tps&condition=below&threshold=18");
    expect(body).toMatchObject({ duration_minutes: 5, cooldown_minutes: 30, episodes_total: 0 });
    const other = await ask(
      "metric=tps&condition=above&threshold=19&duration_minutes=0&cooldown_minutes=0&days=1",
    );
    expect(other.body).toMatchObject({
      from: "2026-11-19T08:07:30.000Z",
      messages: { opened: 2, resolved: 2 },
      minutes_in_alert: 2 + 3,
      episodes_total: 2,
    });
  });

  it("[OUR-ALR-93] changes nothing", async () => {
    const before = await scene.ask("GET", `/servers/${scene.server.id}/alert-rules`);
    await ask(lowTps);
    expect((await scene.ask("GET", `/servers/${scene.server.id}/alert-rules`)).body).toEqual(before.body);
    expect(await scene.alerts()).toEqual(live);
  });

  it("[OUR-ALR-95] says what is not on record, of silence and of maintenance", async () => {
    const server = await scene.test.server(scene.owner, { name: "Quiet" });
    const url = `/servers/${server.id}`;
    const offline = `${url}/alert-rules/preview?metric=offline&duration_minutes=2`;
    const ofSilence = ["announced_stops", "monitoring_switched_off", "heartbeats_without_sample"];
    const empty = await scene.ask("GET", offline);
    expect(empty.body).toMatchObject({ samples: 0, first_sample_at: null, episodes: [] });
    expect(empty.body["not_recorded"]).toEqual(ofSilence);
    await scene.beat({ tps: 20 }, server);
    await scene.ask("POST", `${url}/maintenance`, { duration_minutes: 60 });
    scene.test.clock.advance(10 * 60 * second);
    const { body } = await scene.ask("GET", offline);
    expect(body).toMatchObject({
      condition: null,
      threshold: null,
      messages: { opened: 0, resolved: 0 },
      kept_back: { maintenance: 1, flapping: 0, cooldown: 0 },
      episodes: [{ resolved_at: null, worst_value: null, notified: false, quiet_reason: "maintenance" }],
      not_recorded: [...ofSilence, "maintenance_changed"],
    });
    scene.test.clock.advance(55 * 60 * second);
    expect((await scene.ask("GET", offline)).body).toMatchObject({
      messages: { opened: 1, resolved: 0 },
      kept_back: { maintenance: 0 },
      episodes: [{ notified: true, quiet_reason: null }],
    });
  });

  it.each([
    ["metric", ""],
    ["metric", "metric=offline2"],
    ["condition", "metric=tps&threshold=18"],
    ["threshold", "metric=tps&condition=below"],
    ["threshold", "metric=tps&condition=below&threshold=21"],
    ["threshold", "metric=player_count&condition=above&threshold=1.5"],
    ["condition", "metric=offline&condition=below"],
    ["threshold", "metric=offline&threshold=1"],
    ["duration_minutes", lowTps.replace("minutes=1", "minutes=1441")],
    ["cooldown_minutes", `${lowTps}&cooldown_minutes=1441`],
    ["days", `${lowTps}&days=0`],
    ["days", `${lowTps}&days=31`],
    ["days", `${lowTps}&days=1.5`],
  ])("[OUR-ALR-93] refuses what no rule takes, and names %s: %s", async (field, query) => {
    const { status, body } = await ask(query);
    expect([status, body["error"], body["field"]]).toEqual([400, "validation_error", field]);
  });
});

describe("who may preview", () => {
  it("[OUR-ALR-93] nobody but the owner finds the server, admins neither", async () => {
    for (const other of [await scene.test.account("pro"), await scene.test.account("pro", "admin")]) {
      const { secret } = await scene.test.token(other);
      const { status, body } = await scene.rest.call(secret, "GET", `${path}?${lowTps}`);
      expect([status, body["error"]]).toEqual([404, "not_found"]);
    }
    for (const id of ["019a9f5e-1d00-7000-8000-00000000ffff", "nothing"])
      expect((await scene.ask("GET", `/servers/${id}/alert-rules/preview?${lowTps}`)).status).toBe(404);
  });

  it("[OUR-ALR-93] takes a plan with monitoring, and days that it shows", async () => {
    const test = testApp({ plans: { ...roomy, pro: { ...roomy.pro, retention_days: 5 } } });
    const rest = restOf(test.app);
    const [free, owner] = [await test.account("free"), await test.account("pro")];
    const server = await test.server(owner);
    const call = async (of: typeof owner, days: number) => {
      const { secret } = await test.token(of);
      return rest.call(secret, "GET", `/servers/${server.id}/alert-rules/preview?${lowTps}&days=${days}`);
    };
    expect((await call(free, 1)).body["error"]).toBe("plan_required");
    expect((await call(owner, 5)).status).toBe(200);
    const { status, body } = await call(owner, 6);
    expect([status, body]).toEqual([
      403,
      {
        error: "retention_exceeded",
        message: "The account's plan shows the last 5 days. Ask for days of 5 or less.",
        retention_days: 5,
        oldest: "2026-11-15T08:00:00.000Z",
      },
    ]);
    await rest.close();
    await test.close();
  });

  it("[OUR-ALR-92] the example adds up", () => {
    expect(AlertRulePreview.parse(examplePreview)).toEqual(examplePreview);
    const lasted = examplePreview.episodes.map(
      ({ opened_at, resolved_at }) => Date.parse(resolved_at ?? "") - Date.parse(opened_at),
    );
    expect(lasted.reduce((a, b) => a + b) / 60_000).toBe(examplePreview.minutes_in_alert);
  });
});
