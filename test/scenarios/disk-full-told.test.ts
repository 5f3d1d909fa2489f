import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { all } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-told-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metricsToken = "scrapes-need-this-token";
const pages = (most: number) =>
  query<Record<string, never>>()<Record<string, number>>((db) => ({
    compile: () => sql<Record<string, number>>`${sql.raw(`PRAGMA max_page_count = ${most}`)}`.compile(db),
  }));
const [nothingFits, everythingFits] = [pages(1), pages(1_000_000)];

const writable = async (service: TestService): Promise<string | undefined> => {
  const { text } = await service.request("GET", "/metrics", { token: metricsToken });
  return /^tickmark_database_writable (\d)$/m.exec(text)?.[1];
};

it.each([
  ["on", 200],
  ["off", 503],
] as const)(
  "[OUR-OPS-10] while the disk is full /readyz says so, %s: %i, and metrics too",
  async (setting, status) => {
    const service = await startTestService({
      databaseUrl: `sqlite:${join(folder, `${setting}.db`)}`,
      plans: roomyPlans,
      timers: false,
      settings: { TICKMARK_METRICS_TOKEN: metricsToken, TICKMARK_READY_WITH_FULL_DISK: setting },
    });
    const owner = await service.account("enterprise");
    const server = await service.server(owner);
    const token = await service.token(owner);
    expect((await service.request("GET", "/readyz")).json).toEqual({ status: "ok" });
    expect(await writable(service)).toBe("1");
    const { database } = service.service;
    await database.read(() => all(nothingFits, {}));
    const event = {
      type: "ban",
      category: "moderation",
      source: "LiteBans",
      severity: "info",
      title: "x".repeat(150),
      description: "d".repeat(3000),
    };
    const events = Array.from({ length: 20 }, (_, index) => ({ ...event, local_id: `event ${index}` }));
    const refused = await service.request("POST", "/plugin/v1/events", {
      token: server.credential,
      body: { events },
    });
    expect([refused.status, refused.json["error"]]).toEqual([503, "unavailable"]);
    const ready = await service.request("GET", "/readyz");
    expect(ready.status).toBe(status);
    if (status === 200) expect(ready.json).toMatchObject({ status: "degraded", degraded: "disk" });
    else expect(ready.json["message"]).toContain("disk of the service's database is full");
    expect(await writable(service)).toBe("0");
    expect((await service.request("GET", "/livez")).status).toBe(200);
    expect((await service.request("GET", `/api/v1/servers/${server.id}/status`, { token })).status).toBe(200);
    await database.read(() => all(everythingFits, {}));
    await service.close();
  },
);
