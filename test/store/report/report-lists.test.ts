import type { Database } from "../../../src/store/engine/database.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReports } from "../../../src/store/report/report-lists.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { TimePosition } from "../../../src/core/position.ts";
import type { ReportRecord, ReportFilter } from "../../../src/core/report/records.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
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
      await db.write(changeReport, ids[1] ?? "", { visibility: "public" });
      expect(await idsFor(viewer(account))).toEqual(ids.toReversed());
      expect(await idsFor(nobody)).toEqual([ids[1]]);
      await db.write(changeReport, ids[1] ?? "", { visibility: "private" });
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
