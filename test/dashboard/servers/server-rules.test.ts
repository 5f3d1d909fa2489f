import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlertMetric } from "../../../src/core/alert/alert-rule.ts";
import { longestRuleMinutes, metricLimits } from "../../../src/core/alert/limits.ts";
import { roomyPlans, rowsOf, type Json } from "../../support/service.ts";
import { alertPages, idAfter, textOf, type AlertPages } from "../alerts/alerting.ts";

let scene: AlertPages;
let token: string;
beforeAll(async () => {
  scene = await alertPages({ plans: roomyPlans });
  token = await scene.service.token(scene.owner);
});
afterAll(async () => {
  expect(scene.service.defects).toEqual([]);
  await scene.service.close();
});

const api = async (path: string): Promise<Json[]> =>
  rowsOf(await scene.service.request("GET", `/api/v1${path}`, { token }));
const rulesOf = (): Promise<Json[]> => api(`/servers/${scene.server.id}/alert-rules`);
const eventRulesOf = (): Promise<Json[]> => api(`/servers/${scene.server.id}/event-alert-rules`);
const shown = async (query = ""): Promise<string> =>
  textOf((await scene.visitor.get(`${scene.rules}${query}`)).text);

/** Sends the form whose button begins with these words. */
async function sendForm(page: string, words: string) {
  const form =
    new RegExp(`<form[^>]*>(?:(?!</form>)[\\s\\S])*${words}[\\s\\S]*?</form>`).exec(page)?.[0] ?? "";
  const hidden = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const { _csrf, do: action = "", ...fields } = hidden;
  expect(_csrf).toBeTruthy();
  return await scene.visitor.send(scene.rules, action, fields);
}

/** The selected option of a choice. */
function chosenIn(html: string, name: string): string {
  const select = new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(html)?.[0] ?? "";
  const option = /<option(?=[^>]* selected)[^>]*>/.exec(select)?.[0] ?? "";
  return /value="([^"]*)"/.exec(option)?.[1] ?? "";
}

