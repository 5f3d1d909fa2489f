import type { LaunchRequest } from "../../../src/core/auto-bench/records.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { selectTargets, selectDueTargets } from "../../../src/store/auto-bench/targets.ts";
import { changeTarget } from "../../../src/services/auto-bench/change-target.ts";
import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { selectJobs, selectOverdueJobs } from "../../../src/store/auto-bench/jobs.ts";
import { cancelJob, recordProgress, recordFinish } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { holdJob } from "../../../src/services/auto-bench/hold-job.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { describe, expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { launched, launchOf, newTarget } from "./auto-bench-rows.ts";
import { day, minute, newAccount, newDigest, newReport, newServer, noon, times } from "../engine/rows.ts";

const hour = 60 * minute;
const claimOf = (runnerId = "runner") => ({ runnerId, agentId: "agent", nonce: newDigest() });

eachDatabase((databases, kind) => {
  const opened = async () => await databases.open();

  const claimed = async (db: Database, now = noon, runner = "runner") => {
    const taken = await claimNextJob(db, claimOf(runner), now);
    if (!taken) throw new Error("Nothing to claim.");
    return { job: taken.job, voice: { jobId: taken.job.id, runnerId: runner, nonce: taken.job.nonce, now } };
  };

  const jobOf = async (db: Database, account: string, now = noon) => {
    const [job] = await db.read(selectJobs, account, { status: null, targetId: null }, null, 1, now);
    if (!job) throw new Error("No job.");
    return job;
  };

  describe("a launch", () => {
    it("[AUT-11] [AUT-12] [AUT-18] is refused while a job is in flight, and in the minute after the one before", async () => {
      const db = await opened();
      const target = await newTarget(db);
      const job = await launched(db, target);
      const again = await db.write(launchJob, launchOf(target, noon + 1000));
      expect(again).toEqual({ kind: "already_running", jobId: job.id });
      await db.write(cancelJob, job.id, target.accountId, noon + 2000);
      expect(await db.write(launchJob, launchOf(target, noon + 3000))).toEqual({
        kind: "cooldown",
        waitMs: 57_000,
      });
      expect((await launched(db, target, noon + minute)).status).toBe("queued");
    });

    it("[AUT-12] [AUT-17] of many at once one is queued for a target, and no more than the plan's runs for an account", async () => {
      const db = await opened();
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      const make = () => newTarget(db, { accountId: account.id, serverId: server.id, runsPerJob: 3 });
      const targets = [];
      for (const _ of times(6)) targets.push(await make());
      const results = await Promise.all(
        targets.flatMap((target) => times(3).map(() => db.write(launchJob, launchOf(target)))),
      );
      const count = (which: string) => results.filter(({ kind: result }) => result === which).length;
      console.log(`${kind}: ${count("queued")} of ${results.length} launches at once were queued`);
      expect(count("queued")).toBe(3);
      expect(count("already_running") + count("daily_run_quota_exceeded")).toBe(15);
    });

    it("[AUT-16] [AUT-17] runs leave the quota after 24 hours; unclaimed and internal ones never enter it, failed ones do", async () => {
      const db = await opened();
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      const common = { accountId: account.id, serverId: server.id, runsPerJob: 3 };
      const target = await newTarget(db, common);
      const internal = await newTarget(db, { ...common, kind: "one_off" });
      let now = noon;
      for (const _ of times(3)) {
        await launched(db, target, now);
        const { voice } = await claimed(db, now);
        await db.write(recordFinish, voice, { outcome: "failed", errorCode: "no_java" });
        await db.write(changeTarget, target.id, account.id, now, () => ({ enabled: true }));
        now += hour;
      }
      await launched(db, internal, now, "internal");
      expect(await db.write(launchJob, launchOf(target, now))).toEqual({
        kind: "daily_run_quota_exceeded",
        limit: 10,
        left: 1,
        waitMs: noon + day - now,
      });
      const unclaimed = await launched(db, target, noon + day);
      await db.write(cancelJob, unclaimed.id, account.id, noon + day);
      await launched(db, target, noon + day + minute);
    });

    it("[AUT-07] [OUR-AUT-13] of a target of the operator's, of somebody else's and of none is refused", async () => {
      const db = await opened();
      const target = await newTarget(db);
      const other = await newAccount(db);
      const internal = await newTarget(db, { kind: "certification" });
      const launch = (request: LaunchRequest) => db.write(launchJob, request);
      expect((await launch({ ...launchOf(target), accountId: other.id })).kind).toBe("not_found");
      expect((await launch({ ...launchOf(target), targetId: "none" })).kind).toBe("not_found");
      expect((await launch(launchOf(internal))).kind).toBe("internal_target");
      expect((await launched(db, internal, noon, "internal")).trigger).toBe("internal");
    });
  });

  describe("the schedule", () => {
    it("[OUR-AUT-14] fires once, says when next, and skips what is too late, in flight or beyond quota and plan", async () => {
      const db = await opened();
      const at = noon - minute;
      const scheduled = { scheduleCron: "59 11 * * *", nextRunAt: at };
      const target = await newTarget(db, scheduled);
      const fire = (now: number, one = target) => db.write(launchJob, launchOf(one, now, "schedule"));
      expect((await fire(at - 1)).kind).toBe("not_due");
      expect(await db.read(selectDueTargets, at - 1, 10)).toEqual([]);
      expect(await db.read(selectDueTargets, at, 10)).toEqual([target.id]);
      const both = await Promise.all([fire(at), fire(at)]);
      expect(both.map((one) => one.kind).toSorted()).toEqual(["not_due", "queued"]);
      const nextRunAt = async () =>
        (
          await db.read(selectTargets, target.accountId, { enabled: null, includeInternal: false }, null, 1)
        )[0]?.nextRunAt;
      expect(await nextRunAt()).toBe(at + day);
      await claimNextJob(db, claimOf(), at);
      // Nobody started it: it waits once more, so this fire is skipped, and by the next one it is over.
      expect((await fire(at + day)).kind).toBe("already_running");
      expect(await nextRunAt()).toBe(at + 2 * day);
      expect((await fire(at + 2 * day)).kind).toBe("queued");
      expect((await fire(at + 3 * day + 31 * minute)).kind).toBe("not_due");
      expect(await nextRunAt()).toBe(at + 4 * day);
      const free = await newAccount(db, { plan: "free" });
      const { server } = await newServer(db, free);
      const lapsed = await newTarget(db, { accountId: free.id, serverId: server.id, ...scheduled });
      expect((await fire(at, lapsed)).kind).toBe("plan_required");
      expect(await db.read(selectDueTargets, at, 10)).toEqual([]);
      expect(
        (await db.read(selectTargets, free.id, { enabled: true, includeInternal: false }, null, 1))[0],
      ).toMatchObject({ consecutiveFailures: 0, enabled: true });
    });
  });

  describe("a job", () => {
    it("[AUT-10] [AUT-08] [OUR-AUT-15] goes from the queue to its report, and no other runner has a say in it", async () => {
      const db = await opened();
      const target = await newTarget(db, { runsPerJob: 2 });
      const account = { ...(await newAccount(db)), id: target.accountId };
      await launched(db, target);
      const { job, voice } = await claimed(db);
      expect(
        await db.writeRelaxed(recordProgress, voice, { percent: 5, stage: null, runIndex: null }),
      ).toEqual({
        stop: false,
        reports: 0,
      });
      for (const wrong of [
        { ...voice, nonce: "x" },
        { ...voice, runnerId: "other" },
        { ...voice, jobId: "none" },
      ]) {
        expect(await db.write(recordFinish, wrong, { outcome: "failed", errorCode: null })).toBeNull();
        expect(
          await db.writeRelaxed(recordProgress, wrong, { percent: 1, stage: null, runIndex: null }),
        ).toBeNull();
      }
      const refuse = (): never => {
        throw new Error("refused");
      };
      const upload = {
        serverId: target.serverId,
        source: "auto_bench",
        run: { nonce: job.nonce, refuse },
      } as const;
      const server = { ...(await newServer(db, await newAccount(db))).server };
      await expect(
        db.write(addReport, newReport(account, server, { ...upload, serverId: server.id })),
      ).rejects.toThrow("refused");
      const first = await db.write(addReport, newReport(account, server, { ...upload, localId: "one" }));
      expect(await jobOf(db, target.accountId)).toMatchObject({ status: "running", startedAt: noon });
      expect(await db.write(recordFinish, voice, { outcome: "succeeded", errorCode: null })).toBe("refused");
      const repeated = await db.write(addReport, newReport(account, server, { ...upload, localId: "one" }));
      expect(repeated).toMatchObject({ id: first.id, created: false });
      const second = await db.write(
        addReport,
        newReport(account, server, { ...upload, createdAt: noon + 1, localId: "two" }),
      );
      expect(
        (await db.writeRelaxed(recordProgress, voice, { percent: 90, stage: "uploading", runIndex: 2 }))
          ?.reports,
      ).toBe(2);
      expect(await db.write(recordFinish, voice, { outcome: "succeeded", errorCode: null })).toBe("finished");
      expect(await db.write(recordFinish, voice, { outcome: "succeeded", errorCode: null })).toBe("finished");
      expect(await db.write(recordFinish, voice, { outcome: "failed", errorCode: null })).toBe("refused");
      expect(await jobOf(db, target.accountId)).toMatchObject({
        status: "succeeded",
        percent: 100,
        reportIds: [first.id, second.id],
      });
      await expect(db.write(addReport, newReport(account, server, upload))).rejects.toThrow("refused");
      const [shown] = await db.read(
        selectTargets,
        target.accountId,
        { enabled: null, includeInternal: false },
        null,
        1,
      );
      expect(shown).toMatchObject({ lastJob: { id: job.id, reportId: second.id }, jobInFlightId: null });
    });

    it("[AUT-13] [AUT-14] is asked to stop, and is over when its agent says so", async () => {
      const db = await opened();
      const target = await newTarget(db);
      await launched(db, target);
      const { job, voice } = await claimed(db);
      const cancel = () => db.write(cancelJob, job.id, target.accountId, noon);
      expect(await db.write(recordFinish, voice, { outcome: "cancelled", errorCode: null })).toBe("refused");
      expect(await cancel()).toMatchObject({
        kind: "asked",
        job: { status: "cancelling", cancelRequested: true },
      });
      expect(await cancel()).toMatchObject({ kind: "asked" });
      expect(
        (await db.writeRelaxed(recordProgress, voice, { percent: null, stage: null, runIndex: null }))?.stop,
      ).toBe(true);
      expect(await db.write(recordFinish, voice, { outcome: "cancelled", errorCode: null })).toBe("finished");
      expect(await cancel()).toMatchObject({ kind: "over", job: { status: "cancelled" } });
      expect((await db.write(cancelJob, job.id, "nobody", noon)).kind).toBe("not_found");
    });

    it("[OUR-AUT-16] is ended by time, which counts as a failure of its target", async () => {
      const db = await opened();
      const target = await newTarget(db, {
        consecutiveFailures: 2,
        scheduleCron: "0 4 * * *",
        nextRunAt: noon + day,
      });
      const job = await launched(db, target);
      expect(await db.read(selectOverdueJobs, noon + 30 * minute - 1, "", 10)).toEqual([]);
      expect(await db.read(selectOverdueJobs, noon + 30 * minute, "", 10)).toEqual([job.id]);
      await db.write(holdJob, job.id, noon + 30 * minute);
      expect(await jobOf(db, target.accountId)).toMatchObject({
        status: "timed_out",
        errorCode: "not_claimed",
      });
      const [shown] = await db.read(
        selectTargets,
        target.accountId,
        { enabled: false, includeInternal: false },
        null,
        1,
      );
      expect(shown).toMatchObject({
        consecutiveFailures: 3,
        disabledReason: "consecutive_failures",
        nextRunAt: null,
      });
      const on = await db.write(changeTarget, target.id, target.accountId, noon + hour, () => ({
        enabled: true,
      }));
      expect(on).toMatchObject({
        target: {
          consecutiveFailures: 0,
          disabledReason: null,
          enabled: true,
          nextRunAt: Date.UTC(2026, 10, 21, 4),
        },
      });
    });
  });
});
