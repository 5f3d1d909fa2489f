import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { TargetRecord } from "../../../src/core/auto-bench/target.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { cancelAutoBenchJob } from "../../../src/endpoints/api/auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "../../../src/endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "../../../src/endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "../../../src/endpoints/api/auto-bench/run-auto-bench-now.ts";
import { updateAutoBenchTarget } from "../../../src/endpoints/api/auto-bench/update-auto-bench-target.ts";
import { claimJob } from "../../../src/endpoints/agent/claim-job.ts";
import { finishJob } from "../../../src/endpoints/agent/finish-job.ts";
import { sendJobHeartbeat } from "../../../src/endpoints/agent/send-job-heartbeat.ts";
import cancelTool from "../../../tools/cancel-auto-bench-job.ts";
import jobsTool from "../../../tools/list-auto-bench-jobs.ts";
import runTool from "../../../tools/run-auto-bench-now.ts";
import targetsTool from "../../../tools/list-auto-bench-targets.ts";
import updateTool from "../../../tools/update-auto-bench-target.ts";
import { tendAutoBench } from "../../../src/jobs/auto-bench.ts";
import { credentialedServer, newRunner, newTarget } from "./auto-benching.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import { referencePayload, type Json } from "../../support/payload.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let secret: string;
let runner: string;
let target: TargetRecord;

const makeTarget = (changes: Partial<TargetRecord> = {}) => newTarget(test, owner, server.id, changes);
const makeRunner = () => newRunner(test);

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  server = await test.server(owner, { name: "Lobby", address: "lobby.example", port: 25_565 });
  ({ secret } = await test.token(owner));
  runner = await makeRunner();
  target = await makeTarget({ runsPerJob: 2 });
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

const runNow = (id = target.id, by = secret) => faces.rest(runAutoBenchNow, { target_id: id }, by);
const cancel = (id: unknown, by = secret) => faces.rest(cancelAutoBenchJob, { job_id: id as string }, by);
const jobs = async (filter: Json = {}): Promise<Json[]> =>
  (await faces.rest(listAutoBenchJobs, filter, secret)).body["data"] as Json[];

async function claim(by = runner) {
  const { status, body } = await faces.rest(claimJob, { agent_id: "a" }, by);
  expect(status).toBe(200);
  const job = body["job"] as Json;
  return { job, voice: { job_id: job["id"], nonce: job["nonce"] } as Json };
}

/** What the game server's plugin uploads for the run. */
const upload = async (credential: string, nonce: unknown, localId: string) =>
  faces.http.inject({
    method: "POST",
    url: "/plugin/v1/reports",
    headers: { authorization: `Bearer ${credential}` },
    payload: referencePayload({ local_id: localId, job_nonce: nonce as string }),
  });