describe("alert rules", () => {
  it("[OUR-ALP-06] [OUR-ALR-130] linking makes the first, which is made at one click where it is missing", async () => {
    const { visitor, rules } = scene;
    const isFirst = {
      name: "Down or hanging",
      event_types: ["health_changed"],
      min_severity: "error",
      cooldown_minutes: 30,
      notify_email: true,
      notify_chat: false,
      notify_in_app: true,
      enabled: true,
    };
    const made = await eventRulesOf();
    expect(made).toMatchObject([isFirst]);
    await visitor.send(rules, "delete-event-rule", { rule_id: String(made[0]?.["id"]) });
    const page = (await visitor.get(rules)).text;
    expect(textOf(page)).toContain("Create the first: Down or hanging");
    expect((await sendForm(page, "Create the first")).status).toBe(303);
    const again = await eventRulesOf();
    expect(again).toMatchObject([isFirst]);
    const next = (await visitor.get(rules)).text;
    expect(textOf(next)).toContain("Create one: Tick time above 50 ms for 5 min");
    expect((await sendForm(next, "Create one")).status).toBe(303);
    await visitor.send(rules, "delete-event-rule", { rule_id: String(again[0]?.["id"]) });
    expect(await rulesOf()).toMatchObject([
      {
        name: "Slow ticks",
        metric: "mspt",
        condition: "above",
        threshold: 50,
        duration_minutes: 5,
        cooldown_minutes: 30,
        notify_email: true,
        notify_chat: false,
        notify_in_app: true,
      },
    ]);
  });

  it("[OUR-ALP-05] offers each metric with its own unit, bounds and direction", async () => {
    const { visitor, rules } = scene;
    for (const metric of AlertMetric.options) {
      const page = (await visitor.get(`${rules}?metric=${metric}`)).text;
      expect(page).toContain(`name="metric" value="${metric}"`);
      expect(page).toContain(`max="${longestRuleMinutes}"`);
      if (metric === "offline") {
        expect(page).not.toContain('id="create-rule-threshold"');
        continue;
      }
      const { min, max, usual } = metricLimits[metric];
      expect(page).toMatch(new RegExp(`name="threshold"[^>]*min="${min}" max="${max}"`));
      expect(chosenIn(page, "condition")).toBe(usual.condition);
    }
    expect(await shown("?metric=mspt")).toContain("Threshold, ms");
  });

  it("[OUR-ALP-04] shows each rule with its state and live value as the API gives them", async () => {
    const { beats } = scene;
    await beats(1, { mspt: 61.25, tps: 16 });
    expect(await shown()).toMatch(
      /Slow ticks Tick time above 50 ms for 5 min breached, but not for long enough yet since .* 61\.25 ms E-mail, In-app never/,
    );
    await beats(6, { mspt: 61.25, tps: 16 });
    expect(await shown()).toMatch(/alert open since/);
    expect((await rulesOf())[0]).toMatchObject({ state: "firing", last_value: 61.25 });
  });

  it("[OUR-ALP-05] [OUR-ALP-10] changes, mutes, switches, tests and deletes one", async () => {
    const { visitor, rules } = scene;
    const [rule] = await rulesOf();
    const rule_id = String(rule?.["id"]);
    const edit = `${rules}?edit=${rule_id}`;
    expect(await shown(`?edit=${rule_id}`)).toContain("its open alert is closed");
    const kept = { rule_id, condition: "above", duration_minutes: "5", cooldown_minutes: "0" };
    const refused = await visitor.send(edit, "change-rule", { ...kept, name: "Renamed", threshold: "-1" });
    expect(refused.status).toBe(400);
    expect(textOf(refused.text)).toContain("Takes a number from 0 to 60000.");
    expect(refused.text).toContain('value="Renamed"');
    expect((await rulesOf())[0]).toEqual(rule);
    const changed = await visitor.send(edit, "change-rule", {
      ...kept,
      name: "Renamed",
      threshold: "50",
      notify_chat: "on",
    });
    expect(changed.status).toBe(303);
    expect((await rulesOf())[0]).toMatchObject({
      name: "Renamed",
      notify_email: false,
      notify_chat: true,
      notify_in_app: false,
      cooldown_minutes: 0,
      open_alert_id: rule?.["open_alert_id"],
    });

    await visitor.send(edit, "mute-rule", { rule_id, mute_minutes: "60" });
    expect(await shown()).toMatch(/muted until 2026-11-20 \d\d:\d\d UTC/);
    await visitor.send(edit, "mute-rule", { rule_id, mute_minutes: "0" });
    expect(await shown()).not.toContain("muted until");

    const tested = textOf((await visitor.send(rules, "test-rule", { rule_id })).text);
    expect(tested).toContain("Chat skipped Not sent: no chat webhook is set");
    for (let sent = 0; sent < 4; sent += 1) await visitor.send(rules, "test-rule", { rule_id });
    const sixth = await visitor.send(rules, "test-rule", { rule_id });
    expect(sixth.status).toBe(429);
    expect(textOf(sixth.text)).toContain("An account can send at most 5 test messages in ten minutes.");

    const off = await visitor.send(rules, "switch-rule", { rule_id, enabled: "no" });
    expect(off.headers["location"]).toBe(`${rules}?off=${rule_id}`);
    const confirmed = (await visitor.get(`${rules}?off=${rule_id}`)).text;
    expect(textOf(confirmed)).toMatch(
      /The rule .* is switched off: it raises no alert\. If an alert of it was open, it was closed\. Undo/,
    );
    expect(textOf((await visitor.get(`${rules}?off=nonsense`)).text)).not.toContain("Undo");
    expect((await api("/alert-events?status=resolved"))[0]).toMatchObject({
      resolution_reason: "rule_disabled",
    });
    const undone = await visitor.send(rules, "switch-rule", { rule_id, enabled: "yes" });
    expect(undone.headers["location"]).toBe(rules);
    expect(textOf((await visitor.get(`${rules}?off=${rule_id}`)).text)).not.toContain("Undo");
    await scene.beats(6, { mspt: 80, tps: 12 });
    expect(await shown()).toContain("alert open");
    expect((await visitor.send(edit, "delete-rule", { rule_id })).status).toBe(303);
    expect(await rulesOf()).toEqual([]);
    expect((await api("/alert-events"))[0]).toMatchObject({
      status: "resolved",
      resolution_reason: "rule_deleted",
    });
    expect(textOf((await visitor.get("/alerts")).text)).toContain("closed Renamed");
    expect((await visitor.send(rules, "delete-rule", { rule_id })).status).toBe(404);
  });

  it("[OUR-ALP-04] states that maintenance stops their messages", async () => {
    const { service, server } = scene;
    const path = `/api/v1/servers/${server.id}/maintenance`;
    await service.request("POST", path, { token, body: { duration_minutes: 60 } });
    expect(await shown()).toContain("Maintenance is in progress");
    await service.request("POST", `${path}/end`, { token });
    expect(await shown()).not.toContain("Maintenance is in progress");
  });
});

