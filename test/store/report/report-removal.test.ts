import { beforeAll, expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newUnitTest, unitTestPayload } from "../../support/unit-test.ts";
import { systemSecrets } from "../../../src/contract/access/secrets.ts";
import { certifyReport } from "../offer/certify.ts";
import { day, newAccount, newReport, newServer, noon, viewer, type Stores } from "../engine/rows.ts";

const secrets = systemSecrets();

eachDatabase((databases) => {
  let db: Database;
  let stores: Stores;
  beforeAll(async () => {
    db = await databases.open();
    stores = storesOn(db);
  });

  async function uploaded() {
    const author = await newAccount(stores);
    const { server } = await newServer(stores, author);
    const report = newReport(author, server);
    await stores.reports.insert(report);
    const made = ["own", "another's", "apart"].map((kind) =>
      newUnitTest({ secrets }, { id: server.id, accountId: author.id }, unitTestPayload(), {
        createdAt: noon,
        parentReportLocalId: kind === "apart" ? null : report.localId,
      }),
    );
    const [own, others, apart] = made;
    if (!own || !others || !apart) throw new Error("Three tests were made.");
    const stranger = await newAccount(stores);
    const tests = [own, { ...others, authorId: stranger.id }, apart];
    await stores.unitTests.insert(tests);
    return { author, stranger, report, own, others, apart };
  }

  it("[OUR-RPG-06] a report goes with the single tests that follow it, and no others", async () => {
    const { author, stranger, report, own, others, apart } = await uploaded();
    await stores.reports.update(report.id, { privateNotes: "mine" });
    expect(await stores.reports.own(report.id)).toEqual({ privateNotes: "mine", singleTests: 1 });
    expect(await stores.reports.remove(report.id, noon)).toBe("removed");
    expect(await stores.reports.find(report.id, viewer(author), noon)).toBeNull();
    expect(await stores.reports.payload(report.id)).toBeNull();
    expect(await stores.reports.own(report.id)).toBeNull();
    const left = async (id: string, who = author) =>
      (await stores.unitTests.find(id, viewer(who), noon)) !== null;
    expect([await left(own.id), await left(others.id, stranger), await left(apart.id)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await stores.reports.remove(report.id, noon)).toBe("gone");
  });

  it("[OUR-RPG-07] a certificate holds a report until it ends", async () => {
    const { author, report } = await uploaded();
    await certifyReport(db, report.id, noon, noon + day);
    expect(await stores.reports.remove(report.id, noon + day - 1)).toBe("certified");
    expect(await stores.reports.find(report.id, viewer(author), noon)).not.toBeNull();
    expect(await stores.reports.remove(report.id, noon + day)).toBe("removed");
  });

  it("[OUR-RPG-08] a single test is published, hidden and deleted by its id alone", async () => {
    const { author, stranger, apart, own } = await uploaded();
    const sees = async (id: string) => (await stores.unitTests.find(id, viewer(stranger), noon)) !== null;
    await stores.unitTests.setVisibility(apart.id, "public");
    expect([await sees(apart.id), await sees(own.id)]).toEqual([true, false]);
    await stores.unitTests.setVisibility(apart.id, "private");
    expect(await sees(apart.id)).toBe(false);
    await stores.unitTests.remove(apart.id);
    expect(await stores.unitTests.find(apart.id, viewer(author), noon)).toBeNull();
    expect(await stores.unitTests.find(own.id, viewer(author), noon)).not.toBeNull();
  });
});
