import { pruneAll } from "../../../src/services/job/prune.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import {
  selectMemoryReports,
  selectMemoryReport,
  selectMemoryDocument,
  readMemoryDiagnosis,
} from "../../../src/store/memory-report/memory-reports.ts";
import { saveMemoryReport } from "../../../src/services/memory-report/save-memory-report.ts";
import { keepMemoryReading } from "../../../src/store/profile/readings.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type {
  MemoryReportRecord,
  MemoryReportFilter,
  NewMemoryReport,
} from "../../../src/core/memory-report/records.ts";
import type { TimePosition } from "../../../src/core/position.ts";
import { one, run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase, everyKind, sharedKinds } from "../../support/databases.ts";
import { everyReport, newMemoryReport } from "../profile/profile-rows.ts";
import { day, newAccount, newServer, noon, times } from "../engine/rows.ts";

const spoilReading = query<{ id: string; diagnosis: Uint8Array; version: number }>()((db, $) =>
  db
    .updateTable("memory_reading")
    .set({ diagnosis: $.diagnosis, version: $.version })
    .where("report_id", "=", $.id),
);
const documents = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("memory_document as d")
    .innerJoin("memory_report as r", "r.id", "d.report_id")
    .select((of) => of.fn.countAll<number>().as("rows"))
    .where("r.server_id", "=", $.server),
);

