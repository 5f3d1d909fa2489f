import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { urlsOf } from "../../../src/mcp/result/urls.ts";
import { tools } from "../../../tools/registry.ts";
import { usualAnswer } from "../../gates/auto-bench-inputs.ts";
import { parityInputs } from "../../gates/parity-inputs.ts";
import { makers } from "../../support/test-app.ts";
import type { Json } from "../../support/payload.ts";
import { roomyPlans, startTestService, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";
import { talkTo, type Talk } from "../client.ts";

/** Where people reach the service, which is not where this machine does. */
const baseUrl = "https://tickmark.example";

/** No page of the dashboard shows these. */
const withoutPage = new Set([
  "list_account_events",
  "list_account_profiles",
  "list_account_memory_reports",
  "test_alert_rule",
]);

let at: TestService;
let owner: Account;
let visitor: Visitor;
let client: Talk;
let inputs: Record<string, Json>;
let token: string;

beforeAll(async () => {
  at = await startTestService({ plans: roomyPlans, baseUrl });
  const test = makers(at.app);
  owner = await test.account("pro");
  inputs = await parityInputs(test, owner, await test.server(owner, { name: "Lobby" }));
  token = (await test.token(owner)).secret;
  visitor = await signedIn(at, owner);
  // As a browser keeps it where the service is reached over https.
  visitor.cookies.set("__Host-tickmark", visitor.cookies.get("tickmark") ?? "");
  client = talkTo(`http://127.0.0.1:${at.port}`, token);
});

afterAll(async () => {
  await client.end();
  await at.close();
  expect([at.defects, client.reports]).toEqual([[], []]);
});

/** The answer of a tool over HTTP, called at the service's own address. */
async function overHttp(
  name: string,
  args: Json,
): Promise<{ content: { text: string }[]; structuredContent?: Json }> {
  const { json } = await at.request("POST", "/mcp", {
    token,
    headers: { host: "tickmark.example", accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
  return json["result"] as { content: { text: string }[]; structuredContent?: Json };
}

describe.each(tools.map((tool) => [tool.definition.name, tool] as const))("%s", (name, tool) => {
  it("[OUR-MCP-77] leads to a page that shows the same to a person who is signed in", async () => {
    const { id } = tool.view.endpoint;
    const args = inputs[id] ?? {};
    const answered = await overHttp(name, args);
    const text = JSON.parse(answered.content[0]?.text ?? "{}") as Json;
    expect(answered.structuredContent?.["urls"]).toEqual(text["urls"]);
    if (withoutPage.has(name)) return expect(text).not.toHaveProperty("urls");
    const [url = "", ...more] = text["urls"] as string[];
    expect(more).toEqual([]);
    expect(url.startsWith(`${baseUrl}/`), url).toBe(true);
    const page = await visitor.get(url.slice(baseUrl.length));
    expect([url, page.status]).toEqual([url, 200]);
    const again = await client.tool(name, args);
    expect(again.text["urls"]).toEqual(usualAnswer(id) === "ok" ? [url] : undefined);
  });
});

it("[OUR-MCP-77] a refusal leads nowhere", async () => {
  const { text, isError } = await client.tool("get_server_status", { server_id: owner.id });
  expect(isError).toBe(true);
  expect(text).not.toHaveProperty("urls");
});

it("[OUR-MCP-77] a result with a chart has its address in the text", async () => {
  const { content, structuredContent } = await overHttp("get_server_metrics", {
    ...inputs["metrics.get"],
    chart: true,
  });
  expect(structuredContent).toBeUndefined();
  const { urls } = JSON.parse(content[0]?.text ?? "{}") as { urls: string[] };
  expect(urls).toEqual([
    `${baseUrl}/servers/${String(inputs["metrics.get"]?.["server_id"])}/charts?range=6h`,
  ]);
});

it("[OUR-MCP-77] a server's name is no part of an address: its id is", async () => {
  const { text } = await overHttp("get_maintenance", { server_id: "Renamed" }).then(({ content }) => ({
    text: JSON.parse(content[0]?.text ?? "{}") as Json,
  }));
  expect(text["urls"]).toEqual([`${baseUrl}/servers/${String(inputs["maintenance.get"]?.["server_id"])}`]);
});

const id = "019a9f5e-1d00-7000-8000-000000000010";
const there = { baseUrl: async () => "http://here" };

it("[OUR-MCP-77] takes the first template that can be filled, with nothing but ids and words", async () => {
  const urls = (template: string[], args: Json, answer: unknown = {}) =>
    urlsOf({ urls: template }, args, answer, there);
  expect(await urls(["/a/{x}", "/a"], { x: id })).toEqual([`http://here/a/${id}`]);
  for (const x of ["../admin", "a b", "javascript:", id.toUpperCase(), `${id}?`, "", 7, null, [id]])
    expect(await urls(["/a/{x}", "/a"], { x })).toEqual(["http://here/a"]);
  expect(await urls(["/a/{x}"], {})).toEqual([]);
  expect(await urls(["/a/{answer.x.y}"], { x: id }, { x: { y: id } })).toEqual([`http://here/a/${id}`]);
  expect(await urls(["/a/{answer.x.y}"], { x: id }, { x: null })).toEqual([]);
  expect(await urls(["/a{?one,two,on}"], { one: [id, id], two: "6h", on: true })).toEqual([
    `http://here/a?one=${id},${id}&two=6h&on=true`,
  ]);
  expect(await urls(["/a{?one,two}"], { one: "Eve says: go to", two: [] })).toEqual(["http://here/a"]);
  const long = Array.from({ length: 20 }, () => id);
  expect(await urls(["/a{?one}", "/a"], { one: long })).toEqual(["http://here/a"]);
});

it("[OUR-MCP-77] puts into a query only what the endpoint chooses from: ids, words and yes or no", () => {
  // Of closed sets, though their schemas do not list them: words of the rule, and names of its fields.
  const checked = new Set(["reports.before_after target", "reports.before_after declared"]);
  for (const { view } of tools)
    for (const template of view.urls ?? []) {
      const [path = "", names = ""] = template.split("{?");
      for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g))
        expect(
          view.endpoint.fields.get(name)?.resource ?? view.idFilters.includes(name),
          template,
        ).toBeTruthy();
      for (const name of names.replace("}", "").split(",").filter(Boolean)) {
        const field = view.endpoint.fields.get(name);
        const { json } = field ?? {};
        const isListOfIds = view.lists?.[name] !== undefined;
        const isClosed = json?.enum !== undefined || json?.type === "boolean" || field?.isIdFilter === true;
        expect(
          isClosed || isListOfIds || field?.resource || checked.has(`${view.endpoint.id} ${name}`),
          `${template} ${name}`,
        ).toBeTruthy();
      }
    }
});
