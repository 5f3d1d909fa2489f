import { updateCollection } from "../../../src/store/server/collections.ts";
import { selectTargets, selectDueTargets } from "../../../src/store/auto-bench/targets.ts";
import { changeTarget, removeTarget } from "../../../src/services/auto-bench/change-target.ts";
import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { selectJobs, countSpentRuns } from "../../../src/store/auto-bench/jobs.ts";
import { cancelJob } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { holdJob } from "../../../src/services/auto-bench/hold-job.ts";
import { selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { expect, it } from "vitest";
import { eachDatabase } from "../../support/databases.ts";
import { launched, launchOf, newTarget } from "./auto-bench-rows.ts";
import { minute, newAccount, newDigest, newServer, noon } from "../engine/rows.ts";

const hour = 60 * minute;
const every = { enabled: null, includeInternal: true };

eachDatabase((databases) => {
  it("[OUR-TGT-03] a target that is deleted fires no more, and what its jobs took stays taken", async () => {
    const db = await databases.open();
    const account = await newAccount(db, { plan: "pro" });
    const { server } = await newServer(db, account);
    const target = await newTarget(db, {
      accountId: account.id,
      serverId: server.id,
      runsPerJob: 3,
      scheduleCron: "0 13 * * *",
      nextRunAt: noon + hour,
    });
    const job = await launched(db, target);
    expect(await db.write(removeTarget, target.id, account.id, noon)).toEqual({
      kind: "already_running",
      jobId: job.id,
    });
    const taken = await claimNextJob(db, { runnerId: "runner", agentId: "agent", nonce: newDigest() }, noon);
    expect(taken?.job.id).toBe(job.id);
    const other = await newAccount(db);
    const later = noon + 30 * minute;
    expect(await db.write(removeTarget, target.id, other.id, later)).toEqual({ kind: "not_found" });
    await db.write(holdJob, job.id, later);
    expect(await db.write(removeTarget, target.id, account.id, later)).toEqual({
      kind: "already_running",
      jobId: job.id,
    });
    await db.write(cancelJob, job.id, account.id, later);
    expect(await db.write(removeTarget, target.id, account.id, later)).toEqual({ kind: "removed" });

    expect(await db.read(selectTargets, account.id, every, null, 10)).toEqual([]);
    expect(await db.read(selectDueTargets, noon + 2 * hour, 10)).toEqual([]);
    expect(await db.write(removeTarget, target.id, account.id, later)).toEqual({ kind: "not_found" });
    for (const trigger of ["run_now", "schedule"] as const)
      expect(await db.write(launchJob, launchOf(target, later, trigger))).toEqual({ kind: "not_found" });
    const [listed] = await db.read(selectJobs, account.id, { status: null, targetId: null }, null, 10, later);
    expect(listed?.id).toBe(job.id);
    expect(await db.read(countSpentRuns, account.id, later)).toBe(3);
    expect(await db.read(countSpentRuns, account.id, noon + 25 * hour)).toBe(0);
  });

  it("[OUR-TGT-06] a target's mode and runs stay while its job is in flight, and a job that time ended is none", async () => {
    const db = await databases.open();
    const account = await newAccount(db, { plan: "pro" });
    const { server } = await newServer(db, account);
    const target = await newTarget(db, { accountId: account.id, serverId: server.id });
    const job = await launched(db, target);
    const other = () => ({ mode: "stresslimit" as const, runsPerJob: 2 });
    const refused = { kind: "already_running", jobId: job.id };
    expect(await db.write(changeTarget, target.id, account.id, noon, other)).toEqual(refused);
    const same = () => ({ mode: target.mode, runsPerJob: target.runsPerJob, name: "Other" });
    expect(await db.write(changeTarget, target.id, account.id, noon, same)).toMatchObject({
      kind: "changed",
    });
    const later = noon + 31 * minute;
    expect(await db.write(changeTarget, target.id, account.id, later, other)).toMatchObject({
      kind: "changed",
    });
    expect(await db.read(selectTargets, account.id, every, null, 10)).toMatchObject([
      { ...other(), name: "Other", consecutiveFailures: 1, lastJob: { status: "timed_out" } },
    ]);
  });

  it("[OUR-TGT-03] the operator's are deleted by nobody else", async () => {
    const db = await databases.open();
    const target = await newTarget(db, { kind: "one_off" });
    expect(await db.write(removeTarget, target.id, target.accountId, noon)).toEqual({
      kind: "internal_target",
    });
  });

  it("[OUR-PPG-11] what a plugin is asked for is kept until it came", async () => {
    const db = await databases.open();
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const asked = async () => (await db.read(selectMonitoredServer, server.id, account.id))?.collecting;
    expect(await asked()).toEqual({ profile: null, class_histogram: null });
    await db.write(updateCollection, server.id, "profile", noon);
    await db.write(updateCollection, server.id, "class_histogram", noon + minute);
    expect(await asked()).toEqual({ profile: noon, class_histogram: noon + minute });
    await db.write(updateCollection, server.id, "profile", null);
    expect(await asked()).toEqual({ profile: null, class_histogram: noon + minute });
  });
});
