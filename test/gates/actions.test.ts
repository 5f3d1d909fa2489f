import { afterEach, beforeEach, expect, it } from "vitest";
import { callAsPerson, type PersonCalling } from "../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../src/contract/call/person.ts";
import type { TypedAction } from "../../src/contract/endpoint/action.ts";
import { jsonSchemaOf, type JsonSchema } from "../../src/contract/endpoint/json-schema.ts";
import { createToken } from "../../src/actions/access/create-token.ts";
import { listSessions } from "../../src/actions/access/list-sessions.ts";
import { createEventRule } from "../../src/actions/alert/create-event-rule.ts";
import { createRecurringMaintenance } from "../../src/actions/maintenance/create-recurring-maintenance.ts";
import { createProfileLink } from "../../src/actions/profile/create-profile-link.ts";
import { createStatusPage } from "../../src/actions/status-page/create-status-page.ts";
import type { Account } from "../../src/core/access/account.ts";
import { Refusal } from "../../src/core/errors.ts";
import { allActions } from "../support/actions.ts";
import { asPerson } from "../support/as-person.ts";
import { isLong } from "../support/long.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { Dice } from "./fuzz-dice.ts";
import { valueBy } from "./fuzz-values.ts";
import { parityInputs } from "./parity-inputs.ts";

const actions = [...(await allActions()).values()] as TypedAction[];

/** Random inputs of each action. */
const draws = isLong ? 2000 : 25;

let test: TestApp;
beforeEach(() => {
  test = testApp({ plans: roomy, signUp: "open" });
});
afterEach(async () => {
  await test.settled();
  expect(test.defects).toEqual([]);
  await test.close();
});

const nobody: PersonCalling = { kind: "anonymous", address: "192.0.2.1" };

/** A browser that has just signed in to the account. */
async function browserOf(account: Account): Promise<PersonCalling> {
  const { secret } = await startSession(test.app, account, "tests", test.clock.now);
  return personOf(test.app, secret, "192.0.2.7", test.clock.now);
}

/** The code of the refusal; `done` where there was none. Anything else that is thrown fails the test. */
const outcome = (
  called: TypedAction,
  person: PersonCalling,
  input: Record<string, unknown>,
): Promise<string> =>
  callAsPerson(test.app, called, person, input, "r").then(
    () => "done",
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw new Error(`${called.id} failed for ${JSON.stringify(input).slice(0, 500)}`, { cause: error });
    },
  );

const schemas = new Map(actions.map(({ id, besideFile }) => [id, jsonSchemaOf(besideFile, "input")]));

/** An input of the action by its schema; most fields hold what they take. */
function inputOf({ id }: TypedAction, dice: Dice): Record<string, unknown> {
  const { properties = {}, required = [] }: JsonSchema = schemas.get(id) ?? {};
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties))
    if (typeof schema === "object" && (required.includes(name) || dice.chance(50)))
      made[name] = name === "from" && dice.chance(80) ? "2026-11-20T07:00:00Z" : valueBy(schema, dice);
  return made;
}

it("[OUR-SES-27] each action is open to those whom its declaration names, whatever they send", async () => {
  const somebody = await browserOf(await test.account("enterprise"));
  const dice = new Dice(1);
  for (const called of actions) {
    if (called.who === "anyone") continue;
    const input = inputOf(called, dice);
    expect([called.id, await outcome(called, nobody, input)]).toEqual([called.id, "unauthorized"]);
    if (called.who === "admin")
      expect([called.id, await outcome(called, somebody, input)]).toEqual([called.id, "not_found"]);
  }
});

it("[OUR-SES-28] random inputs of each action are taken or refused, and fail none", async () => {
  const counts = { done: 0, refused: 0 };
  for (const [index, called] of actions.entries()) {
    const dice = new Dice(index + 1);
    const person = await browserOf(await test.account("enterprise", "admin"));
    for (let draw = 0; draw < draws; draw += 1) {
      const code = await outcome(called, person, inputOf(called, dice));
      counts[code === "done" ? "done" : "refused"] += 1;
    }
  }
  expect(counts.done).toBeGreaterThan(actions.length);
  console.log(`random inputs of ${actions.length} actions: ${counts.done} taken, ${counts.refused} refused`);
});

/** What an account owns, by the names of the fields that take its id. */
async function ownedBy(owner: Account): Promise<ReadonlyMap<string, string>> {
  const server = await test.server(owner);
  const inputs = await parityInputs(test, owner, server);
  const ids = new Map<string, string>();
  for (const input of Object.values(inputs))
    for (const [name, value] of Object.entries(input))
      if (name.endsWith("_id") && typeof value === "string") ids.set(name, value);
  const own = await asPerson(test, owner);
  const server_id = server.id;
  const profile_id = ids.get("profile_id") ?? "";
  const made = {
    token_id: (await own(createToken, { name: "t", scopes: ["servers:read"] })).token.id,
    session_id: (await own(listSessions, {})).data[0]?.id,
    recurring_id: (
      await own(createRecurringMaintenance, {
        server_id,
        title: "t",
        schedule_cron: "0 3 * * *",
        time_zone: "UTC",
        duration_minutes: 30,
      })
    ).id,
    link_id: (await own(createProfileLink, { server_id, profile_id, days: 7 })).link.id,
    status_page_id: (
      await own(createStatusPage, { title: "t", shows_players: true, servers: [{ server_id, name: "n" }] })
    ).id,
    event_rule_id: (await own(createEventRule, { server_id, name: "r" })).id,
  };
  for (const [name, id] of Object.entries(made)) ids.set(name, id ?? "");
  // A public report may be read by everybody; this one is private.
  ids.set("report_id", String(inputs["reports.get"]?.["report_id"]));
  return ids.set("server_id", server_id);
}

/** Actions whose foreign ids are tried elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  "passkeys.delete": "test/dashboard/settings/passkeys.test.ts has a browser that makes passkeys",
};

it("[OUR-SES-29] no action does anything with what belongs to another account", async () => {
  const owner = await test.account("enterprise");
  const ids = await ownedBy(owner);
  const stranger = await browserOf(await test.account("enterprise"));
  const reached = new Set<string>();
  const taking = actions.filter(
    ({ id, who, idFields }) => who === "person" && idFields.length > 0 && !(id in elsewhere),
  );
  for (const [index, called] of taking.entries()) {
    const dice = new Dice(index + 1);
    const own = called.idFields.map(({ name }) => {
      const id = called.id.startsWith("event_rules.") && name === "rule_id" ? "event_rule_id" : name;
      return [name, ids.get(id)] as const;
    });
    expect([called.id, own.filter(([, id]) => id === undefined)]).toEqual([called.id, []]);
    for (let draw = 0; draw < 1000 && !reached.has(called.id); draw += 1) {
      const code = await outcome(called, stranger, { ...inputOf(called, dice), ...Object.fromEntries(own) });
      expect([called.id, code]).not.toEqual([called.id, "done"]);
      if (code === "not_found" || code === "not_owner") reached.add(called.id);
    }
  }
  expect(taking.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([]);
});
