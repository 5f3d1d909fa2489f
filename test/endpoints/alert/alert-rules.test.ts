import { changePlan } from "../../../src/services/access/change-plan.ts";
import { addEventRule } from "../../../src/services/alert/add-event-rule.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlertRule } from "../../../src/core/alert/alert-rule.ts";
import { EventRule } from "../../../src/core/alert/event-rule.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { eventRule } from "../../store/alert/alerting.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, type AlertingScene } from "./alerting.ts";

let scene: AlertingScene;
let rules: string;

beforeAll(async () => {
  scene = await alertingScene();
  rules = `/servers/${scene.server.id}/alert-rules`;
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.close();
});

const valid = { name: "Low TPS", metric: "tps", condition: "below", threshold: 18 };
const ruleIds = async (of: ServerRecord): Promise<unknown[]> =>
  ((await scene.ask("GET", `/servers/${of.id}/alert-rules`)).body["data"] as Json[]).map(({ id }) => id);

describe("creating a rule", () => {
  it("[ALR-02] [OUR-ALR-54] answers 201 with the documented fields in order, and what was left out by default", async () => {
    const { status, body } = await scene.ask("POST", rules, valid);
    expect([status, Object.keys(body)]).toEqual([201, Object.keys(AlertRule.shape)]);
    expect(body).toEqual({
      id: expect.any(String) as unknown,
      server_id: scene.server.id,
      ...valid,
      duration_minutes: 5,
      cooldown_minutes: 30,
      notify_email: false,
      notify_chat: false,
      notify_in_app: true,
      enabled: true,
      muted_until: null,
      state: "no_data",
      state_since: "2026-11-20T08:00:00.000Z",
      last_value: null,
      last_triggered_at: null,
      last_notified_at: null,
      open_alert_id: null,
      created_at: "2026-11-20T08:00:00.000Z",
      updated_at: "2026-11-20T08:00:00.000Z",
    });
    const again = await scene.ask("POST", rules, valid);
    expect([again.status, again.body]).toEqual([200, body]);
  });

  const bad = (changes: Json): Json => ({ ...valid, ...changes });
  const metric = (name: string, threshold: number): Json =>
    bad({ metric: name, condition: "above", threshold });
  const offline = { name: "Down", metric: "offline" };

  it.each([
    ["name", bad({ name: "" })],
    ["name", bad({ name: " \t" })],
    ["name", bad({ name: "x".repeat(81) })],
    ["name", bad({ name: "a\u0007" })],
    ["name", bad({ name: null })],
    ["name", { metric: "offline" }],
    ["metric", bad({ metric: "TPS" })],
    ["metric", { name: "x" }],
    ["condition", bad({ condition: "at" })],
    ["condition", bad({ condition: null })],
    ["condition", { name: "x", metric: "tps", threshold: 1 }],
    ["threshold", { name: "x", metric: "tps", condition: "below" }],
    ["threshold", bad({ threshold: null })],
    ["threshold", bad({ threshold: "18" })],
    ["threshold", metric("tps", -0.001)],
    ["threshold", metric("tps", 20.001)],
    ["threshold", metric("mspt", 60_000.5)],
    ["threshold", metric("player_count", 10.5)],
    ["threshold", metric("player_count", 10_000_001)],
    ["threshold", metric("entity_count", 0.1)],
    ["threshold", metric("ram_used_mb", 16_777_217)],
    ["threshold", metric("cpu_usage", 100.1)],
    ["condition", { ...offline, condition: "below" }],
    ["threshold", { ...offline, threshold: 0 }],
    ["condition", { ...offline, condition: "below", threshold: 1 }],
    ...(["duration_minutes", "cooldown_minutes"] as const).flatMap((field) =>
      [-1, 1441, 1.5, "5", null].map((value) => [field, bad({ [field]: value })] as const),
    ),
    ...(["notify_email", "notify_chat", "notify_in_app"] as const).flatMap((field) =>
      ["true", 1, null].map((value) => [field, bad({ [field]: value })] as const),
    ),
  ] as const)("[OUR-ALR-23] [OUR-ALR-54] refuses %s in %j", async (field, body) => {
    const answer = await scene.ask("POST", rules, body);
    expect([answer.status, answer.body["error"], answer.body["field"]]).toEqual([
      400,
      "validation_error",
      field,
    ]);
    expect(answer.body["message"]).toContain(`${field} takes `);
  });

  it.each([
    metric("tps", 0),
    metric("tps", 20),
    metric("mspt", 60_000),
    metric("player_count", 10_000_000),
    metric("entity_count", 0),
    metric("ram_used_mb", 16_777_216),
    metric("ram_used_mb", 0.5),
    metric("cpu_usage", 100),
    offline,
    { ...offline, condition: null, threshold: null },
    bad({ name: "💾".repeat(80), duration_minutes: 0, cooldown_minutes: 0 }),
    bad({ name: " tab\tand\nline ", duration_minutes: 1440, cooldown_minutes: 1440, notify_in_app: false }),
  ])("[ALR-08] [ALR-09] [ALR-10] [OUR-ALR-54] takes %j", async (body) => {
    const of = await scene.test.server(scene.owner);
    const { status, body: made } = await scene.ask("POST", `/servers/${of.id}/alert-rules`, body);
    expect(status).toBe(201);
    expect(made).toMatchObject({ condition: null, threshold: null, ...body });
  });

  it("[ALR-12] [ERR-28] at the plan's ceiling is 409 with the ceiling, switched-off rules counted, repeats answered", async () => {
    const { test, ask, rule, rest } = scene;
    const of = await test.server(scene.owner);
    const first = await rule({ name: "rule 0" }, of);
    await ask("PATCH", `/alert-rules/${String(first["id"])}`, { enabled: false });
    for (let made = 1; made < 10; made += 1) await rule({ name: `rule ${made}` }, of);
    const path = `/servers/${of.id}/alert-rules`;
    const beyond = await ask("POST", path, { ...valid, name: "eleventh" });
    expect(beyond).toMatchObject({ status: 409, body: { error: "limit_reached", limit: 10 } });
    expect(beyond.body["message"]).toMatch(/pro.*10 alert rules/);
    const sent = { ...valid, duration_minutes: 0, cooldown_minutes: 0, name: "rule 9" };
    expect((await ask("POST", path, sent)).status).toBe(200);
    expect(await ruleIds(of)).toHaveLength(10);
    const hosting = await test.account("hosting");
    const theirs = await test.server(hosting);
    const { secret } = await test.token(hosting);
    const create = (name: string) =>
      rest.call(secret, "POST", `/servers/${theirs.id}/alert-rules`, { ...valid, name });
    for (let made = 0; made < 20; made += 1) expect((await create(`rule ${made}`)).status).toBe(201);
    expect((await create("beyond")).body).toMatchObject({ error: "limit_reached", limit: 20 });
  });

  it("[ACC-32] with a key is one rule, and 409 with another body", async () => {
    const key = { "idempotency-key": "alert rule 1" };
    const of = await scene.test.server(scene.owner);
    const path = `/servers/${of.id}/alert-rules`;
    const first = await scene.ask("POST", path, valid, key);
    const again = await scene.ask("POST", path, valid, key);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const other = await scene.ask("POST", path, { ...valid, threshold: 17 }, key);
    expect([other.status, other.body["error"]]).toEqual([409, "idempotency_mismatch"]);
    expect((await scene.ask("POST", rules, valid, key)).body["error"]).toBe("idempotency_mismatch");
    expect(await ruleIds(of)).toHaveLength(1);
  });
});

