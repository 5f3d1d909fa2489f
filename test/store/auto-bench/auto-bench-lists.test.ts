import { expect, it } from "vitest";
import { isInFlight } from "../../../src/core/auto-bench/job.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { launched, newTarget } from "./auto-bench-rows.ts";
import type { ClaimResult } from "../engine/claim-worker.ts";
import { minute, newAccount, newDigest, newServer, noon, times, type Stores } from "../engine/rows.ts";
import { workers } from "../engine/workers.ts";

const hour = 60 * minute;

async function claimOne(stores: Stores) {
  const claim = { runnerId: "runner", agentId: "agent", nonce: newDigest() };
  const taken = await stores.autoBenchJobs.claim(claim, noon);
  if (!taken) throw new Error("Nothing to claim.");
  const voice = { jobId: taken.job.id, runnerId: "runner", nonce: taken.job.nonce, now: noon };
  return { job: taken.job, voice };
}

eachDatabase((databases) => {
  it("[OUR-AUT-16] every wait that ends is found without looking at what is over", async () => {
    const stores = storesOn(await databases.open());
    for (const run of times(40)) {
      const target = await newTarget(stores);
      await launched(stores, target);
      if (run % 4 === 0) continue;
      const { job, voice } = await claimOne(stores);
      if (run % 4 > 1)
        await stores.autoBenchJobs.heartbeat(voice, { percent: 1, stage: "running_tests", runIndex: 1 });
      if (run % 4 > 2) await stores.autoBenchJobs.cancel(job.id, target.accountId, noon);
    }
    for (const now of [
      noon,
      noon + 5 * minute,
      noon + 10 * minute,
      noon + 30 * minute,
      noon + 41 * minute,
      noon + 90 * minute,
    ]) {
      for (const id of await stores.autoBenchJobs.overdue(now, "", 100))
        await stores.autoBenchJobs.settle(id, now);
    }
    expect(await stores.autoBenchJobs.overdue(noon + 90 * minute, "", 100)).toEqual([]);
  });

  it("[AUT-01] [AUT-02] [AUT-06] lists are newest first, filtered, and without the operator's targets unless asked", async () => {
    const stores = storesOn(await databases.open());
    const account = await newAccount(stores, { plan: "enterprise" });
    const { server } = await newServer(stores, account);
    const common = { accountId: account.id, serverId: server.id };
    const targets = [];
    for (const index of times(5)) {
      const kind = index === 4 ? ("one_off" as const) : ("scheduled" as const);
      targets.push(
        await newTarget(stores, { ...common, kind, enabled: index % 2 === 0, createdAt: noon + index }),
      );
    }
    const [oldest] = targets;
    if (!oldest) throw new Error("No target.");
    const ids = async (enabled: boolean | null, includeInternal: boolean) =>
      (await stores.autoBenchTargets.list(account.id, { enabled, includeInternal }, null, 10)).map(
        ({ id }) => id,
      );
    const all = targets.map(({ id }) => id).toReversed();
    expect(await ids(null, true)).toEqual(all);
    expect(await ids(null, false)).toEqual(all.slice(1));
    expect(await ids(false, false)).toEqual([all[1], all[3]]);
    const jobs = [];
    for (const run of times(3)) {
      const job = await launched(stores, oldest, noon + run * hour);
      jobs.unshift(job.id);
      if (run < 2) await stores.autoBenchJobs.cancel(job.id, account.id, noon + run * hour);
    }
    const list = async (
      filter: { status?: "queued" | "cancelled"; targetId?: string },
      after: string | null = null,
    ) =>
      (
        await stores.autoBenchJobs.list(
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
    const stores = storesOn(await databases.open(url));
    const account = await newAccount(stores);
    const { server } = await newServer(stores, account);
    const queue = async (): Promise<string> => {
      const target = await newTarget(stores, { accountId: account.id, serverId: server.id, kind: "one_off" });
      return (await launched(stores, target, noon, "internal")).id;
    };
    // No more at once than a slow machine's connections bear.
    const queued: string[] = [];
    for (const _ of times(50)) queued.push(...(await Promise.all(times(20).map(queue))));
    const processes = await Promise.all(["a", "b"].map((name) => start(url, String(noon), name)));
    const from = performance.now();
    for (const process of processes) process.begin();
    const results = (await Promise.all(processes.map((process) => process.result()))) as ClaimResult[];
    const each = results.map(({ claimed }) => claimed.length);
    const elapsed = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${kind}: 1,000 jobs claimed in ${elapsed} s by two processes, ${each.join(" and ")}`);
    expect(results.flatMap(({ errors }) => errors)).toEqual([]);
    expect(results.flatMap(({ claimed }) => claimed).toSorted()).toEqual(queued.toSorted());
    const [job] = await stores.autoBenchJobs.list(
      account.id,
      { status: "claimed", targetId: null },
      null,
      1,
      noon,
    );
    expect(job && isInFlight(job.status)).toBe(true);
  });
}, sharedKinds);
