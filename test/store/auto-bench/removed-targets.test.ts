import { expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { launched, launchOf, newTarget } from "./auto-bench-rows.ts";
import { minute, newAccount, newDigest, newServer, noon } from "../engine/rows.ts";

const hour = 60 * minute;
const every = { enabled: null, includeInternal: true };

eachDatabase((databases) => {
  it("[OUR-TGT-03] a target that is deleted fires no more, and what its jobs took stays taken", async () => {
    const stores = storesOn(await databases.open());
    const { autoBenchTargets: targets, autoBenchJobs: jobs } = stores;
    const account = await newAccount(stores, { plan: "pro" });
    const { server } = await newServer(stores, account);
    const target = await newTarget(stores, {
      accountId: account.id,
      serverId: server.id,
      runsPerJob: 3,
      scheduleCron: "0 13 * * *",
      nextRunAt: noon + hour,
    });
    const job = await launched(stores, target);
    expect(await targets.remove(target.id, account.id, noon)).toEqual({
      kind: "already_running",
      jobId: job.id,
    });
    const taken = await jobs.claim({ runnerId: "runner", agentId: "agent", nonce: newDigest() }, noon);
    expect(taken?.job.id).toBe(job.id);
    const other = await newAccount(stores);
    const later = noon + 30 * minute;
    expect(await targets.remove(target.id, other.id, later)).toEqual({ kind: "not_found" });
    await jobs.settle(job.id, later);
    expect(await targets.remove(target.id, account.id, later)).toEqual({
      kind: "already_running",
      jobId: job.id,
    });
    await jobs.cancel(job.id, account.id, later);
    expect(await targets.remove(target.id, account.id, later)).toEqual({ kind: "removed" });

    expect(await targets.list(account.id, every, null, 10)).toEqual([]);
    expect(await targets.due(noon + 2 * hour, 10)).toEqual([]);
    expect(await targets.remove(target.id, account.id, later)).toEqual({ kind: "not_found" });
    for (const trigger of ["run_now", "schedule"] as const)
      expect(await jobs.launch(launchOf(target, later, trigger))).toEqual({ kind: "not_found" });
    const [listed] = await jobs.list(account.id, { status: null, targetId: null }, null, 10, later);
    expect(listed?.id).toBe(job.id);
    expect(await jobs.spentRuns(account.id, later)).toBe(3);
    expect(await jobs.spentRuns(account.id, noon + 25 * hour)).toBe(0);
  });

  it("[OUR-TGT-06] a target's mode and runs stay while its job is in flight, and a job that time ended is none", async () => {
    const stores = storesOn(await databases.open());
    const { autoBenchTargets: targets } = stores;
    const account = await newAccount(stores, { plan: "pro" });
    const { server } = await newServer(stores, account);
    const target = await newTarget(stores, { accountId: account.id, serverId: server.id });
    const job = await launched(stores, target);
    const other = () => ({ mode: "stresslimit" as const, runsPerJob: 2 });
    const refused = { kind: "already_running", jobId: job.id };
    expect(await targets.change(target.id, account.id, noon, other)).toEqual(refused);
    const same = () => ({ mode: target.mode, runsPerJob: target.runsPerJob, name: "Other" });
    expect(await targets.change(target.id, account.id, noon, same)).toMatchObject({ kind: "changed" });
    const later = noon + 31 * minute;
    expect(await targets.change(target.id, account.id, later, other)).toMatchObject({ kind: "changed" });
    expect(await targets.list(account.id, every, null, 10)).toMatchObject([
      { ...other(), name: "Other", consecutiveFailures: 1, lastJob: { status: "timed_out" } },
    ]);
  });

  it("[OUR-TGT-03] the operator's are deleted by nobody else", async () => {
    const stores = storesOn(await databases.open());
    const target = await newTarget(stores, { kind: "one_off" });
    expect(await stores.autoBenchTargets.remove(target.id, target.accountId, noon)).toEqual({
      kind: "internal_target",
    });
  });

  it("[OUR-PPG-11] what a plugin is asked for is kept until it came", async () => {
    const stores = storesOn(await databases.open());
    const account = await newAccount(stores);
    const { server } = await newServer(stores, account);
    const asked = async () => (await stores.servers.findMonitored(server.id, account.id))?.collecting;
    expect(await asked()).toEqual({ profile: null, class_histogram: null });
    await stores.collections.ask(server.id, "profile", noon);
    await stores.collections.ask(server.id, "class_histogram", noon + minute);
    expect(await asked()).toEqual({ profile: noon, class_histogram: noon + minute });
    await stores.collections.settle(server.id, "profile");
    expect(await asked()).toEqual({ profile: null, class_histogram: noon + minute });
  });
});
