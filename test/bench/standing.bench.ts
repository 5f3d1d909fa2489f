import { afterAll, beforeAll, expect, it } from "vitest";
import { countStandings } from "../../src/jobs/standing.ts";
import { insertReportRow } from "../../src/store/report/report-insertion.ts";
import { reportTable } from "../../src/store/report/report-table.ts";
import { selectReport } from "../../src/store/report/reports.ts";
import { selectRanks } from "../../src/store/report/standings.ts";
import { standingOf } from "../../src/core/report/standing.ts";
import type { NewReport } from "../../src/core/report/records.ts";
import { run, type Database } from "../../src/store/engine/database.ts";
import { eachDatabase } from "../support/databases.ts";
import { newAccount, newId, newReport, newServer, nobody, noon } from "../store/engine/rows.ts";

const count = 100_000;
const reads = 500;
const scale = { algorithmVersion: "1", benchmarkMode: "standard" };

/** Scores spread over four digits, and the same on every run. */
const scoreAt = (place: number): number => 200 + ((place * 7919) % 3800);

eachDatabase((databases) => {
  let db: Database;
  let last: NewReport;
  beforeAll(async () => {
    db = await databases.open();
    const author = await newAccount(db);
    const { server } = await newServer(db, author);
    const model = newReport(author, server);
    last = model;
    for (let place = 0; place < count; place += 500) {
      const made = Array.from({ length: 500 }, (_, index) => {
        const id = newId();
        const report = { ...model, id, shortId: id, localId: id };
        const score = scoreAt(place + index);
        const scores = { total: score, single_core: score, hardware: score, gameplay: score };
        return { ...report, payload: "{}", content: { ...report.content, scores } };
      });
      await db.write(function* () {
        for (const report of made) {
          yield* run(insertReportRow, {
            ...reportTable.toRow({
              ...report,
              visibility: "public",
              certifiedAt: null,
              certificateExpiresAt: null,
              label: null,
            }),
            local_id: report.localId,
            benchmark_mode: "standard",
            server_type: null,
            private_notes: null,
            payload: report.payload,
            job_id: null,
          });
        }
      });
      last = made.at(-1) ?? last;
    }
  }, 1_800_000);
  afterAll(() => db.close());

  it(`what the standing of a report costs among ${count} public reports`, async () => {
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      for (let read = 0; read < reads; read += 1) {
        const start = performance.now();
        await work();
        times.push(performance.now() - start);
      }
      return times.toSorted((one, other) => one - other)[reads / 2] ?? 0;
    };
    const cpu = process.cpuUsage();
    const start = performance.now();
    await countStandings({ db, clock: () => noon, signal: new AbortController().signal });
    const counting = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    const report = () => db.read(selectReport, last.id, nobody, noon);
    const alone = await timed(report);
    const standing = await timed(async () => standingOf(last.content, await db.read(selectRanks, scale)));
    const place = standingOf(last.content, await db.read(selectRanks, scale))?.total;
    expect(place?.reports).toBe(count);
    console.log(
      [
        `counting all: ${counting.toFixed(0)} ms by the clock, ${((user + system) / 1000).toFixed(0)} ms CPU`,
        `reading a report: ${alone.toFixed(3)} ms; its standing adds ${standing.toFixed(3)} ms (median of ${reads})`,
      ].join("\n"),
    );
  }, 600_000);
});
