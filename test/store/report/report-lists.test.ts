import { run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReports } from "../../../src/store/report/reports.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { TimePosition } from "../../../src/core/position.ts";
import type { ReportRecord, ReportFilter } from "../../../src/core/report/records.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase } from "../../support/databases.ts";
import {
  admin,
  newAccount,
  newReport,
  newServer,
  nobody,
  noon,
  times,
  verify,
  viewer,
} from "../engine/rows.ts";

const everything: ReportFilter = {
  mine: false,
  visibility: null,
  serverType: null,
  benchmarkMode: null,
  serverId: null,
};

const certify = query<{ id: string; until: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certified_at: noon, certificate_expires_at: $.until })
    .where("id", "=", $.id),
);

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const idsFor = async (who: Viewer, filter: Partial<ReportFilter> = {}): Promise<string[]> =>
    (await db.read(selectReports, who, { ...everything, ...filter }, null, 1000, noon)).map(({ id }) => id);

  /** An account with a verified server and a way to upload from it. */
  async function uploader() {
    const account = await newAccount(db);
    const { server, code } = await newServer(db, account);
    await verify(db, code);
    const upload = async (
      changes: Parameters<typeof newReport>[2] = {},
      payload: Parameters<typeof newReport>[3] = {},
    ) => {
      const report = newReport(account, server, changes, payload);
      await db.write(addReport, report);
      return report.id;
    };
    return { account, server, upload };
  }

  describe("a list of reports", () => {
    it("[REP-01] is newest first, and goes by id where reports came in one instant", async () => {
      const { account, upload } = await uploader();
      const ids = [];
      for (const createdAt of [noon - 2, noon - 1, noon - 1, noon]) ids.push(await upload({ createdAt }));
      expect(await idsFor(viewer(account))).toEqual(ids.toReversed());
    });

    it("[REP-01] is walked page by page without a loss or a repeat, while newer ones arrive", async () => {
      const { account, upload } = await uploader();
      const ids = new Set<string>();
      for (const index of times(11)) ids.add(await upload({ createdAt: noon - (index % 3) }));
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (const page of times(6)) {
        const rows: ReportRecord[] = await db.read(
          selectReports,
          viewer(account),
          everything,
          after,
          2,
          noon,
        );
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        after = last ? { at: last.createdAt, id: last.id } : null;
        await upload({ createdAt: noon + 1 + page });
      }
      expect(walked).toHaveLength(11);
      expect(new Set(walked)).toEqual(ids);
    });
  });

  describe("a filter", () => {
    it("[REP-18] mine keeps what the caller wrote, others' public reports and its servers' left out", async () => {
      const [ann, bob] = [await uploader(), await uploader()];
      const own = await ann.upload();
      const foreign = await bob.upload();
      await db.write(changeReport, foreign, { visibility: "public" });
      expect(await idsFor(viewer(ann.account), { mine: true })).toEqual([own]);
      expect(await idsFor(viewer(ann.account))).toEqual(expect.arrayContaining([own, foreign]));
      expect(await idsFor(nobody, { mine: true })).toEqual([]);
    });

    it("[REP-01] by visibility, mode and server type keeps exact matches", async () => {
      const { account, upload } = await uploader();
      const plain = await upload();
      const custom = await upload({}, { benchmark_mode: "custom", tests: [] });
      const purpur = await upload({}, { server: { type: "purpur" } });
      const unlisted = await upload();
      await db.write(changeReport, unlisted, { visibility: "unlisted" });
      const own = { mine: true };
      const keeps = async (filter: Partial<ReportFilter>) =>
        new Set(await idsFor(viewer(account), { ...own, ...filter }));
      expect(await keeps({ benchmarkMode: "custom" })).toEqual(new Set([custom]));
      expect(await keeps({ serverType: "purpur" })).toEqual(new Set([purpur]));
      expect(await keeps({ serverType: "Purpur" })).toEqual(new Set());
      expect(await keeps({ visibility: "unlisted" })).toEqual(new Set([unlisted]));
      expect(await keeps({ visibility: "private", benchmarkMode: "standard", serverType: "paper" })).toEqual(
        new Set([plain]),
      );
    });

    it("[REP-01] [REP-15] [REP-17] keeps of the whole list what meets it, for everybody and page by page", async () => {
      const [ann, bob] = [await uploader(), await uploader()];
      const random = dice(25);
      const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
      const [modes, types] = [["standard", "stresslimit", "custom"] as const, ["filter-a", "filter-b"]];
      const visibilities = ["public", "unlisted", "private"] as const;
      const known = new Map<string, Pick<ReportFilter, "visibility" | "serverType" | "benchmarkMode">>();
      for (const index of times(60)) {
        const by = oneOf([ann, bob]);
        const of = oneOf([ann, bob]);
        const [visibility, serverType, benchmarkMode] = [oneOf(visibilities), oneOf(types), oneOf(modes)];
        const tests = benchmarkMode === "custom" ? { tests: [] } : {};
        const upload = { benchmark_mode: benchmarkMode, server: { type: serverType }, ...tests };
        const createdAt = noon - Math.floor(index / 3);
        const report = newReport(by.account, of.server, { createdAt }, upload);
        await db.write(addReport, report);
        await db.write(changeReport, report.id, { visibility });
        if (random() < 0.2) await db.write(() => run(certify, { id: report.id, until: noon + 1 }));
        known.set(report.id, { visibility, serverType, benchmarkMode });
      }
      const stranger = await newAccount(db);
      for (const who of [viewer(ann.account), viewer(bob.account), viewer(stranger), nobody]) {
        for (const narrow of [
          {},
          { mine: true },
          { serverId: ann.server.id },
          { serverId: ann.server.id, mine: true },
        ]) {
          const whole = (await idsFor(who, narrow)).filter((id) => known.has(id));
          for (const visibility of [null, ...visibilities]) {
            for (const serverType of [null, ...types]) {
              for (const benchmarkMode of [null, ...modes]) {
                if (serverType === null && random() < 0.7) continue;
                const asked = { visibility, serverType, benchmarkMode };
                const meets = (id: string) =>
                  Object.entries(asked).every(
                    ([name, value]) =>
                      value === null || known.get(id)?.[name as keyof typeof asked] === value,
                  );
                const found = (await idsFor(who, { ...narrow, ...asked })).filter((id) => known.has(id));
                expect(found, JSON.stringify({ who, narrow, asked })).toEqual(whole.filter(meets));
              }
            }
          }
        }
      }
      const filter = { ...everything, serverType: "filter-a" };
      const all = await idsFor(viewer(ann.account), filter);
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (const _ of all) {
        const rows: ReportRecord[] = await db.read(
          selectReports,
          viewer(ann.account),
          filter,
          after,
          4,
          noon,
        );
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        if (!last) break;
        after = { at: last.createdAt, id: last.id };
      }
      expect(walked).toEqual(all);
    });

    it("[REP-01] [REP-08] by server works for who holds the server, and gives everybody else an empty page", async () => {
      const { account, server, upload } = await uploader();
      const other = await newServer(db, account);
      await db.write(addReport, newReport(account, other.server));
      const shown = await upload();
      await db.write(changeReport, shown, { visibility: "public" });
      const serverId = server.id;
      expect(await idsFor(viewer(account), { serverId })).toEqual([shown]);
      expect(await idsFor(viewer(account), { serverId, mine: true })).toEqual([shown]);
      const stranger = await newAccount(db);
      for (const who of [viewer(stranger), admin(stranger), nobody]) {
        expect(await idsFor(who, { serverId })).toEqual([]);
        expect(await idsFor(who, { serverId, mine: true })).toEqual([]);
      }
    });
  });
});
