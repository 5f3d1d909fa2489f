import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRaw } from "../store/engine/raw-database.ts";
import { eachDatabase } from "../support/databases.ts";
import { makeFleet } from "../support/fleet.ts";

const samples = 200_000;
const mostGrowthMb = 100;

const folder = mkdtempSync(join(tmpdir(), "tickmark-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const full = `sqlite:${at("full.db")}`;
const empty = `sqlite:${at("empty.db")}`;

beforeAll(async () => {
  await makeFleet(empty, 4, "enterprise");
  await makeFleet(full, 4, "enterprise");
  const raw = await openRaw(full);
  await raw.run(`INSERT INTO sample (server_id, sampled_at, received_at, tps, mspt, player_count, entity_count,
      loaded_chunks, ram_used_mb, cpu_usage, worst_tick_ms, mspt_p95, ticks_over_50ms, detail)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${samples / 4 - 1})
    SELECT s.id, 1700000000000 + 30000 * i, 1700000000100 + 30000 * i, 19.98, i % 50 + 0.25, i % 100, 2000 + i % 99,
      900, 4096.5, 0.31, 61.5, 23.75, i % 3, '{"worlds":[' || printf('%0400d', i) || ']}' FROM server AS s, n`);
  await raw.close();
});

/** Tells on standard error how much memory the process took at most, MB. */
const telling = `data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(2,String(process.resourceUsage().maxRSS/1024)))`;

/** Runs a command in a process of its own: how long it took, ms, and its memory, MB. */
function measured(url: string, ...args: string[]): { ms: number; mb: number } {
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", telling, "dist/main.js", ...args, "--json"],
    { encoding: "utf8", env: { ...process.env, TICKMARK_DATABASE_URL: url } },
  );
  expect(status, stderr).toBe(0);
  return { ms: Math.round(performance.now() - start), mb: Number(stderr) };
}

/** A command's memory beside that of the same command with next to nothing to do. */
function compare(what: string, base: ReturnType<typeof measured>, { ms, mb }: typeof base): void {
  const growth = Math.round(mb - base.mb);
  console.log(
    `${what}, ${samples} samples: ${ms} ms (${Math.round(samples / (ms / 1000))} rows/s; ${base.ms} ms without them), ${growth} MB more than without`,
  );
  expect(growth).toBeLessThan(mostGrowthMb);
}

eachDatabase(
  (databases) => {
    it("moves 200,000 samples to PostgreSQL and back in a little memory", async () => {
      const [there, emptyThere] = [await databases.url(), await databases.url()];
      const steps = [
        ["export of SQLite", [empty, "export", at("0")], [full, "export", at("1")]],
        ["import into PostgreSQL", [emptyThere, "import", at("0")], [there, "import", at("1")]],
        ["export of PostgreSQL", [emptyThere, "export", at("2")], [there, "export", at("3")]],
        [
          "import into SQLite",
          [`sqlite:${at("4")}`, "import", at("2")],
          [`sqlite:${at("5")}`, "import", at("3")],
        ],
        ["backup of SQLite", [empty, "backup", at("6")], [full, "backup", at("7")]],
      ] as const;
      for (const [what, [baseUrl, ...base], [url, ...args]] of steps)
        compare(what, measured(baseUrl, ...base), measured(url, ...args));
      console.log(`the export: ${Math.round(statSync(at("1")).size / 1e6)} MB`);
    });
  },
  ["PostgreSQL"],
);
