import { importOfferList } from "../../src/services/offer/import-offer-list.ts";
import { selectServer } from "../../src/store/server/servers.ts";
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { ListedOffer } from "../../src/core/offer/listed-offer.ts";
import { readOfferFile } from "../../src/core/offer/offer-file.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import type { Tool } from "../../src/mcp/catalogue/tool.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { actionOf, allActions } from "../support/actions.ts";
import { asPerson } from "../support/as-person.ts";
import { corpus, hasCorpus } from "../support/corpus.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { facesOf, type Faces } from "../support/faces.ts";
import { isLong } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { reportedStrings } from "../support/hostile-names.ts";
import { everywhere } from "./everywhere.ts";
import { freshFindings, judgeShown, type Findings } from "./marked-text.ts";
import {
  deletions,
  exampleOf,
  lagging,
  newest,
  offerLine,
  toldByNoTool,
  writtenOnPages,
  type Sent,
} from "./ingest-inputs.ts";
import { parityInputs } from "./parity-inputs.ts";
import { rota } from "./rota.ts";
import { callsTakingText } from "./taking-text.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let secret: string;
let credential: string;
let inputs: Record<string, Json>;
let serverId: string;

const texts = hasCorpus ? [...corpus("third_party_text"), ...corpus("benign_controls")] : reportedStrings;

/** A long run leads every text through every field; otherwise each goes through some, and each field takes dozens. */
const turns = rota(texts);

/** Between two rounds, ms: no window of calls or codes fills up, and what the test rests on does not expire. */
const roundMs = 600_000;

/** Text that names something else, which has to be there (a secret, a run, a report sent before), or has a form. */
const references = /^(?:code|claim_secret|schedule_cron|time_zone)$|\b(?:job_nonce|parent_report_local_id)$/;

/** An input full of texts, over one that works; what names something else stays as it is. */
function full(endpoint: Endpoint, example: Json): Full {
  const named = [...endpoint.fields.values()].filter(({ resource, place }) => resource || place === "path");
  return filled(endpoint.id, endpoint.input, example, new Set(named.map(({ name }) => name)));
}

/** `took` says that it was taken, with all the texts in it. */
interface Full {
  readonly value: Json;
  readonly took: () => void;
  /** Says that it was refused for the text of one field. */
  readonly refuse: (field: string) => void;
}

function filled(of: string, schema: z.ZodObject, example: Json, names: ReadonlySet<string>): Full {
  const made = everywhere(schema, structuredClone(example), (place) => {
    const isReference = names.has(place) || references.test(place);
    return isReference ? null : turns.next(`${of} ${place}`);
  });
  return {
    value: made.value,
    took: () => made.texts.forEach((text) => turns.took(text)),
    refuse: (field) => made.texts.forEach((text) => turns.refuse(text, `${of} ${field}`)),
  };
}

