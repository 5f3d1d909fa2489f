import { Agent, request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { isLong } from "../support/long.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";
import { newTarget } from "../endpoints/auto-bench/auto-benching.ts";
import { Dice } from "./fuzz-dice.ts";
import { Known, requestFor, type FuzzRequest, type Route } from "./fuzz-requests.ts";
import { Judge, type FuzzAnswer } from "./fuzz-verdict.ts";

/** The same requests in every run, unless a seed is named or the run is a long one. */
const seed = Number(process.env["TICKMARK_TEST_FUZZ_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_128));
const count = Number(process.env["TICKMARK_TEST_FUZZ_COUNT"] ?? (isLong ? 100_000 : 2500));

/**
 * Requests under way at once; one in `socketShare` goes over a socket, and so does each HEAD, whose body is left out by
 * the server under the router. The rest goes straight to the router.
 */
const atOnce = 64;
const socketShare = 20;
/** The clock moves on with every batch, so that no throttle ends the test by answering everything itself, ms. */
const batchMs = 64_000;

const routes: readonly Route[] = [
  ...apiEndpoints.map((endpoint) => ({ prefix: "/api/v1", endpoint })),
  ...pluginEndpoints.map((endpoint) => ({ prefix: "/plugin/v1", endpoint })),
];

let service: TestService;
const known = new Known();
let now = Date.parse("2026-11-20T08:00:00Z");
const crashes: unknown[] = [];
const crashed = (error: unknown): void => void crashes.push(error);

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => now, trustProxy: "127.0.0.1" });
  for (const [plan, role] of [
    ["enterprise", "user"],
    ["pro", "admin"],
    ["free", "user"],
  ] as const) {
    const account = await service.account(plan, role);
    const years = { expiresAt: now + 10 * 365 * 86_400_000 };
    known.tokens.push(
      await service.token(account, scopes, years),
      await service.token(account, scopes, years),
    );
    for (let index = 0; index < 2; index += 1) {
      const server = await service.server(account);
      known.credentials.push(server.credential);
      known.learn({ server_id: server.id }, "");
      known.learn({ report_id: (await service.report(server)).id }, "");
      await lag(account, server);
      if (plan === "free") continue;
      const target = await newTarget(service, account, server.id);
      known.learn({ target_id: target.id }, "");
    }
  }
  const suspended = await service.account("pro", "suspended");
  known.refused.push(
    await service.token(suspended),
    await service.token(suspended, ["servers:read"], { expiresAt: now + 1 }),
  );
  process.on("uncaughtExceptionMonitor", crashed).on("unhandledRejection", crashed);
});
afterAll(async () => {
  process.off("uncaughtExceptionMonitor", crashed).off("unhandledRejection", crashed);
  await service.close();
});

/** A rule and an alert of it, where the account's plan has any. */
async function lag(account: Account, { id, credential }: LinkedServer): Promise<void> {
  const token = await service.token(account);
  const low = { name: "Low TPS", metric: "tps", condition: "below", threshold: 20, duration_minutes: 0 };
  const rule = await service.request("POST", `/api/v1/servers/${id}/alert-rules`, { token, body: low });
  if (rule.status === 201) known.learn(rule.json, "alert_rules");
  const sent_at = new Date(now).toISOString();
  const body = { sent_at, plugin_version: "1.10.2", sample: { sampled_at: sent_at, tps: 5 } };
  await service.request("POST", "/plugin/v1/heartbeat", { token: credential, body });
  const alerts = await service.request("GET", "/api/v1/alert-events", { token });
  known.learn(alerts.json, "alerts");
}

