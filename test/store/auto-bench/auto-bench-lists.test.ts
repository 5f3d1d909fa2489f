import type { Database } from "../../../src/store/engine/database.ts";
import { selectTargets } from "../../../src/store/auto-bench/targets.ts";
import { selectJobs, selectOverdueJobs } from "../../../src/store/auto-bench/jobs.ts";
import { cancelJob, recordProgress } from "../../../src/services/auto-bench/change-job.ts";
import { claimNextJob } from "../../../src/services/auto-bench/claim-job.ts";
import { holdJob } from "../../../src/services/auto-bench/hold-job.ts";
import { expect, it } from "vitest";
import { isInFlight } from "../../../src/core/auto-bench/job.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { launched, newTarget } from "./auto-bench-rows.ts";
import type { ClaimResult } from "../engine/claim-worker.ts";
import { copyRows } from "../../support/copied-rows.ts";
import { openRaw } from "../engine/raw-database.ts";
import { minute, newAccount, newDigest, newServer, noon, times } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";

const hour = 60 * minute;

async function claimOne(db: Database) {
  const claim = { runnerId: "runner", agentId: "agent", nonce: newDigest() };
  const taken = await claimNextJob(db, claim, noon);
  if (!taken) throw new Error("Nothing to claim.");
  const voice = { jobId: taken.job.id, runnerId: "runner", nonce: taken.job.nonce, now: noon };
  return { job: taken.job, voice };
}

eachDatabase((databases) => {
  it("[OUR-AUT-16] every wait that ends is found without looking at what is over", async () => {
    const db = await databases.open();
    for (const run of times(40)) {
      const target = await newTarget(db);
      await launched(db, target);
      if (run % 4 === 0) continue;
      const { job, voice } = await claimOne(db);
      if (run % 4 > 1)
        await db.writeRelaxed(recordProgress, voice, { percent: 1, stage: "running_tests", runIndex: 1 });
      if (run % 4 > 2) await db.write(cancelJob, job.id, target.accountId, noon);
    }
    for (const now of [
      noon,
      noon + 5 * minute,
      noon + 10 * minute,
      noon + 30 * minute,
      noon + 41 * minute,
      noon + 90 * minute,
    ]) {
      for (const id of await db.read(selectOverdueJobs, now, "", 100)) await db.write(holdJob, id, now);
    }
    expect(await db.read(selectOverdueJobs, noon + 90 * minute, "", 100)).toEqual([]);
  });

  it("[AUT-01] [AUT-02] [AUT-06] lists are newest first, filtered, and without the operator's targets unless asked", async () => {
    const db = await databases.open();
    const account = await newAccount(db, { plan: "enterprise" });
    const { server } = await newServer(db, account);
    const common = { accountId: account.id, serverId: server.id };
    const targets = [];
    for (const index of times(5)) {
      const kind = index === 4 ? ("one_off" as const) : ("scheduled" as const);
      targets.push(
        await newTarget(db, { ...common, kind, enabled: index % 2 === 0, createdAt: noon + index }),
      );
    }
    const [oldest] = targets;
    if (!oldest) throw new Error("No target.");
    const ids = async (enabled: boolean | null, includeInternal: boolean) =>
      (await db.read(selectTargets, account.id, { enabled, includeInternal }, null, 10)).map(({ id }) => id);
    const all = targets.map(({ id }) => id).toReversed();
    expect(await ids(null, true)).toEqual(all);
    expect(await ids(null, false)).toEqual(all.slice(1));
    expect(await ids(false, false)).toEqual([all[1], all[3]]);
    const jobs = [];
    for (const run of times(3)) {
      const job = await launched(db, oldest, noon + run * hour);
      jobs.unshift(job.id);
      if (run < 2) await db.write(cancelJob, job.id, account.id, noon + run * hour);
    }
    const list = async (
      filter: { status?: "queued" | "cancelled"; targetId?: string },
      after: string | null = null,
    ) =>
      (
        await db.read(
          selectJobs,
          account.id,
          { status: filter.status ?? null, targetId: filter.targetId ?? null },
          after === null ? null : { at: noon + hour, id: after },
          10,
          noon,
        )
      ).map(({ id }) => id);
    expect(await list({})).toEqual(jobs);
    expect(await list({}, jobs[1])).toEqual(jobs.slice(2));
    expect(await list({ status: "queued" })).toEqual(jobs.slice(0, 1));
    expect(await list({ status: "cancelled", targetId: oldest.id })).toEqual(jobs.slice(1));
    expect(await list({ targetId: targets[1]?.id ?? "" })).toEqual([]);
  });
});

eachDatabase((databases, kind) => {
  const start = workers("claim");

  it("[OUR-AUT-17] 1,000 jobs are claimed once each by two service processes with two runners each", async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    const target = await newTarget(db, { accountId: account.id, serverId: server.id, kind: "one_off" });
    const { id } = await launched(db, target, noon, "internal");
    const raw = await openRaw(url);
    await copyRows(raw, "auto_bench_target", 999, { id: `'${target.id}-' || i` });
    await copyRows(raw, "auto_bench_job", 999, {
      id: `'${id}-' || i`,
      target_id: `'${target.id}-' || i`,
      nonce: "'nonce-' || i",
    });
    await raw.close();
    const queued = [id, ...times(999).map((index) => `${id}-${index}`)];
    const processes = await Promise.all(["a", "b"].map((name) => start(url, String(noon), name)));
    const from = performance.now();
    for (const process of processes) process.begin();
    const results = (await Promise.all(processes.map((process) => process.result()))) as ClaimResult[];
    const each = results.map(({ claimed }) => claimed.length);
    const elapsed = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${kind}: 1,000 jobs claimed in ${elapsed} s by two processes, ${each.join(" and ")}`);
    expect(results.flatMap(({ errors }) => errors)).toEqual([]);
    expect(results.flatMap(({ claimed }) => claimed).toSorted()).toEqual(queued.toSorted());
    const [job] = await db.read(selectJobs, account.id, { status: "claimed", targetId: null }, null, 1, noon);
    expect(job && isInFlight(job.status)).toBe(true);
  });
}, sharedKinds);
