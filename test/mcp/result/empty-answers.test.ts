import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answered } from "../../../src/contract/call/backend.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { Endpoint } from "../../../src/contract/endpoint/endpoint.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import { dayMs } from "../../../src/core/time.ts";
import { nothingSaid, toolResult } from "../../../src/mcp/result/result.ts";
import { resources } from "../../../resources/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { wording } from "../../../tools/wording.ts";
import { testConnector, toolNamed, type TestConnector } from "../../support/connector.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";

const { notes } = wording;

let at: TestApp;
let connector: TestConnector;
let secret: string;
let server: ServerRecord;

beforeAll(async () => {
  at = testApp({ plans: roomy });
  connector = testConnector(at);
  const owner = await at.account();
  secret = (await at.token(owner)).secret;
  server = await at.server(owner, { name: "Lobby" });
});
afterAll(async () => {
  expect(at.defects).toEqual([]);
  await at.close();
});

const answered = (value: unknown): Answered => {
  const window = { limit: 50, remaining: 40, resetAt: at.clock.now + 1000 };
  return { ok: true, status: 200, value, windows: { day: window, hour: window }, counted: true };
};

it("[OUR-MCP-10] says why a list is empty: a filter, its end, or nothing there yet", async () => {
  const stranger = (await at.token(await at.account())).secret;
  const said = async (args: Json): Promise<unknown> =>
    (await connector.tool(stranger, "list_servers", args)).text["connector_notes"];
  expect(await said({})).toEqual([toolNamed("list_servers").view.whenEmpty]);
  expect(await said({ limit: 5 })).toEqual([toolNamed("list_servers").view.whenEmpty]);
  expect(await said({ verified: true })).toEqual([notes.filteredEmpty([], [])]);
  const empty = { data: [], page: { cursor: null, has_more: false } };
  const atEnd = toolResult(toolNamed("list_servers").view, { cursor: "x" }, answered(empty), wording);
  expect(JSON.parse(atEnd.content[0].text)).toMatchObject({ connector_notes: [notes.cursorAtEnd] });
});

it("[OUR-MCP-10] [OUR-MCP-56] says of a list without a filter nothing of a period or a match that nobody asked for", async () => {
  const said = async (name: string, args: Json): Promise<unknown> =>
    (await connector.tool(secret, name, args)).text["connector_notes"];
  const ofServer = { server_id: server.id };
  for (const [name, args] of [
    ["list_profile_summaries", ofServer],
    ["list_memory_reports", ofServer],
    ["list_server_events", ofServer],
    ["list_account_profiles", {}],
    ["list_account_memory_reports", {}],
  ] as const) {
    expect(await said(name, args)).toEqual([toolNamed(name).view.whenEmpty]);
    expect(toolNamed(name).view.whenEmpty).not.toMatch(/that period|match/);
  }
  expect(await said("list_profile_summaries", { ...ofServer, days: 7 })).toEqual([
    notes.nothingThen(["days"]),
  ]);
  const { examples = {} } = toolNamed("list_account_profiles").view;
  expect(await said("list_account_profiles", { owner: "shop" })).toEqual([
    notes.filteredEmpty(["owner"], [examples["owner"] ?? ""]),
  ]);
});

const sentTimes = (names: readonly string[], ageDays: number): Json =>
  Object.fromEntries(
    names.map((name) => [
      name,
      name === "days" ? ageDays : new Date(at.clock.now - ageDays * dayMs).toISOString(),
    ]),
  );

it("[OUR-MCP-90] every list says which of three it is: a filter, a time that is not kept, or nothing then", () => {
  const lists = tools.filter(({ view }) => view.isList);
  expect(lists.length).toBeGreaterThan(15);
  const empty = { data: [], page: { cursor: null, has_more: false } };
  for (const { name, view } of lists) {
    const said = (args: Json): unknown => {
      const beside = { ...nothingSaid, now: at.clock.now };
      const [{ text }] = toolResult(view, args, answered(empty), wording, beside).content;
      return [name, ...((JSON.parse(text) as { connector_notes?: string[] }).connector_notes ?? [])];
    };
    expect(said({})).toEqual([name, view.whenEmpty]);
    const filter = view.filters.find((each) => !view.times.includes(each));
    const begins = view.times.filter((time) => ["since", "from", "days"].includes(time)).slice(0, 1);
    if (filter !== undefined)
      expect(String(said({ [filter]: "x" }))).toContain("Nothing matches the filters");
    if (begins.length === 0) continue;
    const nothing = view.keptByPlan ? notes.nothingLeft(begins) : notes.nothingThen(begins);
    expect(said(sentTimes(begins, 7))).toEqual([name, nothing]);
    if (filter !== undefined)
      expect(String(said({ ...sentTimes(begins, 7), [filter]: "x" }))).toContain(
        "Nothing matches the filters",
      );
    const { keptDays } = view;
    const isRefused = (view.endpoint as Endpoint).errors.includes("retention_exceeded");
    // A time that is not kept is refused, or answered by its own sentence: never by that of an empty time.
    expect([name, isRefused || keptDays !== undefined || view.keptByPlan === true]).toEqual([name, true]);
    if (keptDays === undefined) continue;
    expect(String(said(sentTimes(begins, keptDays + 1)))).toContain(`are kept for ${keptDays} days`);
    if (view.times.includes("until"))
      expect(String(said(sentTimes(["until"], keptDays + 1)))).toContain(`are kept for ${keptDays} days`);
  }
});

