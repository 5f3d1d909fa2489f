import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exampleHealth } from "../../src/endpoints/api/health/example-health.ts";
import { handClock, minuteMs, secondMs } from "../support/clock.ts";
import { runBuilt, runCommand, type EndedCommand } from "../support/command-line.ts";
import type { Json } from "../support/payload.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";

const clock = handClock();

let service: TestService;
let token: string;
let lobby: LinkedServer;
let twins: LinkedServer[];

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("pro");
  token = await service.token(owner);
  lobby = await service.server(owner, { name: "Lobby North" });
  twins = [await service.server(owner, { name: "Twin" }), await service.server(owner, { name: "TWIN" })];
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** Runs the command as an owner does. */
const check = (args: readonly string[], env: Record<string, string> = {}): Promise<EndedCommand> =>
  runCommand(["check", ...args], { TICKMARK_URL: service.service.baseUrl, TICKMARK_TOKEN: token, ...env });

const beat = async (mspt: number, more: Json = {}): Promise<void> => {
  const sent_at = new Date(clock.now()).toISOString();
  const sample = { sampled_at: sent_at, mspt, tps: 20, player_count: 3 };
  const { status } = await service.request("POST", "/plugin/v1/heartbeat", {
    token: lobby.credential,
    body: { sent_at, plugin_version: "1.10.2", sample, ...more },
  });
  expect(status).toBe(200);
};

/** A quarter of an hour of samples, and one more. */
const run = async (mspt: number): Promise<void> => {
  for (let step = 0; step < 31; step += 1) {
    clock.advance(30 * secondMs);
    await beat(mspt);
  }
};

it("[OUR-CLI-08] ends with 0 for a healthy server, 1 degraded, 2 critical or down, 0 stopped, by name or id", async () => {
  await run(20);
  const healthy = await check(["lobby north"]);
  expect([healthy.status, healthy.stdout.split(/[ :]/)[0], healthy.stderr]).toEqual([0, "healthy", ""]);
  await run(61);
  const critical = await check([lobby.id]);
  expect(critical.status).toBe(2);
  expect(critical.stdout).toMatch(/^critical( since \S+)?: .*61 ms/);
  expect(critical.stdout).toMatch(/critical: Ticks take too long/);
  expect(critical.stdout).toMatch(/mspt median 61 ms \(threshold 50 ms\)/);
  expect(critical.stdout).toMatch(/next: Capture a profile/);
  clock.advance(20 * minuteMs);
  expect((await check(["Lobby North"])).stdout).toMatch(/^down/);
  expect((await check(["Lobby North"])).status).toBe(2);
  await beat(20, { announce: "stopping" });
  clock.advance(10 * minuteMs);
  const stopped = await check(["Lobby North"]);
  expect([stopped.status, stopped.stdout.split(/[ :]/)[0]]).toEqual([0, "stopped"]);
});

it("[OUR-CLI-08] with --json it prints the answer of the API as it is", async () => {
  const { status, stdout } = await check(["Lobby North", "--json"]);
  const { json } = await service.request("GET", `/api/v1/servers/${lobby.id}/health`, { token });
  expect([status, JSON.parse(stdout)]).toEqual([0, json]);
  expect(stdout.trimEnd()).not.toContain("\n");
});

it("[OUR-CLI-08] ends with 3 where the verdict is unknown, or the server cannot be asked for", async () => {
  const unknown = await check([twins[0]?.id ?? ""]);
  expect([unknown.status, unknown.stdout.split(/[ :]/)[0]]).toEqual([3, "unknown"]);
  const ambiguous = await check(["twin"]);
  for (const { id } of twins) expect(ambiguous.stderr).toContain(id);
  const stranger = await service.token(await service.account("pro"));
  const free = await service.token(await service.account("free"));
  for (const asked of [
    ambiguous,
    await check(["Nobody"]),
    await check(["019a9f5e-1d00-7000-8000-000000000001"]),
    await check([lobby.id], { TICKMARK_TOKEN: stranger }),
    await check([lobby.id], { TICKMARK_TOKEN: free }),
    await check([lobby.id], { TICKMARK_TOKEN: "tkm_wrong" }),
    await check([lobby.id], { TICKMARK_TOKEN: "" }),
    await check([lobby.id], { TICKMARK_URL: "nowhere" }),
    await check([lobby.id], { TICKMARK_URL: "http://127.0.0.1:9" }),
    await check([]),
    await check(["Lobby North", "--unknown"]),
  ])
    expect([asked.status, asked.stdout, asked.lines]).toEqual([3, "", 1]);
  expect((await check(["--help"])).status).toBe(0);
  // The status is that of the process too.
  expect(runBuilt(["check"])).toMatchObject({ status: 3, stdout: "", lines: 1 });
});

it("[OUR-CLI-08] shows degraded, and text of others with nothing hidden in it", async () => {
  const [finding] = exampleHealth.findings;
  const [coincidence] = finding?.coincides_with ?? [];
  const health = {
    ...exampleHealth,
    verdict: "degraded",
    findings: [
      { ...finding, coincides_with: [{ ...coincidence, subject: "Shop \u001b[2Jupdated\nhealthy: fine" }] },
    ],
  };
  const fake = createServer((request, reply) => {
    reply.writeHead(200, { "content-type": "application/json" });
    reply.end(JSON.stringify(request.url?.includes("/health") ? health : { data: [] }));
  });
  fake.listen(0, "127.0.0.1");
  await once(fake, "listening");
  const { port } = fake.address() as AddressInfo;
  const shown = await check([exampleHealth.server_id], { TICKMARK_URL: `http://127.0.0.1:${port}` });
  fake.close();
  expect(shown.status).toBe(1);
  expect(shown.stdout).not.toContain("\u001b");
  expect(shown.stdout).not.toMatch(/^healthy/m);
});
