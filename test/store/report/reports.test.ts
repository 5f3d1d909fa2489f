import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReports } from "../../../src/store/report/report-lists.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { Visibility } from "../../../src/core/report/report.ts";
import type { NewReport } from "../../../src/core/report/records.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
import { one, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { certifyReport } from "../offer/certify.ts";
import {
  admin,
  day,
  newAccount,
  newReport,
  newServer,
  nobody,
  noon,
  setHolder,
  times,
  verify,
  viewer,
} from "../engine/rows.ts";

const everything = { mine: false, visibility: null, serverType: null, benchmarkMode: null, serverId: null };

const stored = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select(["payload", "content", "private_notes"]).where("id", "=", $.id),
);

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  /** A report, its author, and who holds its server now, another account. */
  async function uploaded(
    visibility: Visibility,
    { verified = true, changes = {} as Partial<NewReport> } = {},
  ) {
    const [author, holder] = [await newAccount(db), await newAccount(db)];
    const { server, code } = await newServer(db, author);
    if (verified) await verify(db, code);
    const report = newReport(author, server, changes);
    await db.write(addReport, report);
    await db.write(changeReport, report.id, { visibility });
    await db.write(function* () {
      yield* one(setHolder, { id: server.id, account: holder.id });
    });
    return { report, author, holder, server };
  }

  const opens = async (report: NewReport, who: Viewer, now = noon) =>
    (await db.read(selectReport, report.id, who, now)) !== null;
  const lists = async (report: NewReport, who: Viewer, now = noon) =>
    (await db.read(selectReports, who, everything, null, 10_000, now)).some(({ id }) => id === report.id);

  type Who = "nobody" | "stranger" | "author" | "holder" | "admin";
  const viewers = (author: Account, holder: Account, stranger: Account): Record<Who, Viewer> => ({
    nobody,
    stranger: viewer(stranger),
    author: viewer(author),
    holder: viewer(holder),
    admin: admin(stranger),
  });
  const seenBy = async (
    see: (who: Viewer) => Promise<boolean>,
    who: Record<Who, Viewer>,
  ): Promise<string[]> => {
    const seen = [];
    for (const [name, eyes] of Object.entries(who)) if (await see(eyes)) seen.push(name);
    return seen;
  };

  describe("who sees a report", () => {
    const everyone = ["nobody", "stranger", "author", "holder", "admin"];
    const cases = [
      { visibility: "public", certificate: "none", open: everyone, list: everyone },
      { visibility: "public", certificate: "valid", open: everyone, list: everyone },
      { visibility: "unlisted", certificate: "none", open: everyone, list: ["author", "holder"] },
      { visibility: "unlisted", certificate: "valid", open: everyone, list: everyone },
      { visibility: "unlisted", certificate: "over", open: everyone, list: ["author", "holder"] },
      {
        visibility: "private",
        certificate: "none",
        open: ["author", "holder", "admin"],
        list: ["author", "holder"],
      },
      {
        visibility: "private",
        certificate: "valid",
        open: ["author", "holder", "admin"],
        list: ["author", "holder"],
      },
      {
        visibility: "private",
        certificate: "over",
        open: ["author", "holder", "admin"],
        list: ["author", "holder"],
      },
    ] as const;

    it.each(cases)(
      "[REP-15] [REP-16] [REP-17] [REP-19] [REP-20] $visibility with certificate $certificate: opened by $open, listed for $list",
      async ({ visibility, certificate, open, list }) => {
        const { report, author, holder } = await uploaded(visibility);
        if (certificate !== "none")
          await certifyReport(db, report.id, noon - day, certificate === "valid" ? noon + 1 : noon);
        const who = viewers(author, holder, await newAccount(db));
        expect(await seenBy((eyes) => opens(report, eyes), who)).toEqual(open);
        expect(await seenBy((eyes) => lists(report, eyes), who)).toEqual(list);
      },
    );

    it.each(["private", "unlisted"] as const)(
      "[REP-17] [REP-20] holding an unverified server opens no %s report's doors",
      async (visibility) => {
        const { report, holder } = await uploaded(visibility, { verified: false });
        expect(await opens(report, viewer(holder))).toBe(visibility === "unlisted");
        expect(await lists(report, viewer(holder))).toBe(false);
      },
    );

    it.each(["public", "unlisted", "private"] as const)(
      "[ACC-26] nobody sees a %s one from the instant it expires, certified or not",
      async (visibility) => {
        const { report, author, holder } = await uploaded(visibility, { changes: { expiresAt: noon + day } });
        await certifyReport(db, report.id, noon, noon + 9 * day);
        const who = viewers(author, holder, await newAccount(db));
        expect(await opens(report, who.author, noon + day - 1)).toBe(true);
        expect(await seenBy((eyes) => opens(report, eyes, noon + day), who)).toEqual([]);
        expect(await seenBy((eyes) => lists(report, eyes, noon + day), who)).toEqual([]);
      },
    );
  });

  it("[REP-05] a report is found by its full and by its short id, as it was uploaded", async () => {
    const { report, author, holder, server } = await uploaded("public", {
      changes: { description: "Two runs" },
    });
    const found = await db.read(selectReport, report.shortId, nobody, noon);
    const { localId: _localId, payload: _payload, ...facts } = report;
    expect(found).toEqual({
      ...facts,
      holderId: holder.id,
      holderVerified: true,
      visibility: "public",
      label: null,
      certifiedAt: null,
      certificateExpiresAt: null,
    });
    expect(found).toEqual(await db.read(selectReport, report.id, nobody, noon));
    expect(found).toMatchObject({ authorId: author.id, serverId: server.id });
    expect(await db.read(selectReport, report.localId, nobody, noon)).toBeNull();
  });

  describe("an upload", () => {
    it("[OUR-STO-29] sent twelve times at once is one report, and everyone is told which", async () => {
      const author = await newAccount(db);
      const { server } = await newServer(db, author);
      const uploads = times(12).map(() => newReport(author, server, { localId: "bench-1" }));
      const results = await Promise.all(uploads.map((report) => db.write(addReport, report)));
      expect(results.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(results.map(({ id, shortId }) => `${id} ${shortId}`)).size).toBe(1);
      expect(
        await db.read(selectReports, viewer(author), { ...everything, mine: true }, null, 10, noon),
      ).toHaveLength(1);
    });

    it("[OUR-STO-29] of the same local id from another server is another report", async () => {
      const author = await newAccount(db);
      for (const _ of times(2)) {
        const { server } = await newServer(db, author);
        expect((await db.write(addReport, newReport(author, server, { localId: "bench-1" }))).created).toBe(
          true,
        );
      }
    });

    it("[OUR-STO-30] starts private, and its payload is kept as it came", async () => {
      const author = await newAccount(db);
      const { server } = await newServer(db, author);
      const payload = '{"b":1,"a":"\\u0000 \\ud83d","n":1e400}';
      const report = newReport(author, server, { payload });
      await db.write(addReport, report);
      expect((await db.read(selectReport, report.id, viewer(author), noon))?.visibility).toBe("private");
      expect((await db.read(() => one(stored, { id: report.id })))?.payload).toBe(payload);
    });
  });

  describe("edits", () => {
    it("[REP-03] of different fields made at once all hold", async () => {
      const { report } = await uploaded("private");
      const edits = [
        { visibility: "unlisted" },
        { description: "Fast" },
        { privateNotes: "Rack 7" },
      ] as const;
      await Promise.all(edits.map((changes) => db.write(changeReport, report.id, changes)));
      expect(await db.read(selectReport, report.id, nobody, noon)).toMatchObject({
        visibility: "unlisted",
        description: "Fast",
      });
      expect((await db.read(() => one(stored, { id: report.id })))?.private_notes).toBe("Rack 7");
    });

    it("[REP-03] [REP-26] null clears a text, an absent one stays, and notes are in no answer", async () => {
      const { report } = await uploaded("public", { changes: { description: "Fast" } });
      await db.write(changeReport, report.id, { privateNotes: "Rack 7" });
      await db.write(changeReport, report.id, { description: null });
      const found = await db.read(selectReport, report.id, nobody, noon);
      expect(found).toMatchObject({ visibility: "public", description: null });
      expect(JSON.stringify(found)).not.toContain("Rack 7");
      expect((await db.read(() => one(stored, { id: report.id })))?.private_notes).toBe("Rack 7");
      await expect(db.write(changeReport, "none", { description: "x" })).resolves.toBeUndefined();
    });
  });
});
