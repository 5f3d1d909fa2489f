import { afterAll, beforeAll, expect, it } from "vitest";
import { insertReportRow } from "../../src/store/report/report-insertion.ts";
import { selectReports } from "../../src/store/report/report-lists.ts";
import { reportTable } from "../../src/store/report/report-table.ts";
import type { Account } from "../../src/core/access/account.ts";
import type { ReportFilter } from "../../src/core/report/records.ts";
import { run, type Database } from "../../src/store/engine/database.ts";
import { eachDatabase } from "../support/databases.ts";
import { newAccount, newId, newReport, newServer, nobody, noon, viewer } from "../store/engine/rows.ts";

const count = 100_000;
const runs = 200;
const everything: ReportFilter = {
  mine: false,
  visibility: null,
  serverType: null,
  benchmarkMode: null,
  serverId: null,
};

eachDatabase((databases) => {
  let db: Database;
  let author: Account;
  beforeAll(async () => {
    db = await databases.open();
    author = await newAccount(db);
    const { server } = await newServer(db, author);
    const model = newReport(author, server);
    for (let place = 0; place < count; place += 500)
      await db.write(function* () {
        for (let index = place; index < place + 500; index += 1) {
          const id = newId();
          const visibility = index % 2 === 0 ? "public" : "private";
          const times = {
            createdAt: noon - count + index,
            certifiedAt: null,
            certificateExpiresAt: null,
            label: null,
          };
          yield* run(insertReportRow, {
            ...reportTable.toRow({ ...model, ...times, id, shortId: id, visibility }),
            local_id: id,
            benchmark_mode: "standard",
            server_type: "paper",
            private_notes: null,
            payload: "{}",
            job_id: null,
          });
        }
      });
  }, 1_800_000);
  afterAll(() => db.close());

  it(`what a list of reports costs among ${count}`, async () => {
    const lists: [string, Account | null, Partial<ReportFilter>, rows: number][] = [
      ["nobody, all", null, {}, 51],
      ["nobody, a type that none has", null, { serverType: "purpur" }, 0],
      ["nobody, a mode that none has", null, { benchmarkMode: "custom" }, 0],
      ["its author, all", author, {}, 51],
      ["its author, a type that none has", author, { serverType: "purpur" }, 0],
      ["its author, a mode that none has", author, { benchmarkMode: "custom" }, 0],
      ["its author, mine, both", author, { mine: true, serverType: "paper", benchmarkMode: "custom" }, 0],
    ];
    for (const [name, who, filter, rows] of lists) {
      const list = () =>
        db.read(selectReports, who ? viewer(who) : nobody, { ...everything, ...filter }, null, 51, noon);
      expect(await list()).toHaveLength(rows);
      const start = performance.now();
      for (let run = 0; run < runs; run += 1) await list();
      console.log(`${db.dialect}, ${name}: ${((performance.now() - start) / runs).toFixed(2)} ms`);
    }
  }, 600_000);
});
