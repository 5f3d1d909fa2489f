import { afterAll, beforeAll, expect, it } from "vitest";
import type { Availability } from "../../../src/core/health/health.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { newEventRule } from "../../../src/core/alert/event-rule.ts";
import { insertEventRule } from "../../../src/store/alert/event-rules.ts";
import { fillBlocks } from "../../store/metric/fill-blocks.ts";
import { newId, sampleAt } from "../../store/engine/rows.ts";
import { eventOf } from "../../core/health/facts.ts";
import type { Json } from "../../support/payload.ts";
import { alertingScene, type AlertingScene } from "../alert/alerting.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const day = 24 * hour;

let scene: AlertingScene;
/** With a silence of so many minutes each; the last was never heard of. */
const silences = [0, 40, 0, 5];
const servers: ServerRecord[] = [];

beforeAll(async () => {
  scene = await alertingScene();
  const { test, owner, server } = scene;
  const { db } = test.app;
  servers.push(server);
  for (const name of ["Survival", "Creative", "Skyblock", "Unheard"])
    servers.push(await test.server(owner, { name }));
  for (const [index, minutes] of silences.entries()) {
    const id = servers[index]?.id ?? "";
    const { now } = test.clock;
    await fillBlocks(db, id, now - 3 * day, (day - minutes * minute) / minute, minute);
    await fillBlocks(db, id, now - 2 * day, (2 * day) / minute, minute);
    await db.write(recordHeartbeat, {
      serverId: id,
      receivedAt: now - second,
      bootTimestamp: null,
      lastTickAgeMs: 40,
      announcement: null,
      limits: test.app.plans.pro,
      sample: sampleAt(now - second, { tps: 20 }),
    });
  }
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.test.close();
});

