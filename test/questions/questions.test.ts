import { existsSync, readFileSync } from "node:fs";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountSpecs } from "../../src/demo/fleet.ts";
import type { AccountName } from "../../src/demo/server-spec.ts";
import { aboutAccount } from "./about-account.ts";
import { aboutAlerts } from "./about-alerts.ts";
import { aboutBenchmarks } from "./about-benchmarks.ts";
import { aboutChanges } from "./about-changes.ts";
import { aboutHealth } from "./about-health.ts";
import { aboutLoad } from "./about-load.ts";
import { aboutPrompts } from "./about-prompts.ts";
import { aboutWhatIsWrong } from "./about-what-is-wrong.ts";
import { askedDemo, type AskedDemo } from "./asked-demo.ts";
import type { Question } from "./question.ts";
import { replay, tokensOf, type Agent, type Replayed } from "./replay.ts";
import { valueAt } from "./pointer.ts";
import { shown } from "../../src/mcp/result/result.ts";
import diagnoseFleet from "../../tools/diagnose-fleet.ts";
import { wording } from "../../tools/wording.ts";

/**
 * What an owner's question may cost: calls, and tokens of what the model reads for it. The promise is 3,000 tokens;
 * 200 of them are kept for names that are longer than those of the demo.
 */
const mostCalls = 2;
const mostTokens = 2800;

const questions: readonly Question[] = [
  ...aboutHealth,
  ...aboutWhatIsWrong,
  ...aboutChanges,
  ...aboutPrompts,
  ...aboutLoad,
  ...aboutAlerts,
  ...aboutBenchmarks,
  ...aboutAccount,
];

let demo: AskedDemo;
const agents = new Map<string, Agent & { close(): Promise<void> }>();
const replayed = new Map<string, Replayed>();

beforeAll(async () => {
  demo = await askedDemo();
  for (const { name } of accountSpecs) {
    agents.set(`2026-07-28 ${name}`, await modern(name));
    agents.set(`2025-11-25 ${name}`, await older(name));
  }
});

afterAll(async () => {
  for (const agent of agents.values()) await agent.close();
  await demo.close();
});

const info = { name: "an assistant", version: "1.0.0" };
const url = (): URL => new URL(`${demo.baseUrl}/mcp`);
const authorized = (name: AccountName) => ({
  requestInit: { headers: { authorization: `Bearer ${demo.token(name)}` } },
});

async function modern(name: AccountName) {
  const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new ModernTransport(url(), authorized(name)));
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  return client as unknown as Agent & { close(): Promise<void> };
}

async function older(name: AccountName) {
  const client = new OlderClient(info);
  await client.connect(new OlderTransport(url(), authorized(name)) as never);
  return client as unknown as Agent & { close(): Promise<void> };
}

/** The protocol's revisions take turns, so that neither is asked the easy half. */
const cases = questions.map(
  (question, at) => [question.asks, at % 2 === 0 ? "2026-07-28" : "2025-11-25", question] as const,
);

it.each(cases)("[OUR-MCP-31] answers: %s (%s)", async (asks, revision, question) => {
  const agent = agents.get(`${revision} ${question.account}`);
  if (!agent) throw new Error(`Nobody asks for ${question.account}.`);
  const cost = await replay(demo, agent, question);
  replayed.set(asks, cost);
  expect(cost.calls).toBeLessThanOrEqual(mostCalls);
  expect(cost.tokens, cost.path).toBeLessThanOrEqual(mostTokens);
});

it("[OUR-MCP-85] says what is wrong with the worst server in one call of 1,100 tokens", () => {
  const { calls, tokens } = replayed.get("What is wrong with my server?") ?? {};
  expect(calls).toBe(1);
  expect(tokens).toBeLessThanOrEqual(1100);
});

it("[OUR-MCP-85] shows the health of ten servers, the worst of the demo, in 1,500 tokens", async () => {
  const rows: unknown[] = [];
  for (const account of ["pro", "hosting", "enterprise"] as const) {
    const fleet = await demo.rest(account, "/monitoring/health?limit=25");
    rows.push(...(fleet["data"] as unknown[]));
  }
  const reasonsOf = (row: unknown): number => (valueAt(row, "/reasons") as unknown[]).length;
  const worst = rows.toSorted((one, other) => reasonsOf(other) - reasonsOf(one)).slice(0, 10);
  const fleet = await demo.rest("enterprise", "/monitoring/health");
  const text = shown(
    diagnoseFleet.view,
    {},
    { ok: true, status: 200, value: { ...fleet, data: worst }, windows: null, counted: true },
    wording,
  );
  expect(worst).toHaveLength(10);
  const tokens = tokensOf(text);
  console.log(`diagnose_fleet with ten servers: ${tokens} tokens`);
  expect(tokens).toBeLessThanOrEqual(1500);
});