eachDatabase((databases, kind) => {
  let url: string;
  let db: Database;
  beforeAll(async () => {
    url = await databases.url();
    db = await databases.open(url);
  });

  const insert = async (report: NewMemoryReport): Promise<NewMemoryReport> => {
    await saveMemoryReport(db, report, defaultPlans);
    return report;
  };
  const rowsOf = (account: string, filter: Partial<MemoryReportFilter> = {}) =>
    db.read(selectMemoryReports, account, { ...everyReport, ...filter }, null, 1000);
  const idsOf = async (...asked: Parameters<typeof rowsOf>): Promise<string[]> =>
    (await rowsOf(...asked)).map(({ id }) => id);
  const scene = async (plan: "free" | "pro" = "pro") => {
    const account = await newAccount(db, { plan });
    const { server } = await newServer(db, account, { name: "Lobby" });
    return { account, server };
  };
  const prune = async (now: number): Promise<number> => {
    let total = 0;
    for await (const deleted of pruneAll(db, now, defaultPlans)) total += deleted;
    return total;
  };

  it("[OUR-STO-47] a memory report comes back as it was sent, its document too, and is one a local id", async () => {
    const { account, server } = await scene();
    const report = newMemoryReport(server);
    const { id, head, document } = report;
    expect(await saveMemoryReport(db, report, defaultPlans)).toEqual({ id, created: true });
    const record = { id, serverId: server.id, serverName: "Lobby", uploadedAt: noon, head };
    expect(await rowsOf(account.id)).toEqual([record]);
    expect(await db.read(selectMemoryReport, server.id, id)).toEqual(record);
    expect(Buffer.from(document).equals((await db.read(selectMemoryDocument, id)) ?? Buffer.of())).toBe(true);
    const again = newMemoryReport(server, { localId: head.localId, mode: "full" });
    expect(await saveMemoryReport(db, again, defaultPlans)).toEqual({ id, created: false });
    expect(await db.read(selectMemoryDocument, again.id)).toBeNull();
    const stranger = await scene();
    expect(await db.read(selectMemoryReport, stranger.server.id, id)).toBeNull();
    expect(await idsOf(stranger.account.id, { serverId: server.id })).toEqual([]);
    const unknown = { mode: null, requestedMode: null, fallbackReason: null, heapBytes: null };
    const bare = newMemoryReport(server, {
      ...unknown,
      topOwner: null,
      topOwnerPct: null,
      pluginVersion: null,
      createdAt: null,
    });
    await insert(bare);
    expect((await db.read(selectMemoryReport, server.id, bare.id))?.head).toEqual(bare.head);
  });

  it("[OUR-STO-48] a memory report whose diagnosis is damaged, or of another version, has none until it is made again", async () => {
    const { account, server } = await scene();
    const { id, diagnosis } = await insert(newMemoryReport(server));
    const whole = await readMemoryDiagnosis(db, id);
    expect(whole).toMatchObject({ kind: "analysis", owners: [{ owner: "ShopPlugin" }] });
    for (const bytes of [new Uint8Array(), Buffer.from("JAVA PROFILE 1.0.2")]) {
      await db.write(() => run(spoilReading, { id, diagnosis: bytes, version: 1 }));
      expect(await readMemoryDiagnosis(db, id)).toBeNull();
    }
    await db.write(() => run(spoilReading, { id, diagnosis, version: 0 }));
    expect(await readMemoryDiagnosis(db, id)).toBeNull();
    await db.writeRelaxed(keepMemoryReading, id, diagnosis);
    expect(await readMemoryDiagnosis(db, id)).toEqual(whole);
    await db.writeRelaxed(keepMemoryReading, newMemoryReport(server).id, diagnosis);
    expect(await idsOf(account.id)).toEqual([id]);
  });

  describe("the list", () => {
    it("[OUR-STO-49] is newest first by creation, or upload where that is unknown, and walked without a loss or a repeat", async () => {
      const { account, server } = await scene();
      const { server: second } = await newServer(db, account);
      const made: { at: number; id: string }[] = [];
      for (const index of times(17)) {
        const at = noon - (index % 3);
        const createdAt = index % 4 === 0 ? null : at;
        const report = newMemoryReport(index % 2 === 0 ? server : second, { createdAt }, at);
        made.push({ at, id: (await insert(report)).id });
      }
      const walked: string[] = [];
      let after: TimePosition | null = null;
      for (const _ of times(9)) {
        const rows: MemoryReportRecord[] = await db.read(
          selectMemoryReports,
          account.id,
          everyReport,
          after,
          3,
        );
        walked.push(...rows.map(({ id }) => id));
        const last = rows.at(-1);
        if (!last) break;
        after = { at: last.head.createdAt ?? last.uploadedAt, id: last.id };
      }
      expect(walked).toEqual(
        made.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id),
      );
    });

    it("[OUR-STO-49] keeps exact matches of server, kind and mode, from an instant and before another", async () => {
      const { account, server } = await scene();
      const { server: second } = await newServer(db, account);
      const summary = { kind: "heap-summary", schema: "service-heap-summary/1" } as const;
      const add = async (...report: Parameters<typeof newMemoryReport>) =>
        (await insert(newMemoryReport(...report))).id;
      const quick = await add(server, { createdAt: noon + 3 });
      const full = await add(server, { mode: "full", createdAt: noon + 2 });
      const live = await add(second, { ...summary, mode: "live", createdAt: noon + 1 });
      const bare = await add(second, { ...summary, mode: null, createdAt: noon });
      const keeps = (filter: Partial<MemoryReportFilter>) => idsOf(account.id, filter);
      expect(await keeps({})).toEqual([quick, full, live, bare]);
      expect(await keeps({ kind: "heap-summary" })).toEqual([live, bare]);
      expect(await keeps({ mode: "full" })).toEqual([full]);
      expect(await keeps({ kind: "heap-summary", mode: "full" })).toEqual([]);
      expect(await keeps({ serverId: second.id, mode: "live" })).toEqual([live]);
      expect(await keeps({ from: noon + 1, to: noon + 3 })).toEqual([full, live]);
    });
  });

  describe("what the plan keeps", () => {
    it("[MEM-05] is so many reports a server, the last uploaded", async () => {
      for (const plan of ["free", "pro"] as const) {
        const { account, server } = await scene(plan);
        const most = defaultPlans[plan].memory_reports;
        const made: string[] = [];
        for (const index of times(most + 2))
          made.push((await insert(newMemoryReport(server, { createdAt: noon - index }, noon + index))).id);
        expect(await idsOf(account.id)).toEqual(made.slice(2));
        expect((await db.read(() => one(documents, { server: server.id })))?.rows).toBe(most);
        await prune(noon + 3000 * day);
        expect(await idsOf(account.id)).toEqual(made.slice(2));
      }
    });

    it("[MEM-05] [OUR-STO-50] stays what the larger plan kept until thirty days after a lapse", async () => {
      const { account, server } = await scene("pro");
      const made: string[] = [];
      for (const index of times(10)) made.push((await insert(newMemoryReport(server, {}, noon + index))).id);
      await db.write(changePlan, account.id, "free", noon);
      await prune(noon + 30 * day - 1);
      expect(await idsOf(account.id)).toHaveLength(10);
      await prune(noon + 30 * day);
      expect(new Set(await idsOf(account.id))).toEqual(new Set(made.slice(8)));
    });
  });

  if (sharedKinds.includes(kind))
    it("[OUR-STO-47] [MEM-05] uploads that come at once over several connections are one report each, and no more stay than may", async () => {
      const { account, server } = await scene("free");
      const both = [db, await databases.open(url)];
      const upload = (make: () => NewMemoryReport) =>
        Promise.all(times(8).flatMap(() => both.map((each) => saveMemoryReport(each, make(), defaultPlans))));
      const answers = await upload(() => newMemoryReport(server, { localId: "once" }));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      await upload(() => newMemoryReport(server));
      expect(await idsOf(account.id)).toHaveLength(2);
    });
}, everyKind);
