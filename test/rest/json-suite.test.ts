import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiLimits } from "../../src/contract/limits/body-limits.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { sharedData } from "../support/shared-data.ts";

const folder = sharedData("json");

let service: TestService;
let token: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const owner = await service.account();
  token = await service.token(owner);
  path = `/api/v1/servers/${(await service.server(owner)).id}`;
});
afterAll(() => service.close());

const filesOf = (start: string): string[] =>
  readdirSync(folder ?? "")
    .filter((name) => name.startsWith(start))
    .sort();

/** Every file as the raw body of a write: the answers' status and code. */
async function answersTo(start: string): Promise<{ name: string; status: number; error: unknown }[]> {
  const answers = [];
  for (const name of filesOf(start)) {
    const { status, json } = await service.request("PATCH", path, {
      token,
      body: readFileSync(join(folder ?? "", name)),
    });
    answers.push({ name, status, error: json["error"] });
  }
  return answers;
}

describe.skipIf(folder === null)("JSONTestSuite as raw bodies of a write", () => {
  it("[ERR-04] what is no JSON is 400: 188 of 188", async () => {
    const answers = await answersTo("test_parsing__n_");
    const other = answers.filter(({ status, error }) => status !== 400 || error !== "invalid_json");
    console.log(`n_: ${answers.length} files, ${other.length} answered other than 400 invalid_json`);
    expect(answers).toHaveLength(188);
    expect(other).toEqual([]);
  });

  it("[ERR-05] [ERR-06] what is JSON is never invalid_json, also where the route takes no such field", async () => {
    const answers = await answersTo("test_parsing__y_");
    const wrong = answers.filter(({ status, error }) => error === "invalid_json" || status !== 400);
    console.log(`y_: ${answers.length} files, ${wrong.length} answered invalid_json`);
    expect(answers).toHaveLength(95);
    expect(wrong).toEqual([]);
  });

  it("[OUR-HTTP-12] what parsers may take or refuse is answered too, never with 5xx", async () => {
    const answers = [...(await answersTo("test_parsing__i_")), ...(await answersTo("test_transform__"))];
    const codes = new Set(answers.map(({ error }) => error));
    console.log(
      `i_ and transform_: ${answers.length} files, 5xx: ${answers.filter(({ status }) => status >= 500).length}, codes: ${[...codes].join(", ")}`,
    );
    expect(answers.length).toBeGreaterThan(50);
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
  });
});

describe("bodies built to hurt", () => {
  it("[OUR-HTTP-12] depth 5,000 and 100,000 are refused, and reads afterwards are 200", async () => {
    const statuses = [];
    const expected = [];
    for (const depth of [5000, 100_000]) {
      for (const body of [
        "[".repeat(depth),
        "[".repeat(depth) + "]".repeat(depth),
        `${'{"name":'.repeat(depth)}1${"}".repeat(depth)}`,
      ]) {
        // Some of these are longer than any call.
        expected.push(body.length > apiLimits.bytes ? 413 : 400, 200);
        statuses.push((await service.request("PATCH", path, { token, body })).status);
        statuses.push((await service.request("GET", "/api/v1/servers", { token })).status);
      }
    }
    expect(statuses).toEqual(expected);
    expect(service.defects).toEqual([]);
  });
});
