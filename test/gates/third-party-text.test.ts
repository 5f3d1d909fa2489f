import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { restore } from "../../src/core/text/neutralise.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { getReport } from "../../src/endpoints/api/report/get-report.ts";
import { listServers } from "../../src/endpoints/api/server/list-servers.ts";
import { tools } from "../../tools/registry.ts";
import { attacksFor, corpus, fits, hasCorpus, hiddenIn, isUncollapsed } from "../support/corpus.ts";
import { roomy, testApp, type TestApp } from "../support/test-app.ts";
import { facesOf, type Faces, type ToolAnswer } from "../support/faces.ts";
import { referencePayload, type Json } from "../support/payload.ts";
import { clean, frames } from "./third-party.ts";

let test: TestApp;
let faces: Faces;

beforeAll(() => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

const toolOf = (endpoint: Endpoint) => {
  const found = tools.find(({ view }) => view.endpoint === endpoint);
  if (!found) throw new Error(`${endpoint.id} has no tool.`);
  return found;
};

async function plugin(path: string, body: Json, credential: string | null, remoteAddress = "127.0.0.1") {
  const headers = {
    "content-type": "application/json",
    ...(credential !== null && { authorization: `Bearer ${credential}` }),
  };
  const response = await faces.http.inject({
    method: "POST",
    url: `/plugin/v1${path}`,
    headers,
    payload: JSON.stringify(body),
    remoteAddress,
  });
  return { status: response.statusCode, body: response.json<Json>() };
}

/** Links a server the way a plugin and its owner do, and answers its credential. */
async function linked(
  owner: Account,
  secret: string,
  serial: number,
  name?: string,
): Promise<{ status: number; id: string; credential: string }> {
  const installation_id = `6f1c0c52-8a39-4c5e-9d5b-${serial.toString(16).padStart(12, "0")}`;
  const address = `10.${(serial >> 12) & 255}.${(serial >> 4) & 255}.1`;
  const code = await plugin(
    "/link-codes",
    { installation_id, server: name === undefined ? {} : { name } },
    null,
    address,
  );
  if (code.status !== 201) return { status: code.status, id: "", credential: "" };
  const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
  const link = await faces.http.inject({
    method: "POST",
    url: "/api/v1/servers/link",
    headers,
    payload: JSON.stringify({ code: code.body["code"] }),
  });
  const claim = await plugin("/link-codes/claim", { claim_secret: code.body["claim_secret"] }, null);
  expect(owner.id).not.toBe("");
  return {
    status: link.statusCode,
    id: link.json<{ id: string }>().id,
    credential: String(claim.body["auth_token"]),
  };
}

interface Tally {
  read: number;
  refused: number;
  restDiffers: number;
  hiddenLeft: number;
  textDiffers: number;
  changed: number;
  notRestored: number;
  rawFrames: number;
}

const fresh = (): Tally => ({
  read: 0,
  refused: 0,
  restDiffers: 0,
  hiddenLeft: 0,
  textDiffers: 0,
  changed: 0,
  notRestored: 0,
  rawFrames: 0,
});

function judge(
  tally: Tally,
  text: string,
  rest: string,
  { text: told, structured, raw }: ToolAnswer,
  shown: string,
): void {
  tally.read += 1;
  if (rest !== text) tally.restDiffers += 1;
  if (hiddenIn(shown).length > 0) tally.hiddenLeft += 1;
  if (JSON.stringify(told) !== JSON.stringify(structured)) tally.textDiffers += 1;
  if (shown !== text) tally.changed += 1;
  if (isUncollapsed(text) && !shown.includes("…[+") && restore(shown) !== text) tally.notRestored += 1;
  if (frames.test(raw) || raw.includes("\n")) tally.rawFrames += 1;
}

/** Every text as a report's description: uploaded by a plugin, read over both faces. */
async function throughDescriptions(texts: readonly string[], offset: number): Promise<Tally> {
  const tally = fresh();
  const owner = await test.account("pro");
  const { secret } = await test.token(owner);
  const { credential } = await linked(owner, secret, offset);
  for (const [index, description] of texts.entries()) {
    test.clock.advance(60);
    const upload = await plugin(
      "/reports",
      referencePayload({ local_id: `t-${index}`, description, benchmark_mode: "custom", tests: [] }),
      credential,
    );
    if (upload.status === 400) {
      expect(fits(description, 4000), description).toBe(false);
      tally.refused += 1;
      continue;
    }
    const input = { report_id: upload.body["id"] };
    const rest = await faces.rest(getReport, input, secret);
    const told = await faces.tool(toolOf(getReport), input, secret);
    judge(
      tally,
      description,
      String(rest.body["description"]),
      told,
      String(told.structured?.["description"]),
    );
  }
  return tally;
}

/** Every text as a server's name; a page of servers shows 25 of them at once. */
async function throughNames(texts: readonly string[], offset: number): Promise<Tally> {
  const tally = fresh();
  for (let start = 0; start < texts.length; start += 400) {
    const owner = await test.account("pro");
    const { secret } = await test.token(owner);
    const names = new Map<string, string>();
    for (const [index, name] of texts.slice(start, start + 400).entries()) {
      const link = await linked(owner, secret, offset + start + index, name);
      if (link.status === 201) names.set(link.id, name);
      else {
        expect(fits(name, 80), name).toBe(false);
        tally.refused += 1;
      }
    }
    let cursor: unknown = null;
    do {
      const input = { limit: 25, ...(cursor !== null && { cursor }) };
      const rest = await faces.rest(listServers, input, secret);
      const told = await faces.tool(toolOf(listServers), input, secret);
      const shown = told.structured?.["data"] as { id: string; name: string }[];
      for (const [row, { id, name }] of (rest.body["data"] as { id: string; name: string }[]).entries()) {
        judge(tally, names.get(id) ?? "", name, told, shown[row]?.name ?? "");
      }
      cursor = (rest.body["page"] as { cursor: string | null }).cursor;
    } while (cursor !== null);
  }
  return tally;
}

const report = (what: string, tally: Tally): void => console.log(`${what}: ${JSON.stringify(tally)}`);

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded attack texts go through REST byte for byte and through MCP with nothing hidden",
  async () => {
    const described = attacksFor("descriptions");
    const named = attacksFor("names");
    const descriptions = await throughDescriptions(described, 0);
    const names = await throughNames(named, 10_000);
    report("attack texts as descriptions", descriptions);
    report("attack texts as server names", names);
    expect(descriptions.read + descriptions.refused).toBe(described.length);
    expect(names.read + names.refused).toBe(named.length);
    for (const tally of [descriptions, names]) expect(tally).toMatchObject(clean);
  },
);

it.skipIf(!hasCorpus)("[TXT-01] recorded harmless texts go through both faces unchanged", async () => {
  const texts = corpus("benign_controls");
  const descriptions = await throughDescriptions(texts, 30_000);
  const names = await throughNames(texts, 40_000);
  report("harmless texts as descriptions", descriptions);
  report("harmless texts as server names", names);
  for (const tally of [descriptions, names])
    expect(tally).toMatchObject({
      restDiffers: 0,
      hiddenLeft: 0,
      textDiffers: 0,
      changed: 0,
      rawFrames: 0,
    });
});
