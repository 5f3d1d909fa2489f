import { expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { launched, newTarget } from "./auto-bench-rows.ts";
import { minute, newDigest, noon } from "../engine/rows.ts";

eachDatabase((databases) => {
  it("[AUT-13] [OUR-AUT-01] [OUR-AUT-16] a job whose agent talks on is over five minutes after it was asked to stop", async () => {
    const stores = storesOn(await databases.open());
    const { autoBenchJobs: jobs } = stores;
    const target = await newTarget(stores, { consecutiveFailures: 2 });
    await launched(stores, target);
    const taken = await jobs.claim({ runnerId: "runner", agentId: "agent", nonce: newDigest() }, noon);
    if (!taken) throw new Error("Nothing to claim.");
    const { id, nonce } = taken.job;
    const voice = (now: number) => ({ jobId: id, runnerId: "runner", nonce, now });
    const talk = (now: number) =>
      jobs.heartbeat(voice(now), { percent: 5, stage: "running_tests", runIndex: 1 });
    const shown = async (now: number) =>
      (await jobs.list(target.accountId, { status: null, targetId: target.id }, null, 1, now))[0];

    await talk(noon + minute);
    const asked = noon + 2 * minute;
    await jobs.cancel(id, target.accountId, asked);
    for (const minutes of [1, 2, 3, 4]) expect((await talk(asked + minutes * minute))?.stop).toBe(true);
    await jobs.cancel(id, target.accountId, asked + 4 * minute);

    const end = asked + 5 * minute;
    expect(await jobs.overdue(end - 1, "", 10)).toEqual([]);
    await jobs.settle(id, end - 1);
    expect((await shown(end - 1))?.status).toBe("cancelling");
    expect(await jobs.overdue(end, "", 10)).toEqual([id]);
    await jobs.settle(id, end);
    const over = { status: "cancelled", errorCode: null, finishedAt: end, percent: 5 };
    expect(await shown(end)).toMatchObject(over);

    expect((await talk(end + 15_000))?.stop).toBe(true);
    const finish = (outcome: "failed" | "cancelled") =>
      jobs.finish(voice(end + 16_000), { outcome, errorCode: null });
    expect([await finish("failed"), await finish("cancelled")]).toEqual(["refused", "finished"]);
    expect(await shown(end + 16_000)).toMatchObject(over);
    expect((await launched(stores, target, end + minute)).status).toBe("queued");
  });

  it("[AUT-13] [OUR-AUT-01] a heartbeat that comes too late ends such a job by itself", async () => {
    const stores = storesOn(await databases.open());
    const { autoBenchJobs: jobs } = stores;
    const target = await newTarget(stores);
    const job = await launched(stores, target);
    const nonce = newDigest();
    await jobs.claim({ runnerId: "runner", agentId: "agent", nonce }, noon);
    await jobs.cancel(job.id, target.accountId, noon + minute);
    const voice = { jobId: job.id, runnerId: "runner", nonce, now: noon + 6 * minute };
    expect(await jobs.heartbeat(voice, { percent: 9, stage: null, runIndex: null })).toEqual({
      stop: true,
      reports: 0,
    });
    expect((await launched(stores, target, noon + 6 * minute)).status).toBe("queued");
  });
});