describe("a job by hand", () => {
  it("[AUT-03] [AUT-10] [AUT-08] [ERR-02] [ERR-18] [OUR-AUT-15] goes from 202 to its reports", async () => {
    const own = await credentialedServer(test, owner);
    const { credential } = own;
    target = await makeTarget({ serverId: own.id, runsPerJob: 2 });
    const launched = await runNow();
    expect(launched).toMatchObject({ status: 202, body: { target_id: target.id, status: "queued" } });
    const again = await runNow();
    expect(again).toMatchObject({
      status: 409,
      body: { error: "already_running", job_id: launched.body["job_id"] },
    });
    const { job, voice } = await claim();
    expect(job).toMatchObject({
      id: launched.body["job_id"],
      runs_total: 2,
      target: { benchmark_mode: "standard" },
    });
    const told = await faces.rest(
      sendJobHeartbeat,
      { ...voice, percent: 10, stage: "starting_server" },
      runner,
    );
    expect(told.body).toEqual({ shouldStop: false, reports: 0 });
    expect(await jobs({ target_id: target.id })).toMatchObject([
      {
        status: "claimed",
        report_id: null,
        progress: { percent: 10, stage: "starting_server", runs_total: 2 },
      },
    ]);
    const first = await upload(credential, job["nonce"], "one");
    expect(first.statusCode).toBe(201);
    expect(await jobs()).toMatchObject([{ status: "running", report_id: first.json<Json>()["id"] }]);
    expect((await faces.rest(finishJob, { ...voice, outcome: "succeeded" }, runner)).body["error"]).toBe(
      "invalid_state",
    );
    const second = (await upload(credential, job["nonce"], "two")).json<Json>()["id"];
    expect((await faces.rest(finishJob, { ...voice, outcome: "succeeded" }, runner)).status).toBe(200);
    expect(await jobs({ status: "succeeded" })).toMatchObject([
      {
        report_id: second,
        report_ids: [first.json<Json>()["id"], second],
        progress: { percent: 100, stage: "done" },
      },
    ]);
    expect(JSON.stringify(await jobs())).not.toContain(String(job["nonce"]));
    const late = await upload(credential, job["nonce"], "three");
    expect([late.statusCode, late.json<Json>()["error"]]).toEqual([409, "invalid_state"]);
    expect((await upload(credential, job["nonce"], "two")).statusCode).toBe(200);
    const report = await test.app.db.read(
      selectReport,
      String(second),
      { accountId: owner.id, admin: false },
      test.clock.now,
    );
    expect(report?.source).toBe("auto_bench");
  });

  it("[AUT-18] [AUT-16] [ERR-26] [ERR-27] [OUR-AUT-13] is refused in the minute after, and when the plan's runs are spent", async () => {
    const tired = await runNow();
    expect(tired).toMatchObject({
      status: 429,
      body: { error: "cooldown" },
      headers: { "retry-after": "60" },
    });
    const spender = await makeTarget({ runsPerJob: 3 });
    for (let job = 0; job < 2; job += 1) {
      test.clock.advance(60_000);
      await runNow(spender.id);
      const { voice } = await claim();
      await faces.rest(finishJob, { ...voice, outcome: "failed", error_code: "no_java" }, runner);
    }
    test.clock.advance(60_000);
    const spent = await runNow(spender.id);
    expect(spent).toMatchObject({ status: 429, body: { error: "daily_run_quota_exceeded", limit: 10 } });
    expect(Number(spent.headers["retry-after"])).toBeGreaterThan(80_000);
    test.clock.advance(24 * 3_600_000);
  });

  it("[AUT-04] [AUT-13] [AUT-14] [AUT-12] is cancelled at once while it waits, and by its agent afterwards", async () => {
    const one = await makeTarget();
    const waiting = (await runNow(one.id)).body["job_id"];
    expect(await cancel(waiting)).toMatchObject({
      status: 200,
      body: { cancelled: true, job: { status: "cancelled" } },
    });
    expect(await cancel(waiting)).toMatchObject({ status: 200, body: { cancelled: false } });
    test.clock.advance(60_000);
    const running = (await runNow(one.id)).body["job_id"];
    const { voice } = await claim();
    await faces.rest(sendJobHeartbeat, { ...voice, stage: "running_tests", run_index: 1 }, runner);
    expect(await cancel(running)).toMatchObject({
      body: { cancelled: true, job: { status: "cancelling", cancel_requested: true } },
    });
    expect((await runNow(one.id)).body).toMatchObject({ error: "already_running", job_id: running });
    expect((await faces.rest(sendJobHeartbeat, voice, runner)).body["shouldStop"]).toBe(true);
    expect((await faces.rest(finishJob, { ...voice, outcome: "cancelled" }, runner)).status).toBe(200);
    expect(await cancel(running)).toMatchObject({ body: { cancelled: false, job: { status: "cancelled" } } });
    test.clock.advance(60_000);
  });
});