async function plugin(
  endpoint: Endpoint,
  { value: input, took }: Full,
  bearer: string | null,
): Promise<Json> {
  const { method, wholeBody, path } = endpoint;
  const response = await faces.http.inject({
    method,
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
  took();
  return response.json<Json>();
}

const byId = (id: string): Endpoint => {
  const found = [...pluginEndpoints, ...apiEndpoints].find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`No endpoint is called ${id}.`);
  return found;
};

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("enterprise");
  secret = (await test.token(owner, undefined, 400 * 86_400_000)).secret;
  const linked = await linkOne(true);
  serverId = linked.id;
  const claim = byId("link_codes.claim");
  const claiming = { value: { claim_secret: linked.claimSecret }, took: () => {}, refuse: () => {} };
  credential = String((await plugin(claim, claiming, null))["auth_token"]);
  const server = await test.app.db.read(selectServer, serverId, {
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

const actions = await allActions();

/** Links an installation of its own, by a name that is typed or by the one that it tells itself. */
async function linkOne(isNamed: boolean): Promise<{ id: string; claimSecret: unknown }> {
  const request = byId("link_codes.request");
  const installation = { ...exampleOf(request), installation_id: randomUUID() };
  const told = await plugin(request, full(request, installation), null);
  const link = byId("servers.link");
  const { value, took } = full(link, { code: told["code"], name: "x" });
  const { name, ...unnamed } = value;
  const linked = await faces.rest(link, isNamed ? { ...unnamed, name } : unnamed, secret);
  if (isNamed) took();
  return { id: String(linked.body["id"]), claimSecret: told["claim_secret"] };
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

/** Who writes on pages. */
interface Writers {
  readonly administrator: Account;
  /** How what the round before made is taken away, so that no limit of the plan is met. */
  readonly made: (readonly [id: string, input: Json])[];
}

/** Texts that people write on pages, operators in files, and tools tell. */
async function writeAll({ administrator, made }: Writers, round: number): Promise<void> {
  // Sessions of their own: the rounds take longer than one lasts.
  const [person, admin] = [await asPerson(test, owner), await asPerson(test, administrator)];
  for (const [id, input] of made.splice(0)) {
    const undo = actionOf(actions, id);
    await (undo.who === "admin" ? admin : person)(undo, input);
  }
  const call = async (ask: typeof person, id: string, example: Json): Promise<Json> => {
    const made = actionOf(actions, id);
    const ids = new Set(made.idFields.map(({ name }) => name));
    const { value, took } = filled(id, made.input, example, ids);
    // A rule names a preset or types of its own.
    const { preset: _either, ...input } = value;
    const answer = (await ask(made, input)) as Json;
    took();
    return answer;
  };
  const { token } = await call(person, "tokens.create", writtenOnPages["tokens.create"]);
  made.push(["tokens.revoke", { token_id: (token as Json)["id"] }]);
  const ofServer = [
    ["event_rules", "rule_id"],
    ["auto_bench_targets", "target_id"],
    ["recurring_maintenance", "recurring_id"],
  ] as const;
  for (const [concept, field] of ofServer) {
    const example = { ...writtenOnPages[`${concept}.create`], server_id: serverId };
    const { id } = await call(person, `${concept}.create`, example);
    made.push([`${concept}.delete`, { [field]: id }]);
  }
  const offer_id = `offer-${round}`;
  await call(admin, "offers.create", { ...writtenOnPages["offers.create"], id: offer_id });
  made.push(["offers.withdraw", { offer_id }]);
  const line = filled("offer file", ListedOffer, offerLine, new Set(["id"]));
  const file = readOfferFile(JSON.stringify(line.value));
  if (!file.ok) throw new Error(file.problems.join("; "));
  await test.app.db.write(importOfferList, file.offers, test.clock.now);
  line.took();
  made.push(["offers.withdraw", { offer_id: offerLine.id }]);
  const linked = await linkOne(round % 2 === 0);
  made.push(["servers.unlink", { server_id: linked.id }]);
}

async function readAll(findings: Findings, sent: Sent, told: Set<string>, { made }: Writers): Promise<void> {
  // An alert ends when its rule is changed.
  const isFirst = (tool: Tool): number => (tool.definition.name === "acknowledge_alert" ? 0 : 1);
  for (const tool of tools.toSorted((one, other) => isFirst(one) - isFirst(other))) {
    const { endpoint, thirdParty } = tool.view;
    const input = newest(endpoint.id, sent, serverId) ?? inputs[endpoint.id] ?? {};
    const isWrite = endpoint.method !== "GET";
    const written = isWrite ? full(endpoint, input) : null;
    const answer = await faces.tool(tool, written?.value ?? input, secret);
    judgeShown(findings, tool.definition.name, answer, answer.isError ? [] : thirdParty.paths);
    // The one rule on what a text says: a description has three links at most.
    if (answer.text["error"] === "too_many_links") written?.refuse("description");
    if (answer.isError) continue;
    written?.took();
    told.add(tool.definition.name);
    turns.shown(answer.raw);
    const deletion = deletions[tool.definition.name];
    if (deletion) made.push([deletion[0], { [deletion[1]]: answer.text["id"] }]);
  }
  for (const { definition, view, isTemplate } of resources) {
    const input = newest(view.endpoint.id, sent, serverId) ?? inputs[view.endpoint.id] ?? {};
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
    turns.shown(body);
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
  const writers: Writers = { administrator: await test.account("pro", "admin"), made: [] };
  const { counts } = turns;
  let rounds = 0;
  for (let stuck = 0, left = Infinity; stuck < 3 && left > 0;) {
    test.clock.advance(roundMs);
    await sendAll(sent);
    await writeAll(writers, rounds);
    await readAll(findings, sent, told, writers);
    rounds += 1;
    const now = turns.left();
    stuck = now < left ? 0 : stuck + 1;
    left = now;
    if (isLong && rounds % 200 === 0) console.log(`${rounds} rounds, ${left} still to come`);
    // What compares two uploads has one only after the first round.
    if (!isLong && rounds > 1 && counts.whole + counts.cut >= texts.length) break;
  }
  const { where, ...found } = findings;
  const placed = counts.whole + counts.cut + counts.refused;
  console.log(
    `third-party text: ${texts.length} texts, ${turns.places.size} fields, ${rounds} rounds, ${placed} placed (${counts.cut} of them cut to fit, ${counts.refused} refused but for their mark), ${counts.shown} shown, ${turns.left()} still to come; ${JSON.stringify(found)}; fields no tool tells: ${turns.untold().length}`,
  );
  expect(where.slice(0, 10)).toEqual([]);
  expect(tools.map(({ definition }) => definition.name).filter((name) => !told.has(name))).toEqual([]);
  if (isLong) expect(turns.left()).toBe(0);
}, 7_200_000);

it("[OUR-MCP-47] leaves out no field of an endpoint that takes text", () => {
  const tried = new Set([...turns.places].map((place) => place.split(" ")[0]));
  const takingText = callsTakingText([...pluginEndpoints, ...apiEndpoints], [...actions.values()]);
  expect(takingText.filter((id) => !tried.has(id) && !(id in toldByNoTool))).toEqual([]);
  expect(Object.keys(toldByNoTool).filter((id) => tried.has(id) || !takingText.includes(id))).toEqual([]);
});
