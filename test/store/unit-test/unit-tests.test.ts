import { pruneAll } from "../../../src/services/job/prune.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { storeUnitTests } from "../../../src/services/unit-test/store-unit-tests.ts";
import { selectUnitTest, selectUnitTests } from "../../../src/store/unit-test/unit-tests.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { systemSecrets } from "../../../src/app/access/secrets.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { keptMs } from "../../../src/core/job/kept-for.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import type { UnitTestRecord, NewUnitTest, UnitTestFilter } from "../../../src/core/unit-test/records.ts";
import type { Visibility } from "../../../src/core/report/report.ts";
import type { Viewer } from "../../../src/core/viewer.ts";
import { run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import type { Json } from "../../support/payload.ts";
import { newUnitTest, rampPayload, unitTestPayload } from "../../support/unit-test.ts";
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
const everything: UnitTestFilter = {
  mine: false,
  testId: null,
  category: null,
  benchmarkMode: null,
  parentReportId: null,
  serverId: null,
};
const secrets = systemSecrets();
const show = query<{ id: string; visibility: string }>()((db, $) =>
  db.updateTable("unit_test").set({ visibility: $.visibility }).where("id", "=", $.id),
);
const addProvider = query<{ id: string; name: string }>()((db, $) =>
  db.insertInto("provider").values({ id: $.id, name: $.name, url: null }),
);
const addOffer = query<{ id: string; provider: string }>()((db, $) =>
  db
    .insertInto("offer")
    .values({ id: $.id, provider_id: $.provider, name: "Iron 8", type: "game", updated_at: noon }),
);
const choose = query<{ id: string; offer: string }>()((db, $) =>
  db.updateTable("server").set({ offer_id: $.offer }).where("id", "=", $.id),
);

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  /** An account with a server, and a way to upload from it. */
  async function uploader({ verified = true } = {}) {
    const account = await newAccount(db);
    const { server, code } = await newServer(db, account);
    if (verified) await verify(db, code);
    const upload = async (payload: Json = {}, changes: Partial<NewUnitTest> = {}) => {
      const test = newUnitTest({ secrets }, server, unitTestPayload(payload), {
        createdAt: noon,
        ...changes,
      });
      await db.write(storeUnitTests, [test]);
      return test;
    };
    const publish = (id: string, visibility: Visibility) => db.write(() => run(show, { id, visibility }));
    return { account, server, upload, publish };
  }

  const idsFor = async (who: Viewer, filter: Partial<UnitTestFilter> = {}, now = noon): Promise<string[]> =>
    (await db.read(selectUnitTests, who, { ...everything, ...filter }, null, 1000, now)).map(({ id }) => id);

  describe("who sees a single test", () => {
    const everyone = ["nobody", "stranger", "author", "holder", "admin"];
    it.each([
      { visibility: "public", open: everyone, list: everyone },
      { visibility: "unlisted", open: everyone, list: ["author", "holder"] },
      { visibility: "private", open: ["author", "holder", "admin"], list: ["author", "holder"] },
    ] as const)("[UNI-14] [OUR-UNI-11] $visibility: opened by $open, listed for $list", async (expected) => {
      const { account: author, server, upload, publish } = await uploader();
      const { id, shortId } = await upload({}, { expiresAt: noon + day });
      await publish(id, expected.visibility);
      const [holder, stranger] = [await newAccount(db), await newAccount(db)];
      await db.write(() => run(setHolder, { id: server.id, account: holder.id }));
      const who = { nobody, stranger: viewer(stranger), author: viewer(author), holder: viewer(holder) };
      const all: Record<string, Viewer> = { ...who, admin: admin(stranger) };
      const seen = { open: [] as string[], list: [] as string[], late: 0 };
      for (const [name, eyes] of Object.entries(all)) {
        if (await db.read(selectUnitTest, shortId, eyes, noon)) seen.open.push(name);
        if ((await idsFor(eyes)).includes(id)) seen.list.push(name);
        if (await db.read(selectUnitTest, id, eyes, noon + day)) seen.late += 1;
        if ((await idsFor(eyes, {}, noon + day)).includes(id)) seen.late += 1;
      }
      expect(seen).toEqual({ open: expected.open, list: expected.list, late: 0 });
    });

    it("[UNI-14] [OUR-UNI-11] holding an unverified server opens nothing", async () => {
      const { server, upload } = await uploader({ verified: false });
      const { id } = await upload();
      const holder = await newAccount(db);
      await db.write(() => run(setHolder, { id: server.id, account: holder.id }));
      expect(await db.read(selectUnitTest, id, viewer(holder), noon)).toBeNull();
      expect(await idsFor(viewer(holder))).not.toContain(id);
    });
  });

  describe("an upload", () => {
    it("[OUR-UNI-02] of the same local ids, sent twelve times at once, is the same tests in their order", async () => {
      const { account, server } = await uploader();
      const bodies = times(5).map((index) => unitTestPayload({ local_id: `same-${index}` }));
      const make = () =>
        [...bodies, bodies[0] ?? {}].map((body) =>
          newUnitTest({ secrets }, server, body, { createdAt: noon }),
        );
      const answers = await Promise.all(times(12).map(() => db.write(storeUnitTests, make())));
      expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(5);
      expect(new Set(answers.map(({ ids }) => ids.join(" "))).size).toBe(1);
      expect(new Set(answers[0]?.ids).size).toBe(5);
      expect(answers[0]?.ids[5]).toBe(answers[0]?.ids[0]);
      expect(await idsFor(viewer(account), { mine: true })).toHaveLength(5);
    });

    it("[OUR-UNI-01] of a hundred tests is stored whole, and found as it was sent", async () => {
      const { account, server } = await uploader();
      const tests = times(100).map((index) =>
        newUnitTest({ secrets }, server, rampPayload({ test_id: `own_${index}` }), {
          createdAt: noon,
          testedAt: noon - day,
        }),
      );
      const { ids, created } = await db.write(storeUnitTests, tests);
      expect([created, ids]).toEqual([100, tests.map(({ id }) => id)]);
      const found = await db.read(selectUnitTest, ids[41] ?? "", viewer(account), noon);
      expect(found).toMatchObject({ testedAt: noon - day, provider: null, visibility: "private" });
      expect(found?.content).toEqual(tests[41]?.content);
      expect(await db.write(storeUnitTests, [])).toEqual({ ids: [], created: 0 });
    });

    it("[OUR-UNI-13] keeps the name of the provider the server was at", async () => {
      const { account, server, upload } = await uploader();
      await db.write(function* () {
        yield* run(addProvider, { id: `p ${server.id}`, name: "Foundry" });
        yield* run(addOffer, { id: `o ${server.id}`, provider: `p ${server.id}` });
      });
      const before = await upload();
      await db.write(() => run(choose, { id: server.id, offer: `o ${server.id}` }));
      const after = await upload();
      const providerOf = async (id: string) =>
        (await db.read(selectUnitTest, id, viewer(account), noon))?.provider;
      expect([await providerOf(before.id), await providerOf(after.id)]).toEqual([null, "Foundry"]);
    });
  });

  describe("the report it belongs to", () => {
    it("[OUR-UNI-06] is one of the same server, or none", async () => {
      const [ann, bob] = [await uploader(), await uploader()];
      const report = newReport(ann.account, ann.server, { localId: "run" });
      await db.write(addReport, report);
      const known = await ann.upload({ parent_report_local_id: "run" });
      const unknown = await ann.upload({ parent_report_local_id: "other" });
      const foreign = await bob.upload({ parent_report_local_id: "run" });
      const parentOf = async (test: NewUnitTest, who: Viewer) =>
        (await db.read(selectUnitTest, test.id, who, noon))?.parentReportId;
      expect(await parentOf(known, viewer(ann.account))).toBe(report.id);
      expect(await parentOf(unknown, viewer(ann.account))).toBeNull();
      expect(await parentOf(foreign, viewer(bob.account))).toBeNull();
    });

    it("[OUR-UNI-07] is named and filtered by, in full and short, where the viewer's list shows it", async () => {
      const { account, server, upload, publish } = await uploader();
      const report = newReport(account, server, { localId: "run" });
      await db.write(addReport, report);
      const { id } = await upload({ parent_report_local_id: "run" });
      await publish(id, "public");
      const named = async (who: Viewer) => [
        (await db.read(selectUnitTest, id, who, noon))?.parentReportId,
        await idsFor(who, { parentReportId: report.id }),
        await idsFor(who, { parentReportId: report.shortId }),
      ];
      const shown = [report.id, [id], [id]];
      expect(await named(viewer(account))).toEqual(shown);
      for (const visibility of ["private", "unlisted"] as const) {
        await db.write(changeReport, report.id, { visibility });
        await publish(id, "public");
        expect(await named(nobody)).toEqual([null, [], []]);
      }
      await db.write(changeReport, report.id, { visibility: "public" });
      expect(await named(nobody)).toEqual(shown);
      const own = { parentReportId: report.id, mine: true };
      expect(await idsFor(viewer(account), { ...own, serverId: server.id })).toEqual([id]);
      expect(await idsFor(viewer(await newAccount(db)), own)).toEqual([]);
      expect(await idsFor(viewer(account), { ...own, testId: "other" })).toEqual([]);
      expect(await idsFor(viewer(account), { parentReportId: "zzzzzzzzzzzz" })).toEqual([]);
    });

    it("[OUR-UNI-09] takes its tests along, but those whose description may not be published", async () => {
      const { account, server, upload } = await uploader();
      const report = newReport(account, server, { localId: "run" });
      await db.write(addReport, report);
      const parent = { parent_report_local_id: "run" };
      const [plain, bad, other] = [
        await upload(parent),
        await upload({ ...parent, description: "bad" }),
        await upload(),
      ];
      const seen = async () => {
        const rows = await db.read(selectUnitTests, viewer(account), everything, null, 10, noon);
        return [plain, bad, other].map((test) => rows.find(({ id }) => id === test.id)?.visibility);
      };
      await db.write(changeReport, report.id, { visibility: "public" }, undefined, (text) => text !== "bad");
      expect(await seen()).toEqual(["public", "private", "private"]);
      await db.write(changeReport, report.id, { description: "x" });
      expect(await seen()).toEqual(["public", "private", "private"]);
      await db.write(changeReport, report.id, { visibility: "private" });
      expect(await seen()).toEqual(["private", "private", "private"]);
    });
  });

  describe("the list", () => {
    it("[UNI-01] is newest first and walked page by page without a loss or a repeat", async () => {
      const { account, upload } = await uploader();
      const ids = new Set<string>();
      for (const index of times(9)) ids.add((await upload({}, { createdAt: noon - (index % 3) })).id);
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (const _ of times(6)) {
        const rows: UnitTestRecord[] = await db.read(
          selectUnitTests,
          viewer(account),
          { ...everything, mine: true },
          after,
          2,
          noon,
        );
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        after = last ? { at: last.createdAt, id: last.id } : null;
        if (!last) break;
      }
      expect(walked).toHaveLength(9);
      expect(new Set(walked)).toEqual(ids);
    });

    it("[UNI-01] keeps exact matches of test, category, mode and own server", async () => {
      const [ann, bob] = [await uploader(), await uploader()];
      const mobs = (await ann.upload()).id;
      const disk = (await ann.upload({ test_id: "disk_sequential", category: "disk", metrics: {} })).id;
      const ramp = newUnitTest({ secrets }, ann.server, rampPayload(), { createdAt: noon });
      await db.write(storeUnitTests, [ramp]);
      const foreign = (await bob.upload()).id;
      await bob.publish(foreign, "public");
      const own = viewer(ann.account);
      const keeps = async (filter: Partial<UnitTestFilter>) =>
        new Set(await idsFor(own, { mine: true, ...filter }));
      expect(await keeps({})).toEqual(new Set([mobs, disk, ramp.id]));
      expect(await keeps({ testId: "disk_sequential" })).toEqual(new Set([disk]));
      expect(await keeps({ category: "entities" })).toEqual(new Set([mobs, ramp.id]));
      expect(await keeps({ category: "Entities" })).toEqual(new Set());
      expect(await keeps({ benchmarkMode: "tier" })).toEqual(new Set([ramp.id]));
      expect(await keeps({ serverId: ann.server.id, benchmarkMode: "standard" })).toEqual(
        new Set([mobs, disk]),
      );
      expect(await idsFor(own)).toContain(foreign);
      expect(await idsFor(own, { serverId: bob.server.id })).toEqual([]);
      expect(await idsFor(nobody, { mine: true })).toEqual([]);
    });
  });

  it("[OUR-UNI-10] an upgrade ends what would have expired, and what expired is deleted a month later", async () => {
    const account = await newAccount(db, { plan: "free" });
    const { server } = await newServer(db, account);
    const make = async (expiresAt: number) => {
      const test = newUnitTest({ secrets }, server, unitTestPayload(), { createdAt: noon, expiresAt });
      await db.write(storeUnitTests, [test]);
      return test.id;
    };
    const prune = async (now: number) => {
      for await (const _ of pruneAll(db, now, defaultPlans));
    };
    const [gone, kept] = [await make(noon), await make(noon + day)];
    await db.write(changePlan, account.id, "pro", noon + 1);
    const expiryOf = async (id: string) =>
      (await db.read(selectUnitTest, id, viewer(account), noon - 1))?.expiresAt;
    expect([await expiryOf(gone), await expiryOf(kept)]).toEqual([noon, null]);
    await prune(noon + keptMs.expiredReport);
    expect(await expiryOf(gone)).toBe(noon);
    await prune(noon + keptMs.expiredReport + 1);
    expect([await expiryOf(gone), await expiryOf(kept)]).toEqual([undefined, null]);
  });
});