it("[OUR-MCP-90] the days for which entries are kept are those of the service", () => {
  const kept = (name: string): unknown => toolNamed(name).view.keptDays;
  expect(kept("list_alerts")).toBe(keptMs.resolvedAlert / dayMs);
  for (const name of ["list_account_profiles", "list_profile_summaries"])
    expect(kept(name)).toBe(keptMs.profileSummary / dayMs);
});

it("[OUR-MCP-56] tells nobody to do what was just done: a list that was widened, calls left in the answer that tells them", async () => {
  const widest = { include_unmonitored: true };
  const { whenEmpty, whenWidened = {} } = toolNamed("get_monitoring_overview").view;
  for (const plan of ["pro", "free"] as const) {
    const stranger = (await at.token(await at.account(plan))).secret;
    const said = async (args: Json): Promise<unknown> =>
      (await connector.tool(stranger, "get_monitoring_overview", args)).text["connector_notes"];
    expect(await said(widest)).toEqual([whenWidened["include_unmonitored"]]);
    expect(await said({})).toEqual([plan === "pro" ? whenEmpty : notes.planLacks("monitoring")]);
  }
  const spent = { limit: 50, remaining: 10, resetAt: at.clock.now + 1000 };
  const low = (name: string): unknown => {
    const answer = { ...answered({}), windows: { day: spent, hour: spent } };
    const beside = { ...nothingSaid, now: at.clock.now };
    const [{ text }] = toolResult(toolNamed(name).view, {}, answer, wording, beside).content;
    return (JSON.parse(text) as Json)["connector_notes"];
  };
  expect(low("get_token_info")).toEqual(["10 of 50 calls left until 2026-11-20T08:00:01.000Z (in 1 s)."]);
  expect(low("get_maintenance")).toEqual(low("get_token_info"));
});

it("[OUR-MCP-56] no tool's words on an empty list or a missing id send its reader to that tool", () => {
  for (const { view, definition } of tools)
    for (const words of [
      view.whenEmpty ?? "",
      ...Object.values({ ...view.whenWidened, ...view.whenMissing, ...view.whenNone, ...view.examples }),
    ])
      expect(words).not.toContain(definition.name);
  for (const { view } of resources) expect(view.whenEmpty ?? "").not.toMatch(/; include_/);
});

it("[OUR-MCP-10] says of a filter of text that it is compared letter for letter, and what it is known to find", async () => {
  const crashed = { server_id: server.id, type: "crash", category: "lifecycle" };
  const { text } = await connector.tool(secret, "list_server_events", crashed);
  const [note] = text["connector_notes"] as string[];
  expect(note).toContain("type must match the whole value, letter for letter.");
  expect(note).toContain("server_crash");
  const { text: told } = await connector.tool(secret, "list_alerts", {
    rule_name: "low tps",
    since: "2026-11-19T00:00:00Z",
  });
  expect(told["connector_notes"]).toEqual([notes.filteredEmpty(["rule_name"], [])]);
});

it("[OUR-MCP-10] tells the plan alone where it leaves a list empty", async () => {
  const { secret: free } = await at.token(await at.account("free"));
  for (const [name, args] of [
    ["list_alerts", { status: "open" }],
    ["get_monitoring_overview", {}],
  ] as const)
    expect((await connector.tool(free, name, args)).text["connector_notes"]).toEqual([
      notes.planLacks("monitoring"),
    ]);
});

it("[OUR-MCP-10] names the fields of a series that have no value, and says of findings what none means", async () => {
  const asked = { server_id: server.id, fields: ["tps", "region_count"] };
  const { text } = await connector.tool(secret, "get_server_metrics", asked);
  expect(text["connector_notes"]).toEqual([notes.nothingMeasured]);
  const view = toolNamed("get_server_metrics").view;
  const summary = { tps: { count: 3 }, region_count: { count: 0 } };
  const partly = toolResult(view, asked, answered({ summary }), wording);
  expect(JSON.parse(partly.content[0].text)).toMatchObject({
    connector_notes: [notes.neverMeasured(["region_count"])],
  });
  const none = toolResult(toolNamed("diagnose_report").view, {}, answered({ findings: [] }), wording);
  expect((JSON.parse(none.content[0].text) as { connector_notes: string[] }).connector_notes).toEqual(
    Object.values(toolNamed("diagnose_report").view.whenNone ?? {}),
  );
});
