import { changePlan } from "../../../src/services/access/change-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  callAsPerson,
  type CalledByPages,
  type PersonAnswer,
  type PersonInput,
} from "../../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { deleteAlertRule } from "../../../src/actions/alert/delete-alert-rule.ts";
import { getAlert } from "../../../src/actions/alert/get-alert.ts";
import { createEventRule } from "../../../src/actions/alert/create-event-rule.ts";
import { deleteEventRule } from "../../../src/actions/alert/delete-event-rule.ts";
import { testEventRule } from "../../../src/actions/alert/test-event-rule.ts";
import { updateEventRule } from "../../../src/actions/alert/update-event-rule.ts";
import { alertingScene, type AlertingScene } from "../../endpoints/alert/alerting.ts";

let scene: AlertingScene;
beforeAll(async () => {
  scene = await alertingScene();
});
afterAll(async () => {
  expect(scene.test.defects).toEqual([]);
  await scene.close();
});

/** Asks as a person who is signed in to that account. */
async function as(account: Account) {
  const { app } = scene.test;
  const { secret } = await startSession(app, account, null, app.clock());
  const person = await personOf(app, secret, "127.0.0.1", app.clock());
  return <C extends CalledByPages>(called: C, input: PersonInput<C>): Promise<PersonAnswer<C>> =>
    callAsPerson(app, called, person, input, "r");
}

const refusal = async (asked: Promise<unknown>): Promise<[string, unknown]> => {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal
    ? [error.code, error.details["limit"] ?? error.details["field"]]
    : ["none", error];
};

