import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { fixtures } from "./fixtures.ts";
import { startFront, type Front } from "./front.ts";
import { notOurs, revisions, type Revision } from "./not-ours.ts";
import { runSuite, type Check } from "./suite.ts";

let front: Front;
let service: TestService;
let found: ReadonlyMap<Revision, ReadonlyMap<string, readonly Check[]>>;

beforeAll(async () => {
  front = await startFront();
  service = await startTestService({
    plans: roomyPlans,
    catalogue: fixtures,
    baseUrl: front.baseUrl,
    watchEveryMs: 50,
  });
  front.lead(service.port, await service.token(await service.account()));
  const url = `${front.baseUrl}/mcp`;
  const runs = revisions.map(async (revision) => {
    const { checks, printed } = await runSuite(["server", "--url", url, "--requirements", revision]);
    expect(checks.size, printed).toBeGreaterThan(0);
    return [revision, checks] as const;
  });
  found = new Map(await Promise.all(runs));
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
  front.close();
});

/** What a revision requires of a server, as the suite froze it. */
function required(revision: Revision): string[] {
  const path = `node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`;
  const [, listed = ""] = /^server:\n((?: {2}.*\n)+)/m.exec(readFileSync(path, "utf8")) ?? [];
  return [...listed.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}

const isBad = ({ status }: Check): boolean => status === "FAILURE" || status === "WARNING";

describe.each(revisions)("revision %s", (revision) => {
  const reasons = notOurs[revision];
  const of = (scenario: string): readonly Check[] => found.get(revision)?.get(scenario) ?? [];

  it("[OUR-MCP-41] passes every scenario the suite requires of a server without sampling and roots", () => {
    const scenarios = required(revision);
    expect(scenarios.length).toBe(revision === "2025-11-25" ? 30 : 37);
    const applying = scenarios.filter((scenario) => !(scenario in reasons));
    const failed = applying.flatMap((scenario) =>
      of(scenario)
        .filter((check) => isBad(check) && !(`${scenario}:${check.id}` in reasons))
        .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ""}`),
    );
    expect(applying.filter((scenario) => of(scenario).length === 0)).toEqual([]);
    expect(failed).toEqual([]);
    console.log(
      `conformance ${revision}: ${applying.length} of ${scenarios.length} scenarios apply, ${applying.length} pass; not applicable:\n${Object.entries(
        reasons,
      )
        .map(([name, reason]) => `  ${name}: ${reason}`)
        .join("\n")}`,
    );
  });

  it("[OUR-MCP-41] keeps no scenario on the list of those that do not apply which passes", () => {
    const passing = Object.keys(reasons).filter((name) => {
      const [scenario = "", id] = name.split(":");
      return !of(scenario).some((check) => isBad(check) && (id === undefined || check.id === id));
    });
    expect(passing).toEqual([]);
  });
});
