import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { PlanLimits } from "../../src/core/access/plan.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";

export interface BenchPlace {
  readonly folder: string;
  /** For `TICKMARK_PLANS`: no call of an account of the plan `enterprise` is refused for its number. */
  readonly plans: string;
  readonly postgres: () => PostgresServer;
}

/** A folder and a PostgreSQL for the benchmarks of a file. `durable`: its commits wait for the disk. */
export function benchPlace(name: string, limits: Partial<PlanLimits>, durable: boolean): BenchPlace {
  const folder = mkdtempSync(join(tmpdir(), `tickmark-${name}-`));
  const plans = join(folder, "plans.json");
  let server: PostgresServer | null = null;
  beforeAll(async () => {
    const roomy = { ...limits, daily_calls: 1_000_000_000, hourly_calls: 1_000_000_000 };
    writeFileSync(plans, JSON.stringify({ enterprise: roomy }));
    server = await startPostgres(durable);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const postgres = (): PostgresServer => {
    if (server === null) throw new Error("PostgreSQL starts before the first benchmark.");
    return server;
  };
  return { folder, plans, postgres };
}
