import { describe, expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { launched, launchOf, newTarget } from "./auto-bench-rows.ts";
import {
  day,
  minute,
  newAccount,
  newDigest,
  newReport,
  newServer,
  noon,
  times,
  type Stores,
} from "../engine/rows.ts";

const hour = 60 * minute;
const claimOf = (runnerId = "runner") => ({ runnerId, agentId: "agent", nonce: newDigest() });

eachDatabase((databases, kind) => {
  const opened = async () => storesOn(await databases.open());

  const claimed = async (stores: Stores, now = noon, runner = "runner") => {
    const taken = await stores.autoBenchJobs.claim(claimOf(runner), now);
    if (!taken) throw new Error("Nothing to claim.");
    return { job: taken.job, voice: { jobId: taken.job.id, runnerId: runner, nonce: taken.job.nonce, now } };
  };

  const jobOf = async (stores: Stores, account: string, now = noon) => {
    const [job] = await stores.autoBenchJobs.list(account, { status: null, targetId: null }, null, 1, now);
    if (!job) throw new Error("No job.");
    return job;
  };

  describe("a launch", () => {
    it("[AUT-11] [AUT-12] [AUT-18] is refused while a job is in flight, and in the minute after the one before", async () => {
      const stores = await opened();
      const target = await newTarget(stores);
      const job = await launched(stores, target);
      const again = await stores.autoBenchJobs.launch(launchOf(target, noon + 1000));
      expect(again).toEqual({ kind: "already_running", jobId: job.id });
      await stores.autoBenchJobs.cancel(job.id, target.accountId, noon + 2000);
      expect(await stores.autoBenchJobs.launch(launchOf(target, noon + 3000))).toEqual({
        kind: "cooldown",
        waitMs: 57_000,
      });
      expect((await launched(stores, target, noon + minute)).status).toBe("queued");
    });

    it("[AUT-12] [AUT-17] of many at once one is queued for a target, and no more than the plan's runs for an account", async () => {
      const stores = await opened();
      const account = await newAccount(stores);
      const { server } = await newServer(stores, account);
      const make = () => newTarget(stores, { accountId: account.id, serverId: server.id, runsPerJob: 3 });
      const targets = [];
      for (const _ of times(6)) targets.push(await make());
      const results = await Promise.all(
        targets.flatMap((target) => times(3).map(() => stores.autoBenchJobs.launch(launchOf(target)))),
      );
      const count = (which: string) => results.filter(({ kind: result }) => result === which).length;
      console.log(`${kind}: ${count("queued")} of ${results.length} launches at once were queued`);
      expect(count("queued")).toBe(3);
      expect(count("already_running") + count("daily_run_quota_exceeded")).toBe(15);
    });

    it("[AUT-16] [AUT-17] runs leave the quota after 24 hours; unclaimed and internal ones never enter it, failed ones do", async () => {
      const stores = await opened();
      const account = await newAccount(stores);
      const { server } = await newServer(stores, account);
      const common = { accountId: account.id, serverId: server.id, runsPerJob: 3 };
      const target = await newTarget(stores, common);
      const internal = await newTarget(stores, { ...common, kind: "one_off" });
      let now = noon;
      for (const _ of times(3)) {
        await launched(stores, target, now);
        const { voice } = await claimed(stores, now);
        await stores.autoBenchJobs.finish(voice, { outcome: "failed", errorCode: "no_java" });
        await stores.autoBenchTargets.change(target.id, account.id, now, () => ({ enabled: true }));
        now += hour;
      }
      await launched(stores, internal, now, "internal");
      expect(await stores.autoBenchJobs.launch(launchOf(target, now))).toEqual({
        kind: "daily_run_quota_exceeded",
        limit: 10,
        left: 1,
        waitMs: noon + day - now,
      });
      const unclaimed = await launched(stores, target, noon + day);
      await stores.autoBenchJobs.cancel(unclaimed.id, account.id, noon + day);
      await launched(stores, target, noon + day + minute);
    });

    it("[AUT-07] [OUR-AUT-13] of a target of the operator's, of somebody else's and of none is refused", async () => {
      const stores = await opened();
      const target = await newTarget(stores);
      const other = await newAccount(stores);
      const internal = await newTarget(stores, { kind: "certification" });
      const { launch } = stores.autoBenchJobs;
      expect((await launch({ ...launchOf(target), accountId: other.id })).kind).toBe("not_found");
      expect((await launch({ ...launchOf(target), targetId: "none" })).kind).toBe("not_found");
      expect((await launch(launchOf(internal))).kind).toBe("internal_target");
      expect((await launched(stores, internal, noon, "internal")).trigger).toBe("internal");
    });
  });

  describe("the schedule", () => {
    it("[OUR-AUT-14] fires once, says when next, and skips what is too late, in flight or beyond quota and plan", async () => {
      const stores = await opened();
      const at = noon - minute;
      const scheduled = { scheduleCron: "59 11 * * *", nextRunAt: at };
      const target = await newTarget(stores, scheduled);
      const fire = (now: number, one = target) => stores.autoBenchJobs.launch(launchOf(one, now, "schedule"));
      expect((await fire(at - 1)).kind).toBe("not_due");
      expect(await stores.autoBenchTargets.due(at - 1, 10)).toEqual([]);
      expect(await stores.autoBenchTargets.due(at, 10)).toEqual([target.id]);
      const both = await Promise.all([fire(at), fire(at)]);
      expect(both.map((one) => one.kind).toSorted()).toEqual(["not_due", "queued"]);
      const nextRunAt = async () =>
        (
          await stores.autoBenchTargets.list(
            target.accountId,
            { enabled: null, includeInternal: false },
            null,
            1,
          )
        )[0]?.nextRunAt;
      expect(await nextRunAt()).toBe(at + day);
      await stores.autoBenchJobs.claim(claimOf(), at);
      // Nobody started it: it waits once more, so this fire is skipped, and by the next one it is over.
      expect((await fire(at + day)).kind).toBe("already_running");
      expect(await nextRunAt()).toBe(at + 2 * day);
      expect((await fire(at + 2 * day)).kind).toBe("queued");
      expect((await fire(at + 3 * day + 31 * minute)).kind).toBe("not_due");
      expect(await nextRunAt()).toBe(at + 4 * day);
      const free = await newAccount(stores, { plan: "free" });
      const { server } = await newServer(stores, free);
      const lapsed = await newTarget(stores, { accountId: free.id, serverId: server.id, ...scheduled });
      expect((await fire(at, lapsed)).kind).toBe("plan_required");
      expect(await stores.autoBenchTargets.due(at, 10)).toEqual([]);
      expect(
        (await stores.autoBenchTargets.list(free.id, { enabled: true, includeInternal: false }, null, 1))[0],
      ).toMatchObject({ consecutiveFailures: 0, enabled: true });
    });
  });

  describe("a job", () => {
    it("[AUT-10] [AUT-08] [OUR-AUT-15] goes from the queue to its report, and no other runner has a say in it", async () => {
      const stores = await opened();
      const target = await newTarget(stores, { runsPerJob: 2 });
      const account = { ...(await newAccount(stores)), id: target.accountId };
      await launched(stores, target);
      const { job, voice } = await claimed(stores);
      expect(
        await stores.autoBenchJobs.heartbeat(voice, { percent: 5, stage: null, runIndex: null }),
      ).toEqual({
        stop: false,
        reports: 0,
      });
      for (const wrong of [
        { ...voice, nonce: "x" },
        { ...voice, runnerId: "other" },
        { ...voice, jobId: "none" },
      ]) {
        expect(await stores.autoBenchJobs.finish(wrong, { outcome: "failed", errorCode: null })).toBeNull();
        expect(
          await stores.autoBenchJobs.heartbeat(wrong, { percent: 1, stage: null, runIndex: null }),
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
      const server = { ...(await newServer(stores, await newAccount(stores))).server };
      await expect(
        stores.reports.insert(newReport(account, server, { ...upload, serverId: server.id })),
      ).rejects.toThrow("refused");
      const first = await stores.reports.insert(newReport(account, server, { ...upload, localId: "one" }));
      expect(await jobOf(stores, target.accountId)).toMatchObject({ status: "running", startedAt: noon });
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "succeeded", errorCode: null })).toBe(
        "refused",
      );
      const repeated = await stores.reports.insert(newReport(account, server, { ...upload, localId: "one" }));
      expect(repeated).toMatchObject({ id: first.id, created: false });
      const second = await stores.reports.insert(
        newReport(account, server, { ...upload, createdAt: noon + 1, localId: "two" }),
      );
      expect(
        (await stores.autoBenchJobs.heartbeat(voice, { percent: 90, stage: "uploading", runIndex: 2 }))
          ?.reports,
      ).toBe(2);
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "succeeded", errorCode: null })).toBe(
        "finished",
      );
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "succeeded", errorCode: null })).toBe(
        "finished",
      );
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "failed", errorCode: null })).toBe(
        "refused",
      );
      expect(await jobOf(stores, target.accountId)).toMatchObject({
        status: "succeeded",
        percent: 100,
        reportIds: [first.id, second.id],
      });
      await expect(stores.reports.insert(newReport(account, server, upload))).rejects.toThrow("refused");
      const [shown] = await stores.autoBenchTargets.list(
        target.accountId,
        { enabled: null, includeInternal: false },
        null,
        1,
      );
      expect(shown).toMatchObject({ lastJob: { id: job.id, reportId: second.id }, jobInFlightId: null });
    });

    it("[AUT-13] [AUT-14] is asked to stop, and is over when its agent says so", async () => {
      const stores = await opened();
      const target = await newTarget(stores);
      await launched(stores, target);
      const { job, voice } = await claimed(stores);
      const cancel = () => stores.autoBenchJobs.cancel(job.id, target.accountId, noon);
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "cancelled", errorCode: null })).toBe(
        "refused",
      );
      expect(await cancel()).toMatchObject({
        kind: "asked",
        job: { status: "cancelling", cancelRequested: true },
      });
      expect(await cancel()).toMatchObject({ kind: "asked" });
      expect(
        (await stores.autoBenchJobs.heartbeat(voice, { percent: null, stage: null, runIndex: null }))?.stop,
      ).toBe(true);
      expect(await stores.autoBenchJobs.finish(voice, { outcome: "cancelled", errorCode: null })).toBe(
        "finished",
      );
      expect(await cancel()).toMatchObject({ kind: "over", job: { status: "cancelled" } });
      expect((await stores.autoBenchJobs.cancel(job.id, "nobody", noon)).kind).toBe("not_found");
    });

    it("[OUR-AUT-16] is ended by time, which counts as a failure of its target", async () => {
      const stores = await opened();
      const target = await newTarget(stores, {
        consecutiveFailures: 2,
        scheduleCron: "0 4 * * *",
        nextRunAt: noon + day,
      });
      const job = await launched(stores, target);
      expect(await stores.autoBenchJobs.overdue(noon + 30 * minute - 1, "", 10)).toEqual([]);
      expect(await stores.autoBenchJobs.overdue(noon + 30 * minute, "", 10)).toEqual([job.id]);
      await stores.autoBenchJobs.settle(job.id, noon + 30 * minute);
      expect(await jobOf(stores, target.accountId)).toMatchObject({
        status: "timed_out",
        errorCode: "not_claimed",
      });
      const [shown] = await stores.autoBenchTargets.list(
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
      const on = await stores.autoBenchTargets.change(target.id, target.accountId, noon + hour, () => ({
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
