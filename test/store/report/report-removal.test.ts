import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReport, selectReportPayload, selectOwnReport } from "../../../src/store/report/reports.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { removeReport } from "../../../src/services/report/remove-report.ts";
import { storeUnitTests } from "../../../src/services/unit-test/store-unit-tests.ts";
import {
  selectUnitTest,
  updateUnitTestVisibility,
  dropUnitTest,
} from "../../../src/store/unit-test/unit-tests.ts";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newUnitTest, unitTestPayload } from "../../support/unit-test.ts";
import { systemSecrets } from "../../../src/app/access/secrets.ts";
import { certifyReport } from "../offer/certify.ts";
import { day, newAccount, newReport, newServer, noon, viewer } from "../engine/rows.ts";

const secrets = systemSecrets();

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  async function uploaded() {
    const author = await newAccount(db);
    const { server } = await newServer(db, author);
    const report = newReport(author, server);
    await db.write(addReport, report);
    const made = ["own", "another's", "apart"].map((kind) =>
      newUnitTest({ secrets }, { id: server.id, accountId: author.id }, unitTestPayload(), {
        createdAt: noon,
        parentReportLocalId: kind === "apart" ? null : report.localId,
      }),
    );
    const [own, others, apart] = made;
    if (!own || !others || !apart) throw new Error("Three tests were made.");
    const stranger = await newAccount(db);
    const tests = [own, { ...others, authorId: stranger.id }, apart];
    await db.write(storeUnitTests, tests);
    return { author, stranger, report, own, others, apart };
  }

  it("[OUR-RPG-06] a report goes with the single tests that follow it, and no others", async () => {
    const { author, stranger, report, own, others, apart } = await uploaded();
    await db.write(changeReport, report.id, { privateNotes: "mine" });
    expect(await db.read(selectOwnReport, report.id)).toEqual({ privateNotes: "mine", singleTests: 1 });
    expect(await db.write(removeReport, report.id, noon)).toBe("removed");
    expect(await db.read(selectReport, report.id, viewer(author), noon)).toBeNull();
    expect(await db.read(selectReportPayload, report.id)).toBeNull();
    expect(await db.read(selectOwnReport, report.id)).toBeNull();
    const left = async (id: string, who = author) =>
      (await db.read(selectUnitTest, id, viewer(who), noon)) !== null;
    expect([await left(own.id), await left(others.id, stranger), await left(apart.id)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await db.write(removeReport, report.id, noon)).toBe("gone");
  });

  it("[OUR-RPG-07] a certificate holds a report until it ends", async () => {
    const { author, report } = await uploaded();
    await certifyReport(db, report.id, noon, noon + day);
    expect(await db.write(removeReport, report.id, noon + day - 1)).toBe("certified");
    expect(await db.read(selectReport, report.id, viewer(author), noon)).not.toBeNull();
    expect(await db.write(removeReport, report.id, noon + day)).toBe("removed");
  });

  it("[OUR-RPG-08] a single test is published, hidden and deleted by its id alone", async () => {
    const { author, stranger, apart, own } = await uploaded();
    const sees = async (id: string) => (await db.read(selectUnitTest, id, viewer(stranger), noon)) !== null;
    await updateUnitTestVisibility(db, apart.id, "public");
    expect([await sees(apart.id), await sees(own.id)]).toEqual([true, false]);
    await updateUnitTestVisibility(db, apart.id, "private");
    expect(await sees(apart.id)).toBe(false);
    await dropUnitTest(db, apart.id);
    expect(await db.read(selectUnitTest, apart.id, viewer(author), noon)).toBeNull();
    expect(await db.read(selectUnitTest, own.id, viewer(author), noon)).not.toBeNull();
  });
});