interface Figure {
  readonly key: string;
  readonly unit?: string;
  readonly threshold?: number | null;
  readonly measured_at?: string;
}

interface Findings {
  readonly measured_at?: string;
  readonly findings?: readonly {
    readonly code: string;
    readonly measured_at?: string;
    readonly evidence?: readonly Figure[];
    readonly coincides_with?: readonly { readonly kind: string; readonly minutes_before: number }[];
  }[];
}

/** What an answer has to be believed by: thresholds with their units and instants, and distances of changes. */
const believedBy = ({ measured_at, findings = [] }: Findings) =>
  findings.map(({ code, evidence = [], coincides_with = [], ...of }) => ({
    code,
    thresholds: evidence.flatMap(({ key, unit = "count", threshold = null, measured_at: own }) =>
      threshold === null ? [] : [{ key, unit, threshold, at: own ?? of.measured_at ?? measured_at ?? "" }],
    ),
    distances: coincides_with.map(({ kind, minutes_before }) => [kind, minutes_before]),
  }));

it("[OUR-MCP-130] shows every threshold of every finding of the demo, whatever is shortened", async () => {
  let thresholds = 0;
  for (const account of ["pro", "hosting", "enterprise"] as const) {
    const fleet = await demo.rest(account, "/monitoring/health?limit=25");
    for (const { server_id } of fleet["data"] as { server_id: string }[]) {
      const whole = await demo.rest(account, `/servers/${server_id}/health`);
      const expected = believedBy(whole as Findings);
      const result = await agents.get(`2026-07-28 ${account}`)?.callTool({
        name: "diagnose_server",
        arguments: { server_id, top: 1 },
      });
      const answer = result?.["structuredContent"] as Findings & { period: unknown };
      expect(answer.period).toEqual(whole["period"]);
      const seen = believedBy(answer);
      for (const [at, { code, thresholds: ofFinding, distances }] of expected.entries()) {
        thresholds += ofFinding.length;
        expect(seen[at]).toMatchObject({ code, distances: distances.slice(0, 5) });
        const far = ofFinding.map(({ at: instant, key, unit, threshold }, place) => ({
          key,
          unit,
          threshold,
          far: Math.abs(Date.parse(instant) - Date.parse(seen[at]?.thresholds[place]?.at ?? "")) > 60_000,
        }));
        expect(far).toEqual(
          seen[at]?.thresholds.map(({ key, unit, threshold }) => ({ key, unit, threshold, far: false })),
        );
      }
    }
  }
  expect(thresholds).toBeGreaterThan(20);
});

/** Names and figures inside answers differ by a few tokens from run to run: so far a recorded count is the same. */
const sameWithin = 0.03;

interface Recorded {
  readonly [asks: string]: { readonly calls: number; readonly counted: number; readonly tokens: number };
}

it("[OUR-MCP-31] costs what the reviewed table says", async () => {
  expect(replayed.size, "every question was answered").toBe(questions.length);
  const file = new URL("../surface/questions.json", import.meta.url);
  const before: Recorded = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recorded) : {};
  const table = Object.fromEntries(
    [...replayed].map(([asks, { tokens, ...rest }]) => {
      const recorded = before[asks]?.tokens ?? 0;
      const isSame = Math.abs(tokens - recorded) <= recorded * sameWithin;
      return [asks, { ...rest, tokens: isSame ? recorded : tokens }];
    }),
  );
  const costs = [...replayed.values()].map(({ tokens }) => tokens).toSorted((one, other) => one - other);
  const lines = [...replayed].map(
    ([asks, { calls, counted, tokens }]) => `${calls} ${counted} ${String(tokens).padStart(6)}  ${asks}`,
  );
  console.log(
    [
      "calls, those the day counts, o200k tokens of what is read (prompt and results)",
      ...lines,
      `${costs.length} questions, tokens: median ${costs[Math.floor(costs.length / 2)]}, most ${costs.at(-1)}`,
    ].join("\n"),
  );
  await expect(`${JSON.stringify(table, null, 2)}\n`).toMatchFileSnapshot("../surface/questions.json");
});
