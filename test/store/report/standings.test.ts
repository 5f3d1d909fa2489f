import { beforeAll, expect, it } from "vitest";
import { countStandings } from "../../../src/jobs/standing.ts";
import { standingOf } from "../../../src/core/report/standing.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { NewReport } from "../../../src/core/report/records.ts";
import type { Visibility } from "../../../src/core/report/report.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { selectRanks } from "../../../src/store/report/standings.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, newAccount, newReport, newServer, noon } from "../engine/rows.ts";

const scale = { algorithmVersion: "1", benchmarkMode: "standard" };
const { signal } = new AbortController();

eachDatabase((databases) => {
  let db: Database;
  let author: Account;
  let server: ServerRecord;
  beforeAll(async () => {
    db = await databases.open();
    author = await newAccount(db);
    ({ server } = await newServer(db, author));
  });

  const count = (at = noon) => countStandings({ db, clock: () => at, signal });

  /** A report with these scores, and its hardware score in every sub score. */
  async function scored(
    total: number,
    visibility: Visibility = "public",
    { mode = "standard", expiresAt = null as number | null, version = "1" as string | null } = {},
  ): Promise<NewReport["content"]> {
    const made = newReport(author, server);
    const content = {
      ...made.content,
      benchmark_mode: mode as NewReport["content"]["benchmark_mode"],
      algorithm_version: version,
      scores: { total, single_core: total, hardware: total, gameplay: 0 },
    };
    await db.write(addReport, { ...made, content, expiresAt });
    await db.write(changeReport, made.id, { visibility });
    return content;
  }

  it("[OUR-STD-01] [OUR-STD-02] [OUR-STD-03] [OUR-STD-04] counts public, unexpired reports of one scale", async () => {
    for (let place = 1; place < 20; place += 1) await scored(place * 100);
    for (const visibility of ["private", "unlisted"] as const) await scored(5, visibility);
    await scored(5, "public", { mode: "stresslimit" });
    await scored(5, "public", { version: "2" });
    await scored(5, "public", { mode: "custom", version: null });
    await scored(5, "public", { expiresAt: noon });
    await count();
    const few = await db.read(selectRanks, scale);
    expect(few?.total).toBeNull();
    const best = await scored(2000);
    expect(standingOf(best, await db.read(selectRanks, scale))).toBeNull();
    await count(noon + 1);
    const ranks = await db.read(selectRanks, scale);
    expect(ranks?.total?.reports).toBe(20);
    expect(standingOf(best, ranks)).toMatchObject({
      total: { faster_than_percent: 95, reports: 20 },
      hardware: { faster_than_percent: 95, reports: 20 },
      gameplay: null,
    });
    expect(await db.read(selectRanks, { ...scale, benchmarkMode: "custom" })).toBeNull();
  });

  it("[OUR-STD-04] a count replaces the one before, of scales without reports too", async () => {
    const stress = { ...scale, benchmarkMode: "stresslimit" };
    await scored(5, "public", { mode: "stresslimit", expiresAt: noon + day });
    await count(noon + 2);
    expect(await db.read(selectRanks, stress)).not.toBeNull();
    const other = { ...scale, algorithmVersion: "3" };
    await scored(5, "public", { version: "3", expiresAt: noon + day });
    await count(noon + 3);
    expect(await db.read(selectRanks, other)).not.toBeNull();
    await count(noon + day);
    expect(await db.read(selectRanks, other)).toBeNull();
  });

  it("[OUR-STD-04] reads more reports than one page holds", async () => {
    for (let place = 0; place < 120; place += 1) await scored(1000, "public", { version: "4" });
    await count(noon + day);
    expect((await db.read(selectRanks, { ...scale, algorithmVersion: "4" }))?.total?.reports).toBe(120);
  });
});