describe("rules on events", () => {
  it("[OUR-ERL-01] [OUR-ALP-05] are made of a preset or of types of one's own, changed, tested and deleted", async () => {
    const { visitor, rules, events } = scene;
    scene.clock.now += 20 * 60_000;
    await visitor.send(rules, "create-event-rule", {
      preset: "crashes",
      name: "Crashes",
      notify_in_app: "on",
    });
    expect(await eventRulesOf()).toMatchObject([
      { name: "Crashes", event_types: ["server_crash"], cooldown_minutes: 30 },
    ]);
    await events({
      local_id: "c1",
      type: "server_crash",
      category: "lifecycle",
      source: "watchdog",
      severity: "error",
      title: "The server crashed",
    });
    const list = (await visitor.get("/alerts")).text;
    expect(textOf(list)).toMatch(/event Crashes on Lobby [\w ]+ The server crashed Shown in the app only/);
    const alert = (await visitor.get(`/alerts/${idAfter(list, "/alerts/")}`)).text;
    expect(textOf(alert)).toContain("Kind server_crash (lifecycle, error)");

    const rule_id = String((await eventRulesOf())[0]?.["id"]);
    expect(alert).toContain(`/rules?edit_event=${rule_id}`);
    const edit = `${rules}?edit_event=${rule_id}`;
    expect(chosenIn((await visitor.get(edit)).text, "preset")).toBe("crashes");
    await visitor.send(edit, "change-event-rule", {
      rule_id,
      name: "Mine",
      preset: "own",
      event_types: "warn, kick,warn",
      min_severity: "warning",
      categories: ["moderation", "security"],
      sources: "LiteBans",
      notify_email: "on",
      cooldown_minutes: "5",
    });
    expect((await eventRulesOf())[0]).toMatchObject({
      name: "Mine",
      event_types: ["warn", "kick"],
      min_severity: "warning",
      cooldown_minutes: 5,
      categories: ["moderation", "security"],
      sources: ["LiteBans"],
      notify_email: true,
      notify_in_app: false,
    });
    expect(await shown()).toContain(
      "warn, kick; of moderation, security; warning or worse; reported by LiteBans",
    );
    expect((await visitor.get(edit)).text).toContain('value="warn, kick"');
    await visitor.send(rules, "create-event-rule", {
      preset: "bans",
      event_types: "warn, kick",
      name: "Typed",
      notify_in_app: "on",
    });
    const typed = (await eventRulesOf()).find(({ name }) => name === "Typed");
    expect(typed).toMatchObject({ event_types: ["warn", "kick"] });
    await visitor.send(rules, "delete-event-rule", { rule_id: String(typed?.["id"]) });
    const long = await visitor.send(edit, "change-event-rule", { rule_id, name: "", preset: "bans" });
    expect(long.status).toBe(400);
    const tested = textOf((await visitor.send(rules, "test-event-rule", { rule_id })).text);
    expect(tested).toContain("E-mail skipped Not sent: this service sends no mail");
    await visitor.send(edit, "mute-event-rule", { rule_id, mute_minutes: "60" });
    expect(await shown()).toContain("muted until");
    await visitor.send(rules, "switch-event-rule", { rule_id, enabled: "no" });
    expect((await eventRulesOf())[0]).toMatchObject({ enabled: false });
    expect((await visitor.send(edit, "delete-event-rule", { rule_id })).status).toBe(303);
    expect(await eventRulesOf()).toEqual([]);
    expect(textOf((await visitor.get("/alerts")).text)).toContain("Crashes on Lobby");
  });
});

it("[OUR-ALP-05] the form says that typed types are taken, and a ready-made rule is offered once", async () => {
  const { visitor, rules } = scene;
  const form = await shown("?new_event");
  expect(form).toContain("These types replace the events chosen above");
  expect(form).toContain("Bans (ban, tempban, ip_ban)");
  const told = { notify_in_app: "on", notify_email: "on" };
  await visitor.send(rules, "create-event-rule", { preset: "bans", name: "Bans", ...told });
  expect(await shown()).not.toContain("Bans (ban, tempban, ip_ban)");
  expect(await shown()).toContain("Crashes (server_crash)");
  const severe = { preset: "crashes", name: "Worse", min_severity: "error", ...told };
  await visitor.send(rules, "create-event-rule", severe);
  expect(await shown()).toContain("Crashes (server_crash)");
  for (const rule of await eventRulesOf())
    await visitor.send(rules, "delete-event-rule", { rule_id: String(rule["id"]) });
});

it("[OUR-ALP-04] states that a server is not monitored, so its rules are paused", async () => {
  const { service, owner, visitor } = scene;
  expect(await shown()).not.toContain("is not monitored");
  let last = scene.server;
  for (let more = 0; more < service.app.plans.pro.monitored_servers; more += 1)
    last = await service.server(owner);
  const page = (await visitor.get(`/servers/${last.id}/rules`)).text;
  expect(textOf(page)).toContain("This server is not monitored, so its rules are paused.");
  expect(page).toContain(`/servers/${last.id}/settings`);
});
