import { addReport } from "../../../src/services/report/add-report.ts";
import { selectScheduledReports } from "../../../src/store/report/reports.ts";
import { beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { UploadedReport, NewReport } from "../../../src/core/report/records.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, newAccount, newReport, newServer, noon, times } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  let owner: Account;
  let server: ServerRecord;
  beforeAll(async () => {
    db = await databases.open();
    owner = await newAccount(db);
    ({ server } = await newServer(db, owner));
  });

  const period = { from: noon - 90 * day, to: noon };

  async function add(changes: Partial<NewReport>, at: ServerRecord = server): Promise<NewReport> {
    const report = newReport(owner, at, { source: "auto_bench", ...changes });
    await db.write(addReport, report);
    return report;
  }

  const idsOf = async (serverId: string): Promise<string[]> =>
    (await db.read(selectScheduledReports, serverId, period, null, 100)).map(({ report }) => report.id);

  it("[OUR-REG-01] scheduled runs of one server in the period, ends included, that have not expired", async () => {
    const { server: other } = await newServer(db, owner);
    const [first, second, last] = [
      await add({ finishedAt: period.from }),
      await add({ finishedAt: noon - day, expiresAt: noon + 1 }),
      await add({ finishedAt: noon }),
    ];
    await add({ finishedAt: period.from - 1 });
    await add({ finishedAt: noon + 1 });
    await add({ finishedAt: noon, source: "manual" });
    await add({ finishedAt: noon, expiresAt: noon });
    await add({ finishedAt: noon }, other);
    expect(await idsOf(server.id)).toEqual([first.id, second.id, last.id]);
    const [found] = await db.read(selectScheduledReports, server.id, period, null, 1);
    expect(found?.payload).toBe(first.payload);
    expect(found?.report).toMatchObject({ id: first.id, serverId: server.id, finishedAt: period.from });
  });

  it("[OUR-REG-01] portions follow one another without a gap or a repetition, also where runs ended at once", async () => {
    const { server: busy } = await newServer(db, owner);
    const all: string[] = [];
    for (const index of times(7))
      all.push((await add({ finishedAt: noon - (index < 4 ? day : 0) }, busy)).id);
    const seen: string[] = [];
    for (let after: { at: number; id: string } | null = null; ;) {
      const portion: UploadedReport[] = await db.read(selectScheduledReports, busy.id, period, after, 2);
      seen.push(...portion.map(({ report }) => report.id));
      const last = portion.at(-1)?.report;
      if (!last) break;
      after = { at: last.finishedAt, id: last.id };
    }
    expect(seen).toEqual(all);
  });
});
