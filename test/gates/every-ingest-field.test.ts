import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import type { Endpoint, TypedEndpoint } from "../../src/contract/endpoint.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { webEndpoints } from "../../src/endpoints/web/registry.ts";
import type { Tool } from "../../src/mcp/tool.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { asPerson } from "../support/as-person.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { roomy, testDoor, type TestDoor } from "../support/door.ts";
import { facesOf, type Faces } from "../support/faces.ts";
import type { Json } from "../support/payload.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { everywhere } from "./everywhere.ts";
import { freshFindings, judgeShown, markOf, type Findings } from "./marked-text.ts";
import { parityInputs } from "./parity-inputs.ts";

/** Inputs of people whose text no tool tells, and why. */
const toldByNoTool: Readonly<Record<string, string>> = {
  "link_codes.claim": "a secret",
  "accounts.change_email": "a password",
  "accounts.change_password": "a password",
  "accounts.reset_password": "a code",
  "accounts.set_up": "a code, and the browser of a session",
  "accounts.sign_up": "a code, and the browser of a session",
  "accounts.verify_email": "a code",
  "leaving.delete_account": "a password",
  "notifications.confirm_email": "a code",
  "sessions.sign_in": "a password, and the browser of a session",
  "servers.set_address": "an address that pages and runners are told",
  "servers.relink": "a code; the name is the field of servers.update",
  "servers.choose_offer": "an identifier",
  "event_rules.update": "the fields of event_rules.create",
  "offers.update": "the fields of offers.create",
  "profiles.upload_file": "the document of profiles.upload",
  "memory_reports.upload_file": "the document of memory_reports.upload",
};

let test: TestDoor;
let faces: Faces;
let owner: Account;
let secret: string;
let credential: string;
let inputs: Record<string, Json>;
let serverId: string;

/** Every text begins with a mark of its own. */
let marks = 0;
const places = new Set<string>();
const texts = hasCorpus ? [...corpus("third_party_text"), ...corpus("benign_controls")] : reportedStrings;

/** Text that names something else, which has to be there (a secret, a run, a report sent before), or has a form. */
const references = new Set(["code", "claim_secret", "job_nonce", "parent_report_local_id", "schedule_cron"]);

/** An input full of texts, over one that works; what names something else stays as it is. */
function full(endpoint: Endpoint, example: Json): Json {
  const named = [...endpoint.fields.values()].filter(({ resource, place }) => resource || place === "path");
  const stays = new Set([...references, ...named.map(({ name }) => name)]);
  const made = everywhere(endpoint.input, structuredClone(example), (place) => {
    if (stays.has(place.split(".").at(-1) ?? "")) return null;
    marks += 1;
    return markOf(marks) + (texts[marks % texts.length] ?? "");
  });
  for (const place of made.places) places.add(`${endpoint.id} ${place}`);
  return made.value;
}

const exampleOf = ({ example }: Endpoint): Json => example.input as Json;

/** What a plugin sends, of a server that goes on lagging: the alert about it stays open. */
const lagging = (endpoint: Endpoint): Json =>
  JSON.parse(JSON.stringify(exampleOf(endpoint)).replaceAll(/"tps":[\d.]+/g, '"tps":5')) as Json;

async function plugin(endpoint: Endpoint, input: Json, bearer: string | null): Promise<Json> {
  const { wholeBody, path } = endpoint;
  const response = await faces.http.inject({
    method: "POST",
    url: `/plugin/v1${path}`,
    headers: {
      "content-type": "application/json",
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    },
    payload: JSON.stringify(wholeBody ? input[wholeBody.name] : input),
  });
  expect([endpoint.id, response.statusCode < 300, response.body.slice(0, 300)]).toEqual([
    endpoint.id,
    true,
    expect.any(String),
  ]);
  return response.json<Json>();
}

const byId = (id: string): Endpoint => {
  const found = [...pluginEndpoints, ...apiEndpoints, ...webEndpoints].find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`No endpoint is called ${id}.`);
  return found;
};