const rows = ({ body }: { body: Json }): Json[] => body["data"] as Json[];
const cursorOf = ({ body }: { body: Json }): string => String((body["page"] as Json)["cursor"]);
const get = async (path: string) => {
  const answer = await scene.ask("GET", path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
};

it("[OUR-OVR-151] lists every own server, the least available first, each as its own answer has it", async () => {
  const { test } = scene;
  const period = `from=${new Date(test.clock.now - 4 * day).toISOString()}&to=${new Date(test.clock.now).toISOString()}`;
  const answer = await get(`/monitoring/availability?${period}`);
  expect(rows(answer).map(({ name }) => name)).toEqual([
    "Survival",
    "Skyblock",
    "Creative",
    "Lobby",
    "Unheard",
  ]);
  let [up, down] = [0, 0];
  for (const { server_id, name: _, ...availability } of rows(answer)) {
    const { body } = await get(`/servers/${String(server_id)}/health?${period}`);
    const own = body["availability"] as Availability;
    expect(availability).toEqual(own);
    up += own.up_seconds;
    down += own.down_seconds;
  }
  expect(answer.body["totals"]).toEqual({
    servers: 5,
    measured: 4,
    percent: Math.floor((up / (up + down)) * 10_000) / 100,
    down_seconds: down,
    incidents: 2,
  });
  const { body } = await get("/monitoring/availability");
  const { from, to } = body["period"] as { from: string; to: string };
  expect(Date.parse(to) - Date.parse(from)).toBe(day);
});

it("[OUR-OVR-151] has pages of one period, also when time passes between them", async () => {
  const { test } = scene;
  const whole = await get("/monitoring/availability?range=7d");
  let page = await get("/monitoring/availability?range=7d&limit=2");
  const seen = rows(page);
  while ((page.body["page"] as Json)["has_more"] === true) {
    test.clock.advance(10 * second);
    page = await get(`/monitoring/availability?range=7d&limit=2&cursor=${cursorOf(page)}`);
    expect(page.body["period"]).toEqual(whole.body["period"]);
    seen.push(...rows(page));
  }
  expect(seen.map(({ server_id }) => server_id)).toEqual(rows(whole).map(({ server_id }) => server_id));
});

it("[OUR-OVR-151] refuses a period that the plan does not show, and a plan without monitoring", async () => {
  const { test, ask } = scene;
  expect((await ask("GET", "/monitoring/availability?range=1y")).body).toMatchObject({
    error: "retention_exceeded",
  });
  const { secret } = await test.token(await test.account("free"));
  expect((await scene.rest.call(secret, "GET", "/monitoring/availability")).body).toMatchObject({
    error: "plan_required",
  });
});

it("[OUR-ALR-150] [OUR-OVR-150] lists the rules of all servers as each server's lists have them, and counts the enabled", async () => {
  const { test, ask } = scene;
  const made: Json[] = [];
  for (const [index, server] of servers.slice(0, 3).entries()) {
    for (let count = 0; count <= index; count += 1) {
      test.clock.advance(second);
      const rule = { name: `Slow ${count}`, metric: "mspt", condition: "above", threshold: 50 + count };
      const { body, status } = await ask("POST", `/servers/${server.id}/alert-rules`, rule);
      expect(status).toBe(201);
      made.push(body);
    }
    const definition = {
      id: newId(),
      serverId: server.id,
      name: "Crashes",
      preset: "crashes" as const,
      eventTypes: ["server_crash"],
      categories: [],
      minSeverity: null,
      sources: [],
      cooldownMinutes: 30,
      notify: { email: false, chat: false, in_app: true },
    };
    await test.app.db.write(insertEventRule, newEventRule(definition, test.clock.now));
  }
  // The only threshold rule of the first server is switched off; its rule on events stays.
  await ask("PATCH", `/alert-rules/${String(made[0]?.["id"])}`, { enabled: false });
  const listed = rows(await get("/monitoring/alert-rules"));
  expect(listed.length).toBe(9);
  const times = listed.map(({ created_at }) => String(created_at));
  expect(times).toEqual(times.toSorted().toReversed());
  const enabledOf = new Map<string, number>();
  for (const [index, { id, name }] of servers.entries()) {
    const own = {
      threshold: rows(await get(`/servers/${id}/alert-rules`)),
      event: rows(await get(`/servers/${id}/event-alert-rules`)),
    };
    for (const [kind, rules] of Object.entries(own))
      for (const rule of rules)
        expect(listed).toContainEqual(expect.objectContaining({ ...rule, kind, server_name: name }));
    const both = [...own.threshold, ...own.event];
    expect(listed.filter(({ server_id }) => server_id === id)).toHaveLength(both.length);
    expect(both.length).toBe(index < 3 ? index + 2 : 0);
    enabledOf.set(id, both.filter(({ enabled }) => enabled === true).length);
  }
  const overview = rows(await get("/monitoring/overview"));
  expect(new Map(overview.map(({ server_id, enabled_rules }) => [server_id, enabled_rules]))).toEqual(
    enabledOf,
  );
  const unwatched = await get("/monitoring/overview?watched=false");
  expect(rows(unwatched).map(({ name }) => name)).toEqual(["Skyblock", "Unheard"]);
  expect(unwatched.body["totals"]).toMatchObject({ servers: 2, unwatched: 2 });
});

it("[OUR-ALR-150] has filters and pages, and nobody else's rules", async () => {
  const { test } = scene;
  const idsOf = async (query: string) =>
    rows(await get(`/monitoring/alert-rules${query}`)).map(({ id }) => id);
  const all = rows(await get("/monitoring/alert-rules"));
  for (const kind of ["threshold", "event"])
    for (const enabled of [true, false])
      expect(await idsOf(`?kind=${kind}&enabled=${enabled}`)).toEqual(
        all.filter((rule) => rule["kind"] === kind && rule["enabled"] === enabled).map(({ id }) => id),
      );
  let page = await get("/monitoring/alert-rules?limit=4");
  const seen = rows(page);
  while ((page.body["page"] as Json)["has_more"] === true) {
    page = await get(`/monitoring/alert-rules?limit=4&cursor=${cursorOf(page)}`);
    seen.push(...rows(page));
  }
  expect(seen).toEqual(all);
  const { secret } = await test.token(await test.account("pro"));
  expect(rows(await scene.rest.call(secret, "GET", "/monitoring/alert-rules"))).toEqual([]);
});

it("[OUR-EVT-150] changed=true lists changed software, settings and health of all servers, in pages", async () => {
  const { test, ask } = scene;
  const types = ["plugin_updated", "server_start", "setting_changed", "ban", "health_changed", "server_stop"];
  const expected: string[] = [];
  for (const [index, server] of servers.entries())
    for (const [place, type] of types.entries()) {
      const at = test.clock.now - (place * 7 + index) * minute;
      const event = eventOf(type, at, { id: newId(), serverId: server.id, localId: newId(), receivedAt: at });
      await test.app.db.write(recordEvents, server.id, [event], test.clock.now);
      if (place % 2 === 0) expected.push(event.id);
    }
  let page = await get("/monitoring/events?changed=true&from=-12h&limit=4");
  const seen = rows(page);
  while ((page.body["page"] as Json)["has_more"] === true) {
    page = await get(`/monitoring/events?changed=true&from=-12h&limit=4&cursor=${cursorOf(page)}`);
    seen.push(...rows(page));
  }
  expect(seen.map(({ id }) => String(id)).toSorted()).toEqual(expected.toSorted());
  const times = seen.map(({ timestamp }) => String(timestamp));
  expect(times).toEqual(times.toSorted().toReversed());
  const all = await get("/monitoring/events?changed=false&from=-12h&limit=100");
  expect(rows(all).length).toBeGreaterThan(seen.length);
  const both = await ask("GET", "/monitoring/events?changed=true&type=ban");
  expect(both.body).toMatchObject({ error: "validation_error", field: "changed" });
});
