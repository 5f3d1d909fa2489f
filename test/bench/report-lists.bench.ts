import { expect, it } from "vitest";
import type { ReportFilter } from "../../src/core/report/records.ts";
import { addReport } from "../../src/services/report/add-report.ts";
import { changeReport } from "../../src/services/report/change-report.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { selectReports } from "../../src/store/report/reports.ts";
import { eachDatabase } from "../support/databases.ts";
import { newAccount, newReport, newServer, noon, times, verify, viewer } from "../store/engine/rows.ts";
import { openRaw } from "../store/engine/raw-database.ts";

const size = 100_000;
const columns = `author_id, server_id, visibility, source, benchmark_mode, server_type, finished_at, content, payload`;

/** Lists of 100,000 reports with a filter that none meets, and with one that all meet. */
eachDatabase(
  (databases, kind) => {
    it("lists of 100,000 reports with a filter that none meets, beside the first page of all", async () => {
      const url = await databases.url();
      const db: Database = await databases.open(url);
      const account = await newAccount(db);
      const { server, code } = await newServer(db, account);
      await verify(db, code);
      const report = newReport(account, server);
      await db.write(addReport, report);
      await db.write(changeReport, report.id, { visibility: "public" });
      const raw = await openRaw(url);
      await raw.run(`INSERT INTO report (id, short_id, local_id, created_at, ${columns})
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
        SELECT r.id || '-' || n.i, 's' || n.i, 'l' || n.i, r.created_at - n.i, author_id, server_id, visibility, source,
        benchmark_mode, server_type, finished_at, '{}', '{}' FROM n CROSS JOIN report AS r WHERE r.id = '${report.id}'`);
      await raw.run("ANALYZE");
      await raw.close();
      const none: ReportFilter = {
        mine: false,
        visibility: null,
        serverType: null,
        benchmarkMode: null,
        serverId: null,
      };
      const stranger = await newAccount(db);
      const asked: [string, typeof account, Partial<ReportFilter>, number][] = [
        ["no filter", account, {}, 20],
        ["type that none has", account, { serverType: "velocity" }, 0],
        ["mode that none has, own", account, { benchmarkMode: "custom", mine: true }, 0],
        ["unlisted, of a server", account, { visibility: "unlisted", serverId: server.id }, 0],
        ["type and mode, a stranger", stranger, { serverType: "paper", benchmarkMode: "custom" }, 0],
        ["type that all have", account, { serverType: "paper", mine: true }, 20],
      ];
      for (const [name, who, filter, expected] of asked) {
        const took: number[] = [];
        for (const _ of times(21)) {
          const start = performance.now();
          const rows = await db.read(selectReports, viewer(who), { ...none, ...filter }, null, 20, noon);
          took.push(performance.now() - start);
          // The copies hold no content that a page would show.
          expect(rows.length, name).toBe(expected);
        }
        const median = took.toSorted((a, b) => a - b)[10] ?? 0;
        console.log(`${kind}: ${name}: ${median.toFixed(2)} ms (median of 21)`);
      }
    });
  },
  ["SQLite in a file", "PostgreSQL"],
);