describe("rules on events", () => {
  it("[OUR-ERL-01] are of a preset or of types of one's own, never both", async () => {
    const ask = await as(scene.owner);
    const server_id = scene.server.id;
    const made = await ask(createEventRule, { server_id, name: "Bans", preset: "bans" });
    expect(made).toMatchObject({
      event_types: ["ban", "tempban", "ip_ban"],
      notify_in_app: true,
      notify_email: false,
    });
    expect(
      await refusal(ask(createEventRule, { server_id, name: "x", preset: "bans", event_types: ["x"] })),
    ).toEqual(["validation_error", "event_types"]);
    for (const wrong of [
      { name: " " },
      { event_types: [""] },
      { event_types: Array<string>(21).fill("x") },
      { cooldown_minutes: 1441 },
    ])
      expect((await refusal(ask(createEventRule, { server_id, name: "x", ...wrong })))[0]).toBe(
        "validation_error",
      );
    await ask(deleteEventRule, { rule_id: made.id });
  });

  it("[OUR-ERL-08] a form that is sent twice makes one, until it is changed or deleted", async () => {
    const ask = await as(scene.owner);
    const form = { server_id: scene.server.id, name: "Twice", preset: "restarts" } as const;
    const both = await Promise.all([ask(createEventRule, form), ask(createEventRule, form)]);
    expect(both[0].id).toBe(both[1].id);
    await ask(updateEventRule, { rule_id: both[0].id, enabled: false });
    const another = await ask(createEventRule, form);
    expect(another.id).not.toBe(both[0].id);
    await ask(deleteEventRule, { rule_id: another.id });
    const third = await ask(createEventRule, form);
    expect([both[0].id, another.id]).not.toContain(third.id);
    for (const rule_id of [both[0].id, third.id]) await ask(deleteEventRule, { rule_id });
  });

  it("[OUR-ERL-02] [ERR-28] are as many as the plan allows, and take one with monitoring", async () => {
    const { test } = scene;
    const owner = await test.account("pro");
    const server = await test.server(owner);
    const ask = await as(owner);
    const make = (name: string) => ask(createEventRule, { server_id: server.id, name });
    const limit = test.app.plans.pro.event_rules;
    const made = [];
    for (let count = 0; count < limit; count += 1) made.push(await make(`All ${count}`));
    expect(await refusal(make("All"))).toEqual(["limit_reached", limit]);
    await test.app.db.write(changePlan, owner.id, "free", test.clock.now);
    const lapsed = await as({ ...owner, plan: "free" });
    const [first] = made;
    const rule_id = first?.id ?? "";
    expect((await refusal(lapsed(createEventRule, { server_id: server.id, name: "All" })))[0]).toBe(
      "plan_required",
    );
    expect((await refusal(lapsed(updateEventRule, { rule_id, enabled: false })))[0]).toBe("plan_required");
    expect((await refusal(lapsed(testEventRule, { rule_id })))[0]).toBe("plan_required");
    expect(await lapsed(deleteEventRule, { rule_id })).toEqual({ deleted: true, rule_id });
  });

  it("[OUR-ERL-03] change in what is sent; types of one's own end a preset", async () => {
    const ask = await as(scene.owner);
    const { id: rule_id, updated_at } = await ask(createEventRule, {
      server_id: scene.server.id,
      name: "Crashes",
      preset: "crashes",
      min_severity: "error",
      sources: ["a", "a"],
    });
    const renamed = await ask(updateEventRule, { rule_id, name: "Down" });
    expect(renamed).toMatchObject({
      name: "Down",
      event_types: ["server_crash"],
      min_severity: "error",
      sources: ["a"],
    });
    expect(Date.parse(renamed.updated_at)).toBeGreaterThan(Date.parse(updated_at) - 1);
    expect(await ask(updateEventRule, { rule_id, name: "Down" })).toEqual(renamed);
    const own = await ask(updateEventRule, {
      rule_id,
      event_types: ["warn"],
      min_severity: null,
      mute_minutes: 60,
    });
    expect(own).toMatchObject({ event_types: ["warn"], min_severity: null });
    expect(own.muted_until).toBe(new Date(scene.test.clock.now + 3_600_000).toISOString());
    expect((await ask(updateEventRule, { rule_id, mute_minutes: 0 })).muted_until).toBeNull();
    await ask(deleteEventRule, { rule_id });
  });

  it("[OUR-ERL-06] and alerts and alert rules are 404 to everybody but their account; an admin makes none for others", async () => {
    const { test, server, owner } = scene;
    const made = await (
      await as(owner)
    )(createEventRule, { server_id: server.id, name: "Bans", preset: "bans" });
    const threshold = String((await scene.rule({ name: "Theirs" }))["id"]);
    await scene.beat({ tps: 3 });
    const alert_id = String((await scene.alerts())[0]?.["id"]);
    const absent = test.app.secrets.newId(test.clock.now);
    for (const [role, code] of [
      ["user", "not_found"],
      ["admin", "not_owner"],
    ] as const) {
      const ask = await as(await test.account("enterprise", role));
      expect((await refusal(ask(createEventRule, { server_id: server.id, name: "x" })))[0]).toBe(code);
      for (const rule_id of [made.id, absent, "no-id"]) {
        expect((await refusal(ask(updateEventRule, { rule_id, enabled: false })))[0]).toBe("not_found");
        expect((await refusal(ask(testEventRule, { rule_id })))[0]).toBe("not_found");
        expect((await refusal(ask(deleteEventRule, { rule_id })))[0]).toBe("not_found");
      }
      expect((await refusal(ask(deleteAlertRule, { rule_id: threshold })))[0]).toBe("not_found");
      expect((await refusal(ask(getAlert, { alert_id })))[0]).toBe("not_found");
    }
    const ask = await as(owner);
    expect(await ask(getAlert, { alert_id })).toEqual((await scene.alerts())[0]);
    expect(await ask(deleteAlertRule, { rule_id: threshold })).toEqual({ deleted: true, rule_id: threshold });
    await ask(deleteEventRule, { rule_id: made.id });
  });

  it("[OUR-ERL-07] [ALR-19] are tested like alert rules, and among the same five", async () => {
    const { test } = scene;
    const owner = await test.account("pro");
    const server = await test.server(owner, { name: "Lobby" });
    const ask = await as(owner);
    const rule = await ask(createEventRule, {
      server_id: server.id,
      name: "Bans",
      preset: "bans",
      notify_email: true,
    });
    for (let sent = 0; sent < 5; sent += 1) {
      const { delivery } = await ask(testEventRule, { rule_id: rule.id });
      expect([delivery.email.status, delivery.chat.reason, delivery.in_app.status]).toEqual([
        "sent",
        "channel_off",
        "sent",
      ]);
    }
    expect(test.sent.at(-1)).toMatchObject({
      destination: owner.email,
      message: { title: "[TEST] Bans on Lobby" },
    });
    expect((await refusal(ask(testEventRule, { rule_id: rule.id })))[0]).toBe("rate_limited");
  });
});
