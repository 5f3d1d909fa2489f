import { selectServer } from "../../../src/store/server/servers.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startSession } from "../../../src/contract/call/person.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { verdictBudgetMs, verdictsOf } from "../../../src/dashboard/pages/servers/verdicts.ts";
import type { PageRequest } from "../../../src/dashboard/page.ts";
import type { SessionCaller } from "../../../src/contract/call/caller.ts";
import { addGroup } from "../../../src/services/server/add-group.ts";
import { changeServer } from "../../../src/services/server/change-server.ts";
import { makeFleet } from "../../support/fleet.ts";
import { startTestService } from "../../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-fleet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("[OUR-LIV-16] leaves verdicts it has no time for to the server's own page", async () => {
  let spent = 0;
  const asked: string[] = [];
  const ask = async (_endpoint: unknown, { server_id }: { server_id: string }) => {
    asked.push(server_id);
    spent += verdictBudgetMs / 2;
    if (server_id === "b") throw new Refusal("server_not_verified", "Not yet.");
    return { verdict: "stable" };
  };
  const servers = ["a", "b", "c", "d", "e"].map((id) => ({ id, verified: id !== "e" }));
  const visit = { call: ask } as unknown as Pick<PageRequest<SessionCaller>, "call">;
  const words = await verdictsOf(visit, servers, () => spent);
  expect(words).toEqual(["stable", "not_verified", "stable", "later", "not_verified"]);
  expect(asked).toEqual(["a", "b", "c"]);
});

it("shows a fleet of a hundred servers that have three hours of measurements each", async () => {
  const databaseUrl = `sqlite:${join(folder, "fleet.db")}`;
  const { servers } = await makeFleet(databaseUrl, 101, "enterprise");
  const service = await startTestService({ databaseUrl });
  const { app } = service;
  const now = app.clock();
  const samples = Array.from({ length: 119 }, (_, index) => ({
    sampled_at: new Date(now - (index + 1) * 90_000).toISOString(),
    tps: 20,
    mspt: 20 + (index % 17),
    mspt_p95: 30,
    player_count: 4,
  }));
  for (const { credential } of servers) {
    const sample = { ...samples[0], sampled_at: new Date(now).toISOString() };
    const beat = { sent_at: new Date(now).toISOString(), plugin_version: "1.10.2", sample };
    await service.request("POST", "/plugin/v1/heartbeat", { token: credential, body: beat });
    await service.request("POST", "/plugin/v1/samples", { token: credential, body: { samples } });
  }
  const owner = await app.db.read(selectServer, servers[0]?.id ?? "", { accountId: null, admin: true });
  const account = {
    id: owner?.accountId ?? "",
    email: "owner@tests.example",
    emailVerified: true,
    plan: "enterprise",
    role: "user",
    createdAt: now,
  } as const;
  const { secret } = await startSession(app, account, null, app.clock());
  const headers = { cookie: `tickmark=${secret}` };
  const times: number[] = [];
  const used = process.cpuUsage();
  let text = "";
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    ({ text } = await service.request("GET", "/servers", { headers }));
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(used);
  const cpuMs = (user + system) / 1000 / times.length;
  const sorted = times.toSorted((one, other) => one - other);
  expect((text.match(/class="spark"/g) ?? []).length).toBe(100);
  expect((text.match(/>running</g) ?? []).length).toBeGreaterThan(99);
  console.log(
    `100 servers: median ${Math.round(sorted[1] ?? 0)} ms, best ${Math.round(sorted[0] ?? 0)} ms, first ${Math.round(times[0] ?? 0)} ms, processor ${Math.round(cpuMs)} ms a page with its reader, ${Math.round(text.length / 1024)} KiB`,
  );
  // By group, a page holds the groups from the first on, wherever their servers stand by health.
  const last = servers.find(({ id }) => !text.includes(`href="/servers/${id}"`));
  const group = { id: "g1", accountId: account.id, name: "Hub", color: null, now, limit: 20 };
  const replay = { accountId: account.id, route: "groups", key: null, bodyDigest: "b", now };
  await app.db.write(addGroup, group, replay);
  await app.db.write(changeServer, last?.id ?? "", { groupId: group.id });
  const byGroup = (await service.request("GET", "/servers?order=group", { headers })).text;
  expect(byGroup).toContain(`href="/servers/${last?.id}"`);
  expect(byGroup.indexOf("Hub")).toBeLessThan(byGroup.indexOf("Without a group"));
  expect(service.defects).toEqual([]);
  await service.close();
});