beforeAll(async () => {
  test = testDoor({ plans: roomy });
  faces = facesOf(test.door);
  owner = await test.account("enterprise");
  secret = (await test.token(owner)).secret;
  const request = byId("link_codes.request");
  const code = await plugin(request, full(request, exampleOf(request)), null);
  const link = byId("servers.link");
  const linked = await faces.rest(link, full(link, { code: code["code"], name: "x" }), secret);
  serverId = String(linked.body["id"]);
  const claim = byId("link_codes.claim");
  credential = String((await plugin(claim, { claim_secret: code["claim_secret"] }, null))["auth_token"]);
  const server = await test.door.stores.servers.find(serverId, {
    accountId: owner.id,
    seesAll: true,
  } as never);
  if (!server) throw new Error("The server was not linked.");
  inputs = await parityInputs(test, owner, server);
});
afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

/** Identifiers of what was sent last, laid over the inputs that work. */
function newest(id: string, sent: Sent): Json {
  const server_id = serverId;
  const { reports, unitTest, profiles, memoryReports } = sent;
  const [report_id, base] = [reports.at(-1), reports.at(-2) ?? reports.at(-1)];
  const told: Record<string, Json> = {
    "reports.list": { mine: true },
    "reports.get": { report_id },
    "reports.diagnosis": { report_id },
    "reports.tuning": { report_id },
    "reports.compare": { base, other: report_id },
    "unit_tests.list": { mine: true },
    "unit_tests.get": { unit_test_id: unitTest },
    "profiles.list": { server_id },
    "profiles.list_all": {},
    "profiles.get": { server_id, profile_id: profiles.at(-1)?.profile_id },
    "profiles.compare": {
      server_id,
      base: (profiles.at(-2) ?? profiles.at(-1))?.summary_id,
      target: profiles.at(-1)?.summary_id,
    },
    "memory_reports.list": { server_id },
    "memory_reports.list_all": {},
    "memory_reports.get": { server_id, report_id: memoryReports.at(-1) },
    "memory_reports.compare": {
      server_id,
      base: memoryReports.at(-2) ?? memoryReports.at(-1),
      target: memoryReports.at(-1),
    },
    "events.list": { server_id },
    "alerts.list": {},
    "offers.list": {},
    "auto_bench_targets.list": {},
    "auto_bench_jobs.list": {},
    "servers.list": {},
  };
  return told[id] ?? inputs[id] ?? {};
}

interface Sent {
  readonly reports: string[];
  unitTest: string;
  readonly profiles: Json[];
  readonly memoryReports: string[];
}

async function sendAll(sent: Sent): Promise<void> {
  for (const endpoint of pluginEndpoints.filter(
    ({ access }) => "credential" in access && access.credential === "server",
  )) {
    test.clock.advance(61_000);
    const answer = await plugin(endpoint, full(endpoint, lagging(endpoint)), credential);
    if (endpoint.id === "reports.upload") sent.reports.push(String(answer["id"]));
    if (endpoint.id === "unit_tests.upload") sent.unitTest = (answer["ids"] as string[])[0] ?? "";
    if (endpoint.id === "profiles.upload") sent.profiles.push(answer);
    if (endpoint.id === "memory_reports.upload") sent.memoryReports.push(String(answer["id"]));
  }
}

/** Texts that people write on pages and tools tell. */
async function writeAll(round: number): Promise<void> {
  const [person, admin] = [
    await asPerson(test, owner),
    await asPerson(test, await test.account("pro", "admin")),
  ];
  const call = async (ask: typeof person, id: string, example: Json): Promise<void> => {
    const endpoint = byId(id);
    // Sound: the endpoint itself reads the input. A rule names a preset or types of its own.
    const { preset: _either, ...input } = full(endpoint, example);
    await ask(endpoint as TypedEndpoint, input);
  };
  await call(person, "tokens.create", exampleOf(byId("tokens.create")));
  await call(person, "event_rules.create", { ...exampleOf(byId("event_rules.create")), server_id: serverId });
  await call(person, "auto_bench_targets.create", {
    ...exampleOf(byId("auto_bench_targets.create")),
    server_id: serverId,
  });
  await call(admin, "offers.create", { ...exampleOf(byId("offers.create")), id: `offer-${round}` });
}