async function inject({ method, url, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const response = await service.service.http.inject({
    method: method as "GET",
    url,
    headers,
    ...(body !== null && { payload: body }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.payload };
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Null when node's own client refuses to write such a request. */
function overSocket({ method, url, headers, body }: FuzzRequest): Promise<FuzzAnswer | null> {
  return new Promise((resolve, reject) => {
    try {
      const lengths = body === null ? {} : { "content-length": String(body.length) };
      const outgoing = httpRequest(
        {
          agent,
          host: "127.0.0.1",
          port: service.port,
          method,
          path: url,
          headers: { ...headers, ...lengths },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body ?? undefined);
    } catch {
      resolve(null);
    }
  });
}

interface Tally {
  statuses: Record<string, number>;
  succeeded: Map<string, number>;
  problems: Map<string, string>;
  sockets: number;
  unsendable: number;
}

async function fire(request: FuzzRequest, share: boolean, judge: Judge, tally: Tally): Promise<void> {
  const socket = share || request.method === "HEAD";
  const answer = await (socket ? overSocket(request) : inject(request)).catch((error: unknown) =>
    isUnsendable(error) ? null : String(error),
  );
  if (answer === null) {
    tally.unsendable += 1;
    return;
  }
  const problem = typeof answer === "string" ? answer : judge.problem(request, answer);
  if (problem !== null && tally.problems.size < 50)
    tally.problems.set(
      problem,
      `${request.method} ${request.url.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 300)} ${request.body?.toString().slice(0, 500) ?? ""} => ${typeof answer === "string" ? answer : answer.text.slice(0, 300)}`,
    );
  if (typeof answer === "string") return;
  if (socket) tally.sockets += 1;
  tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
  if (answer.status >= 300 || request.method === "HEAD") return;
  const id = judge.routeOf(request)?.route.endpoint.id ?? "";
  tally.succeeded.set(id, (tally.succeeded.get(id) ?? 0) + 1);
  // Some paths that chance makes are pages.
  if (answer.text.startsWith("{") && answer.text.length < 20_000)
    known.learn(JSON.parse(answer.text), id.split(".", 1)[0] ?? "");
}

/** The router's test door takes only what parses as a URL. */
const isUnsendable = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && error.code === "ERR_INVALID_URL";

it("[OUR-HTTP-13] generated requests never end the process, never answer 5xx, and every answer is one we declared", async () => {
  const dice = new Dice(seed);
  const judge = new Judge(routes);
  const tally: Tally = { statuses: {}, succeeded: new Map(), problems: new Map(), sockets: 0, unsendable: 0 };
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const fireBatch = async (size: number, from: () => readonly Route[]): Promise<void> => {
    now += batchMs;
    const batch = Array.from({ length: size }, () =>
      fire(requestFor(dice.pick(from()), known, dice), dice.below(socketShare) === 0, judge, tally),
    );
    await Promise.all(batch);
  };
  for (let sent = 0; sent < count; sent += atOnce)
    await fireBatch(Math.min(atOnce, count - sent), () => routes);
  // Some succeed a few times in all: what chance left out gets half of as many requests again.
  const missed = (): Route[] => routes.filter(({ endpoint }) => !tally.succeeded.has(endpoint.id));
  const mostMore = count >= 20_000 ? count : 0;
  let more = 0;
  for (let left = missed(); more < mostMore && left.length > 0; left = missed()) {
    more += atOnce;
    await fireBatch(atOnce, () => (dice.chance(50) ? left : routes));
  }
  agent.destroy();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = ((user + system) / 1e6).toFixed(1);
  console.log(
    `fuzz: seed ${seed} (TICKMARK_TEST_FUZZ_SEED), ${count} requests (TICKMARK_TEST_FUZZ_COUNT) and ${more} more, ${tally.sockets} over sockets, ${tally.unsendable} no client sends, ${seconds} s, of them ${cpuSeconds} of a core`,
  );
  console.log(
    "fuzz: answers by status",
    tally.statuses,
    "successes by endpoint",
    Object.fromEntries(tally.succeeded),
  );
  for (const [problem, example] of tally.problems) console.log(`fuzz: ${problem}: ${example}`);
  expect([...tally.problems.keys()]).toEqual([]);
  expect(crashes).toEqual([]);
  expect(service.defects).toEqual([]);
  // A route the generator never satisfies would not be tested beyond its refusals.
  if (count >= 20_000) expect(missed().map(({ endpoint }) => endpoint.id)).toEqual([]);
});
