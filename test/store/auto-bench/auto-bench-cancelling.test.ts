import { selectJobs, selectOverdueJobs } from "../../../src/store/auto-bench/jobs.ts";
import { cancelJob, recordProgress, recordFinish } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { holdJob } from "../../../src/services/auto-bench/hold-job.ts";
import { expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { launched, newTarget } from "./auto-bench-rows.ts";
import { minute, newDigest, noon } from "../engine/rows.ts";

eachDatabase((databases) => {
  it("[AUT-13] [OUR-AUT-01] [OUR-AUT-16] a job whose agent talks on is over five minutes after it was asked to stop", async () => {
    const db = await databases.open();
    const target = await newTarget(db, { consecutiveFailures: 2 });
    await launched(db, target);
    const taken = await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce: newDigest() }, noon);
    if (!taken) throw new Error("Nothing to claim.");
    const { id, nonce } = taken.job;
    const voice = (now: number) => ({ jobId: id, runnerId: "runner", nonce, now });
    const talk = (now: number) =>
      db.writeRelaxed(recordProgress, voice(now), { percent: 5, stage: "running_tests", runIndex: 1 });
    const shown = async (now: number) =>
      (await db.read(selectJobs, target.accountId, { status: null, targetId: target.id }, null, 1, now))[0];

    await talk(noon + minute);
    const asked = noon + 2 * minute;
    await db.write(cancelJob, id, target.accountId, asked);
    for (const minutes of [1, 2, 3, 4]) expect((await talk(asked + minutes * minute))?.stop).toBe(true);
    await db.write(cancelJob, id, target.accountId, asked + 4 * minute);

    const end = asked + 5 * minute;
    expect(await db.read(selectOverdueJobs, end - 1, "", 10)).toEqual([]);
    await db.write(holdJob, id, end - 1);
    expect((await shown(end - 1))?.status).toBe("cancelling");
    expect(await db.read(selectOverdueJobs, end, "", 10)).toEqual([id]);
    await db.write(holdJob, id, end);
    const over = { status: "cancelled", errorCode: null, finishedAt: end, percent: 5 };
    expect(await shown(end)).toMatchObject(over);

    expect((await talk(end + 15_000))?.stop).toBe(true);
    const finish = (outcome: "failed" | "cancelled") =>
      db.write(recordFinish, voice(end + 16_000), { outcome, errorCode: null });
    expect([await finish("failed"), await finish("cancelled")]).toEqual(["refused", "finished"]);
    expect(await shown(end + 16_000)).toMatchObject(over);
    expect((await launched(db, target, end + minute)).status).toBe("queued");
  });

  it("[AUT-13] [OUR-AUT-01] a heartbeat that comes too late ends such a job by itself", async () => {
    const db = await databases.open();
    const target = await newTarget(db);
    const job = await launched(db, target);
    const nonce = newDigest();
    await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce }, noon);
    await db.write(cancelJob, job.id, target.accountId, noon + minute);
    const voice = { jobId: job.id, runnerId: "runner", nonce, now: noon + 6 * minute };
    expect(await db.writeRelaxed(recordProgress, voice, { percent: 9, stage: null, runIndex: null })).toEqual(
      {
        stop: true,
        reports: 0,
      },
    );
    expect((await launched(db, target, noon + 6 * minute)).status).toBe("queued");
  });
});