describe("a target", () => {
  const patch = (body: Json, id = target.id) =>
    faces.rest(updateAutoBenchTarget, { target_id: id, ...body }, secret);

  it("[AUT-05] [AUT-15] [OUR-AUT-12] is renamed, rescheduled and switched on with its failures cleared", async () => {
    const one = await makeTarget({
      enabled: false,
      consecutiveFailures: 3,
      disabledReason: "consecutive_failures",
      runsPerJob: 3,
    });
    expect((await patch({ schedule_cron: "30 4 * * *" }, one.id)).body).toMatchObject({
      next_run_at: null,
      consecutive_failures: 3,
    });
    const on = await patch({ enabled: true, name: "Dawn", notes: "Quiet then." }, one.id);
    expect(on.body).toMatchObject({
      name: "Dawn",
      notes: "Quiet then.",
      consecutive_failures: 0,
      disabled_reason: null,
    });
    expect(String(on.body["next_run_at"])).toMatch(/T04:30:00.000Z$/);
    test.clock.advance(1000);
    expect((await patch({ enabled: true }, one.id)).body).toEqual(on.body);
    expect((await patch({ schedule_cron: null, notes: null }, one.id)).body).toMatchObject({
      schedule_cron: null,
      next_run_at: null,
      notes: null,
    });
    for (const bad of ["*/5 * * * *", "@daily", "0 0 31 2 *", "0 */2 * * *"]) {
      expect(await patch({ schedule_cron: bad }, one.id)).toMatchObject({
        status: 400,
        body: { error: "validation_error", field: "schedule_cron" },
      });
    }
    expect((await patch({ name: " " }, one.id)).body["error"]).toBe("validation_error");
    expect((await patch({}, one.id)).body["error"]).toBe("validation_error");
  });

  it("[AUT-06] [AUT-07] [AUT-01] [ERR-20] of the operator's is shown when asked for, and left alone", async () => {
    const internal = await makeTarget({ kind: "certification" });
    const ids = async (input: Json) =>
      ((await faces.rest(listAutoBenchTargets, input, secret)).body["data"] as Json[]).map(({ id }) => id);
    expect(await ids({ limit: 100 })).not.toContain(internal.id);
    expect(await ids({ limit: 100, include_internal: true })).toContain(internal.id);
    expect((await patch({ enabled: false }, internal.id)).body["error"]).toBe("internal_target");
    expect((await runNow(internal.id)).body["error"]).toBe("internal_target");
    const launched = await test.app.db.write(launchJob, {
      targetId: internal.id,
      accountId: null,
      trigger: "internal",
      limitsOf: (plan) => test.app.plans[plan],
      jobId: test.app.secrets.newId(test.clock.now),
      nonce: test.app.secrets.newNonce(),
      now: test.clock.now,
    });
    if (launched.kind !== "queued") throw new Error(launched.kind);
    expect((await cancel(launched.job.id)).body["error"]).toBe("internal_target");
    expect(await jobs({ target_id: internal.id })).toMatchObject([{ trigger: "internal" }]);
    const { voice } = await claim();
    await faces.rest(finishJob, { ...voice, outcome: "failed" }, runner);
  });

  it("[OUR-AUT-13] [AUT-16] is nobody else's, and on Free the plan is refused before it is looked for", async () => {
    for (const role of ["user", "admin"] as const) {
      const other = await test.token(await test.account("pro", role));
      expect((await runNow(target.id, other.secret)).body["error"]).toBe("not_found");
      expect(
        (await faces.rest(updateAutoBenchTarget, { target_id: target.id, enabled: true }, other.secret))
          .status,
      ).toBe(404);
      expect((await cancel((await jobs())[0]?.["id"], other.secret)).status).toBe(404);
    }
    const free = await test.token(await test.account("free"));
    expect((await runNow("no-such-id", free.secret)).body["error"]).toBe("plan_required");
    expect((await faces.rest(listAutoBenchTargets, {}, free.secret)).body["data"]).toEqual([]);
  });

  it("[OUR-AUT-14] [AUT-17] [OUR-AUT-16] runs by its schedule, and what nobody claims times out", async () => {
    const at = Date.UTC(2026, 11, 1, 4, 30);
    test.clock.now = at - 60_000;
    const one = await makeTarget();
    await patch({ schedule_cron: "30 4 * * *" }, one.id);
    const surroundings = { ...test.app };
    await tendAutoBench(surroundings);
    expect(await jobs({ target_id: one.id })).toEqual([]);
    test.clock.advance(60_000);
    await Promise.all([tendAutoBench(surroundings), tendAutoBench(surroundings)]);
    expect(await jobs({ target_id: one.id })).toMatchObject([{ trigger: "schedule", status: "queued" }]);
    test.clock.advance(30 * 60_000);
    await tendAutoBench(surroundings);
    expect(await jobs({ target_id: one.id })).toMatchObject([
      { status: "timed_out", error_code: "not_claimed" },
    ]);
  });
});

describe("the connector", () => {
  it("[AUT-02] [AUT-03] [AUT-04] [AUT-05] tells what REST tells", async () => {
    const one = await makeTarget();
    const listed = await faces.tool(targetsTool, {}, secret);
    expect(JSON.stringify(listed.text)).toContain(one.id);
    const launched = await faces.tool(runTool, { target_id: one.id }, secret);
    expect(launched.structured).toMatchObject({ target_id: one.id, status: "queued" });
    const again = await faces.tool(runTool, { target_id: one.id }, secret);
    expect(again).toMatchObject({
      isError: true,
      text: { error: "already_running", job_id: launched.structured?.["job_id"] },
    });
    const cancelled = await faces.tool(cancelTool, { job_id: launched.structured?.["job_id"] }, secret);
    expect(cancelled.structured).toMatchObject({ cancelled: true });
    const shown = await faces.tool(jobsTool, { target_id: one.id }, secret);
    expect(shown.structured).toMatchObject({ data: [{ status: "cancelled" }] });
    const named = await faces.tool(updateTool, { target_id: one.id, name: "By a tool" }, secret);
    expect(named.structured).toMatchObject({ name: "By a tool" });
  });
});