async function readAll(findings: Findings, sent: Sent, told: Set<string>): Promise<void> {
  // An alert ends when its rule is changed.
  const isFirst = (tool: Tool): number => (tool.definition.name === "acknowledge_alert" ? 0 : 1);
  for (const tool of tools.toSorted((one, other) => isFirst(one) - isFirst(other))) {
    const { endpoint, thirdParty } = tool.view;
    const input = newest(endpoint.id, sent);
    const isWrite = endpoint.method !== "GET";
    const answer = await faces.tool(tool, isWrite ? full(endpoint, input) : input, secret);
    judgeShown(findings, tool.definition.name, answer, answer.isError ? [] : thirdParty.paths);
    if (!answer.isError) told.add(tool.definition.name);
  }
  for (const { definition, view, isTemplate } of resources) {
    const input = newest(view.endpoint.id, sent);
    const template = definition[isTemplate ? "uriTemplate" : "uri"] ?? "";
    const uri = template.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(input[field]));
    const { body } = await faces.rpc(
      { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } },
      secret,
    );
    const read = JSON.parse(body) as { result: { contents: { text: string }[] } };
    const text = JSON.parse(read.result.contents[0]?.text ?? "null") as Json;
    judgeShown(findings, template, { raw: body, text, structured: null }, view.thirdParty.paths);
    told.add(template);
  }
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    const { body } = await faces.rpc({ jsonrpc: "2.0", id: 1, method, params: {} }, secret);
    judgeShown(findings, method, { raw: body, text: JSON.parse(body) as Json, structured: null }, []);
  }
}

it("[TXT-01] [OUR-MCP-47] texts in every field that takes them, of plugins, tools and people, show nothing hidden, break out nowhere and stand at declared places alone", async () => {
  const findings = freshFindings();
  const sent: Sent = { reports: [], unitTest: "", profiles: [], memoryReports: [] };
  const told = new Set<string>();
  let rounds = 0;
  // Until every recorded text went through some field, and every field took one several times.
  while (marks < texts.length || rounds < 3) {
    test.clock.advance(3_600_000);
    await sendAll(sent);
    if (rounds < 3) await writeAll(rounds);
    await readAll(findings, sent, told);
    rounds += 1;
  }
  const { where, ...counts } = findings;
  console.log(
    `third-party text: ${texts.length} texts through ${places.size} fields in ${rounds} rounds (${marks} placed), ${JSON.stringify(counts)}`,
  );
  expect(where.slice(0, 10)).toEqual([]);
  const names = tools.map(({ definition }) => definition.name);
  expect(names.filter((name) => !told.has(name))).toEqual([]);
});

it("[OUR-MCP-47] leaves out no field of an endpoint that takes text", () => {
  const tried = new Set([...places].map((place) => place.split(" ")[0]));
  const takingText = [...pluginEndpoints, ...apiEndpoints, ...webEndpoints]
    .filter((endpoint) => endpoint.method !== "GET")
    .filter((endpoint) => {
      const ids = new Set(
        [...endpoint.fields.values()]
          .filter(({ resource, place }) => resource || place === "path")
          .map(({ name }) => name),
      );
      return everywhere(endpoint.input, structuredClone(exampleOf(endpoint)), () => markOf(0)).places.some(
        (place) => !ids.has(place),
      );
    })
    .map(({ id }) => id);
  expect(takingText.filter((id) => !tried.has(id) && !(id in toldByNoTool))).toEqual([]);
  expect(Object.keys(toldByNoTool).filter((id) => tried.has(id) || !takingText.includes(id))).toEqual([]);
});
