import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { largeMemoryReport, largeProfile } from "../support/large-documents.ts";
import { loopOf, measuredLoop } from "../support/service-loop.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-main-thread-"));
let fleet: Fleet;
let service: ServiceProcess;
beforeAll(async () => {
  const databaseUrl = `sqlite:${join(folder, "test.db")}`;
  fleet = await makeFleet(databaseUrl, 1, "pro");
  service = await startServiceProcess({
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_SECRET: "a secret for tests only",
    ...measuredLoop,
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("[OUR-RDG-03] a profile or memory report of 0.8 MB never has the thread that answers calls for 50 ms", async () => {
  const [server] = fleet.servers;
  const call = async (path: string, token: string, body?: Buffer) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json", "content-encoding": "gzip" }),
    };
    const init = body ? { method: "POST", headers, body: new Uint8Array(body) } : { headers };
    const response = await fetch(`${service.baseUrl}${path}`, init);
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const blocks: Record<string, number> = {};
  const upload = async (path: string, file: Buffer): Promise<string> => {
    await loopOf(service);
    const { status, json } = await call(`/plugin/v1${path}`, server?.credential ?? "", file);
    expect(status).toBe(201);
    blocks[`POST ${path}`] = (await loopOf(service)).cpu;
    return String(json["profile_id"] ?? json["id"]);
  };
  const read = async (path: string): Promise<void> => {
    await loopOf(service);
    expect((await call(`/api/v1/servers/${server?.id}${path}`, fleet.token)).status).toBe(200);
    blocks[`GET ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]+/g, "ID")}`] = (await loopOf(service)).cpu;
  };
  const all = async (profile: Buffer, reports: readonly [Buffer, Buffer]): Promise<void> => {
    const id = await upload("/profiles", profile);
    for (const rest of [id, `${id}?owner=Plugin%201`, `compare?base=${id}&target=${id}`])
      await read(`/profiles/${rest}`);
    const [base, target] = [
      await upload("/memory-reports", reports[0]),
      await upload("/memory-reports", reports[1]),
    ];
    for (const rest of [base, `compare?base=${base}&target=${target}`]) await read(`/memory-reports/${rest}`);
  };
  // What the first call of each route compiles is not what is measured.
  await all(largeProfile(3, 10, 5), [largeMemoryReport(3, 5), largeMemoryReport(4, 5)]);
  const [profile, report] = [largeProfile(1), largeMemoryReport(1)];
  for (const { length } of [profile, report]) expect(length).toBeGreaterThan(700_000);
  await all(profile, [report, largeMemoryReport(2)]);
  for (const [what, cpuMs] of Object.entries(blocks)) expect(cpuMs, what).toBeLessThan(50);
  console.log(
    `longest CPU time of the main thread without a break, ms: ${Object.entries(blocks)
      .map(([what, ms]) => `${what} ${ms.toFixed(1)}`)
      .join(", ")}`,
  );
});
