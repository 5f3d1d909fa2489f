import { selectJobs } from "../../../src/store/auto-bench/jobs.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { recordFinish } from "../../../src/services/auto-bench/change-job.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { storeUnitTests } from "../../../src/services/unit-test/store-unit-tests.ts";
import { selectUnitTest } from "../../../src/store/unit-test/unit-tests.ts";
import { expect, it } from "vitest";
import type { NewUnitTest } from "../../../src/core/unit-test/records.ts";
import { one } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newUnitTest, unitTestPayload } from "../../support/unit-test.ts";
import { launched, newTarget } from "../auto-bench/auto-bench-rows.ts";
import { newAccount, newDigest, newId, newReport, newServer, noon, viewer } from "../engine/rows.ts";

const jobOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("unit_test").select(["job_id", "source"]).where("id", "=", $.id),
);

const refuse = (): never => {
  throw new Error("refused");
};

eachDatabase((databases) => {
  async function scene() {
    const db = await databases.open();
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const target = await newTarget(db, { accountId: account.id, serverId: server.id });
    const job = await launched(db, target);
    const nonce = newDigest();
    await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce }, noon);
    const secrets = { newId, newShortId: newDigest };
    const make = (changes: Partial<NewUnitTest> = {}, upload = unitTestPayload()) =>
      newUnitTest({ secrets } as never, server, upload, {
        source: "auto_bench",
        run: { nonce, refuse },
        createdAt: noon,
        ...changes,
      });
    const statusOf = async () =>
      (await db.read(selectJobs, account.id, { status: null, targetId: null }, null, 1, noon))[0]?.status;
    const stored = (id: string) => db.read(() => one(jobOf, { id }));
    const end = () =>
      db.write(
        recordFinish,
        { jobId: job.id, runnerId: "runner", nonce, now: noon },
        { outcome: "failed", errorCode: null },
      );
    return { db, account, server, job, nonce, make, statusOf, stored, end };
  }

  it("[OUR-UNI-16] tests with the nonce of a job in flight are of that job, which they start", async () => {
    const { db, job, make, statusOf, stored } = await scene();
    const { ids, created } = await db.write(storeUnitTests, [make(), make({ run: null, source: "manual" })]);
    expect([created, await statusOf()]).toEqual([2, "running"]);
    expect(await stored(ids[0] ?? "")).toEqual({ job_id: job.id, source: "auto_bench" });
    expect(await stored(ids[1] ?? "")).toEqual({ job_id: null, source: "manual" });
  });

  it("[OUR-UNI-16] [OUR-UNI-12] a job that is over, or another server's, takes none; a repeat is answered", async () => {
    const { db, account, make, end } = await scene();
    const first = make();
    const { ids } = await db.write(storeUnitTests, [first]);
    const { server: other } = await newServer(db, account);
    await expect(db.write(storeUnitTests, [make({ serverId: other.id })])).rejects.toThrow("refused");
    expect(await end()).toBe("finished");
    expect(await db.write(storeUnitTests, [{ ...first, id: newId() }])).toEqual({ ids, created: 0 });
    const fresh = make({ run: null });
    await expect(db.write(storeUnitTests, [first, fresh, make()])).rejects.toThrow("refused");
    expect(await db.read(selectUnitTest, fresh.id, viewer(account), noon)).toBeNull();
  });

  it("[OUR-UNI-08] [OUR-UNI-16] the single test of a job's report is of that job too", async () => {
    const { db, account, server, job, nonce, make, stored } = await scene();
    const test = make({ run: null });
    const report = newReport(account, server, { source: "auto_bench", run: { nonce, refuse } });
    await db.write(addReport, report, null, test);
    expect(await stored(test.id)).toEqual({ job_id: job.id, source: "auto_bench" });
  });
});