describe("the lists", () => {
  it("[ALR-01] give all rules of a server, newest first, with where each stands now", async () => {
    const { ask, beat, rule, test } = scene;
    const of = await test.server(scene.owner);
    const low = await rule({}, of);
    test.clock.advance(1000);
    const silent = await rule({ name: "Down", metric: "offline", condition: null, threshold: null }, of);
    await beat({ tps: 12.25, mspt: 81 }, of);
    const { body } = await ask("GET", `/servers/${of.id}/alert-rules`);
    expect(body["page"]).toEqual({ cursor: null, has_more: false });
    const [alert] = await scene.alerts(`?server_id=${of.id}`);
    expect(body["data"]).toEqual([
      { ...silent, state: "ok", state_since: expect.any(String) as unknown },
      {
        ...low,
        state: "firing",
        state_since: "2026-11-20T08:00:01.000Z",
        last_value: 12.25,
        last_triggered_at: "2026-11-20T08:00:01.000Z",
        last_notified_at: "2026-11-20T08:00:01.000Z",
        open_alert_id: alert?.["id"],
      },
    ]);
  });

  it("[ALR-05] [ALR-23] give the event rules of a server, which the API only reads", async () => {
    const { ask, test } = scene;
    const of = await test.server(scene.owner);
    const made = eventRule(of.id, { categories: ["moderation"], sources: ["LiteBans"], lastNotifiedAt: 1 });
    await test.app.db.write(addEventRule, made, 5);
    const { status, body } = await ask("GET", `/servers/${of.id}/event-alert-rules`);
    const [row] = body["data"] as Json[];
    expect([status, body["page"], Object.keys(row ?? {})]).toEqual([
      200,
      { cursor: null, has_more: false },
      Object.keys(EventRule.shape),
    ]);
    expect(row).toMatchObject({ event_types: ["ban"], categories: ["moderation"], min_severity: null });
    const write = await ask("POST", `/servers/${of.id}/event-alert-rules`, { name: "x" });
    expect([write.status, write.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });

  it("[PAG-05] take no parameter at all", async () => {
    for (const list of ["alert-rules", "event-alert-rules"]) {
      const { status, body } = await scene.ask("GET", `/servers/${scene.server.id}/${list}?limit=1`);
      expect([status, body["error"], body["field"]]).toEqual([400, "validation_error", "limit"]);
    }
  });
});

describe("who may", () => {
  it("[ALR-11] [ACC-12] on Free read everything and write nothing", async () => {
    const { test, rest } = scene;
    const lapsed = await test.account("pro");
    const of = await test.server(lapsed);
    const { secret } = await test.token(lapsed);
    const made = await rest.call(secret, "POST", `/servers/${of.id}/alert-rules`, valid);
    await test.app.db.write(changePlan, lapsed.id, "free", test.clock.now);
    const rule = `/alert-rules/${String(made.body["id"])}`;
    const writes = [
      await rest.call(secret, "POST", `/servers/${of.id}/alert-rules`, valid),
      await rest.call(secret, "PATCH", rule, { enabled: false }),
      await rest.call(secret, "POST", `${rule}/test`),
      await rest.call(secret, "POST", `/alert-events/${of.id}/acknowledge`),
    ];
    expect(writes.map(({ status, body }) => [status, body["error"]])).toEqual(
      writes.map(() => [403, "plan_required"]),
    );
    const reads = [`/servers/${of.id}/alert-rules`, `/servers/${of.id}/event-alert-rules`, "/alert-events"];
    for (const path of reads) expect((await rest.call(secret, "GET", path)).status).toBe(200);
  });

  it("[OUR-ERR-01] are answered the field before the plan, the plan before 404, 404 before not_owner before 409", async () => {
    const { test, rest, server } = scene;
    const [free, admin] = [await test.account("free"), await test.account("enterprise", "admin")];
    const secrets = { free: (await test.token(free)).secret, admin: (await test.token(admin)).secret };
    const absent = test.app.secrets.newId(test.clock.now);
    const made = await scene.rule({ name: "whose" }, await test.server(scene.owner));
    const code = async (who: "free" | "admin", method: "POST" | "PATCH", path: string, body: object) =>
      (await rest.call(secrets[who], method, path, body)).body["error"];
    for (const id of [server.id, absent]) {
      const path = `/servers/${id}/alert-rules`;
      expect(await code("free", "POST", path, { ...valid, extra: 1 })).toBe("field_not_allowed");
      expect(await code("free", "POST", path, { ...valid, threshold: 21 })).toBe("validation_error");
      expect(await code("free", "POST", path, valid)).toBe("plan_required");
      expect(await code("admin", "POST", path, { ...valid, threshold: 21 })).toBe("validation_error");
    }
    expect(await code("admin", "POST", `/servers/${absent}/alert-rules`, valid)).toBe("not_found");
    expect(await code("admin", "POST", `/servers/no-id/alert-rules`, valid)).toBe("not_found");
    expect(await code("admin", "POST", rules, valid)).toBe("not_owner");
    for (const id of [String(made["id"]), absent]) {
      const path = `/alert-rules/${id}`;
      for (const body of [{}, { metric: "offline", condition: "below" }, { metric: "tps", threshold: 21 }]) {
        expect(await code("free", "PATCH", path, body)).toBe("validation_error");
        expect(await code("admin", "PATCH", path, body)).toBe("validation_error");
      }
      expect(await code("free", "PATCH", path, { enabled: false })).toBe("plan_required");
      expect(await code("admin", "PATCH", path, { enabled: false })).toBe("not_found");
      expect(await code("admin", "POST", `${path}/test`, {})).toBe("not_found");
      expect(await code("admin", "POST", `${path}/test`, { now: true })).toBe("field_not_allowed");
    }
  });
});
