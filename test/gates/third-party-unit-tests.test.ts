import { expect, it } from "vitest";
import getUnitTestTool from "../../tools/get-unit-test.ts";
import listUnitTestsTool from "../../tools/list-unit-tests.ts";
import { attacksFor, corpus, fits, hasCorpus, hiddenIn } from "../support/corpus.ts";
import { someOf } from "../support/long.ts";
import type { Json } from "../support/payload.ts";
import { pageOf } from "../support/service.ts";
import { minuteMs } from "../support/clock.ts";
import { served } from "../support/scene.ts";
import { callTool, clean, fresh, judgeAnswer, judgeField, textsIn } from "./third-party.ts";

const shared = served();
const { clock } = shared;

const lowerCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What is told of a single test that says the text in every field that can hold it. */
function toldOf(text: string): Json {
  const or = (max: number): string => (fits(text, max) ? text : "-");
  const block = { [text]: { list: [text, [text]] } };
  const held = Buffer.byteLength(JSON.stringify(block)) <= 16 * 1024 ? block : null;
  const names = { test_name: or(120), display_name: or(120), category: or(64), sub_category: or(64) };
  return {
    test_id: or(64),
    ...names,
    reason_code: or(64),
    server: {
      type: lowerCase(or(64)),
      type_name: or(64),
      game_version: or(64),
      plugin_version: or(64),
    },
    percentiles: held,
    metrics: held,
    parameters: held,
    flags: held,
    stress_result: { unit: or(32) },
    stress_progression: [{ unit: or(32) }, { unit: or(32) }],
    hardware: { cpu_name: or(120) },
    os_name: or(120),
    java_version: or(120),
    description: or(4000),
  };
}

/** The upload that tells it. */
function uploadOf(text: string, index: number): Json {
  const { os_name, java_version, server, ...told } = toldOf(text);
  const { plugin_version, ...software } = server as Json;
  return {
    ...told,
    local_id: `unit-${index}`,
    plugin_version,
    server: { ...software, os_name, java_version },
    benchmark_mode: "tier",
    outcome: "success",
    success: true,
  };
}

/** The members of `whole` that `part` names, all the way down. */
function within(whole: unknown, part: unknown): unknown {
  if (Array.isArray(part) && Array.isArray(whole)) return part.map((one, index) => within(whole[index], one));
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null) return whole;
  const named = Object.keys(part).filter((key) => Object.hasOwn(whole, key));
  return Object.fromEntries(
    named.map((key) => [key, within(Reflect.get(whole, key), Reflect.get(part, key))]),
  );
}

const blocks: readonly string[] = ["percentiles", "metrics", "parameters", "flags"];

const freshTests = () => ({ tests: 0, ...fresh() });
type Tally = ReturnType<typeof freshTests>;

function judge(tally: Tally, told: Json, shown: Json): void {
  for (const [field, value] of Object.entries(told))
    // Names inside a block are the plugin's own; of the others the model is shown ours.
    judgeField(tally, value, blocks.includes(field) ? shown[field] : within(shown[field], value));
}

/** Every text in every field of a single test: through the plugin API, and back over both faces. */
async function throughUnitTests(texts: readonly string[]): Promise<Tally> {
  const tally = freshTests();
  clock.advance(minuteMs);
  const owner = await shared.service.account("pro");
  const server = await shared.service.server(owner);
  const token = await shared.service.token(owner);
  for (let start = 0; start < texts.length; start += 20) {
    const part = texts.slice(start, start + 20);
    const uploaded = await shared.service.request("POST", "/plugin/v1/unit-tests", {
      token: server.credential,
      body: part.map((text, index) => uploadOf(text, start + index)),
    });
    expect(uploaded.status, uploaded.text).toBe(201);
    clock.advance(minuteMs);
    for (const [index, id] of (uploaded.json["ids"] as string[]).entries()) {
      const told = toldOf(part[index] ?? "");
      const rest = await shared.service.request("GET", `/api/v1/unit-tests/${id}`, { token });
      if (JSON.stringify(within(rest.json, told)) !== JSON.stringify(told)) tally.restDiffers += 1;
      const answer = await callTool(shared.service, token, "get_unit_test", { unit_test_id: id });
      judgeAnswer(tally, answer);
      judge(tally, told, answer.structured);
      tally.tests += 1;
    }
  }
  await throughList(tally, token);
  return tally;
}

/** The same tests as a list shows them: what it tells of them hides nothing either. */
async function throughList(tally: Tally, token: string): Promise<void> {
  let cursor: string | null = null;
  let rows = 0;
  do {
    const args = { mine: true, limit: 25, ...(cursor !== null && { cursor }) };
    const query = `?mine=true&limit=25${cursor === null ? "" : `&cursor=${cursor}`}`;
    const rest = await shared.service.request("GET", `/api/v1/unit-tests${query}`, { token });
    const answer = await callTool(shared.service, token, "list_unit_tests", args);
    judgeAnswer(tally, answer);
    rows += (rest.json["data"] as Json[]).length;
    const shown = [...textsIn(answer.structured["data"])];
    if (shown.some((text) => hiddenIn(text).length > 0)) tally.hiddenLeft += 1;
    ({ cursor } = pageOf(rest));
  } while (cursor !== null);
  expect(rows).toBe(tally.tests);
}

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded attack texts in every field of a single test: REST byte for byte, nothing hidden from a model",
  async () => {
    const texts = attacksFor("unit-tests");
    const tally = await throughUnitTests(texts);
    console.log(`attack texts in single tests: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ tests: texts.length, ...clean });
  },
);

it.skipIf(!hasCorpus)(
  "[TXT-01] recorded harmless texts in every field of a single test come back unchanged over both faces",
  async () => {
    const texts = someOf(corpus("benign_controls"));
    const tally = await throughUnitTests(texts);
    console.log(`harmless texts in single tests: ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ tests: texts.length, ...clean, changed: 0 });
  },
);

it("what others wrote of a single test stands at the declared paths, and in its list too", () => {
  const listed = ["test_id", "test_name", "display_name", "category", "sub_category", "reason_code"];
  const software = ["type", "type_name", "game_version", "plugin_version"].map((name) => `server.${name}`);
  const common = [...listed, ...software, "provider"];
  const { paths } = getUnitTestTool.view.thirdParty;
  expect(listUnitTestsTool.view.thirdParty.paths).toEqual(common.map((path) => `data[].${path}`));
  expect(paths).toEqual([
    ...common,
    ...blocks,
    "stress_result.unit",
    "stress_progression[].unit",
    "hardware.cpu_name",
    "os_name",
    "java_version",
    "description",
  ]);
});
