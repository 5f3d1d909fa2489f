import { selectRunners } from "../../../src/store/auto-bench/runners.ts";
import { withdrawRunner } from "../../../src/services/auto-bench/withdraw-runner.ts";
import { selectUnitTest } from "../../../src/store/unit-test/unit-tests.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { listAutoBenchJobs } from "../../../src/endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { runAutoBenchNow } from "../../../src/endpoints/api/auto-bench/run-auto-bench-now.ts";
import { claimJob } from "../../../src/endpoints/agent/claim-job.ts";
import { finishJob } from "../../../src/endpoints/agent/finish-job.ts";
import { sendJobHeartbeat } from "../../../src/endpoints/agent/send-job-heartbeat.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf, type Faces } from "../../support/faces.ts";
import type { Json } from "../../support/payload.ts";
import { unitTestPayload } from "../../support/unit-test.ts";
import { credentialedServer, newRunner, newTarget } from "./auto-benching.ts";

let test: TestApp;
let faces: Faces;
let owner: Account;
let server: ServerRecord;
let secret: string;
let runner: string;

beforeAll(async () => {
  test = testApp({ plans: roomy });
  faces = facesOf(test.app);
  owner = await test.account("pro");
  server = await test.server(owner);
  ({ secret } = await test.token(owner));
  runner = await newRunner(test);
});

afterAll(async () => {
  expect(test.defects).toEqual([]);
  await faces.http.close();
  await test.close();
});

describe("the runner API", () => {
  it("[OUR-AUT-20] [OUR-AUT-22] takes a runner's key until it is revoked, and no other credential", async () => {
    expect((await faces.rest(claimJob, { agent_id: "a" }, runner)).status).toBe(204);
    const ask = async (by: string | null) =>
      (await faces.rest(claimJob, { agent_id: "a" }, by)).body["error"];
    expect(await ask(null)).toBe("unauthorized");
    expect(await ask(secret)).toBe("invalid_token");
    expect(await ask(test.app.secrets.newSecret("runner"))).toBe("invalid_token");
    expect((await faces.rest(listAutoBenchJobs, {}, runner)).body["error"]).toBe("invalid_token");
    const old = await newRunner(test);
    const known = await test.app.db.read(selectRunners);
    await test.app.db.write(withdrawRunner, known.at(-1)?.id ?? "", test.clock.now);
    expect(await ask(old)).toBe("token_revoked");
  });

  it("[OUR-AUT-20] answers another runner's job, a wrong nonce and no job alike, and names what is wrong by a pointer", async () => {
    const one = await newTarget(test, owner, server.id);
    await faces.rest(runAutoBenchNow, { target_id: one.id }, secret);
    const { body } = await faces.rest(claimJob, { agent_id: "a" }, runner);
    const { id, nonce } = body["job"] as { id: string; nonce: string };
    const voice = { job_id: id, nonce };
    const other = await newRunner(test);
    const absent = await faces.rest(
      sendJobHeartbeat,
      { ...voice, job_id: test.app.secrets.newId(test.clock.now) },
      runner,
    );
    expect(absent.body["error"]).toBe("not_found");
    expect((await faces.rest(sendJobHeartbeat, voice, other)).body).toEqual(absent.body);
    expect((await faces.rest(sendJobHeartbeat, { ...voice, nonce: "x" }, runner)).body).toEqual(absent.body);
    expect((await faces.rest(finishJob, { ...voice, outcome: "failed" }, other)).status).toBe(404);
    const bad = await faces.rest(sendJobHeartbeat, { ...voice, percent: 101 }, runner);
    expect(bad.body).toMatchObject({ error: "validation_error", path: "/percent" });
    expect((await faces.rest(sendJobHeartbeat, { ...voice, surprise: 1 }, runner)).status).toBe(200);
  });
});

describe("a job in flight", () => {
  it("[OUR-AUT-25] takes a percentage with decimals, and shows a whole one", async () => {
    const one = await newTarget(test, owner, server.id);
    await faces.rest(runAutoBenchNow, { target_id: one.id }, secret);
    const { body } = await faces.rest(claimJob, { agent_id: "a" }, runner);
    const { id, nonce } = body["job"] as { id: string; nonce: string };
    const told = async (percent: unknown) => {
      const { status } = await faces.rest(sendJobHeartbeat, { job_id: id, nonce, percent }, runner);
      const { body: listed } = await faces.rest(listAutoBenchJobs, { target_id: one.id }, secret);
      const [job] = listed["data"] as { progress: { percent: number } }[];
      return [status, job?.progress.percent];
    };
    expect(await told(33.3)).toEqual([200, 33]);
    expect(await told(99.5)).toEqual([200, 100]);
    for (const percent of [-0.1, 100.1, "33.3"]) expect(await told(percent)).toEqual([400, 100]);
    await faces.rest(finishJob, { job_id: id, nonce, outcome: "failed" }, runner);
  });

  it("[OUR-UNI-16] takes single tests with its nonce while it is in flight", async () => {
    const own = await credentialedServer(test, owner);
    const one = await newTarget(test, owner, own.id);
    await faces.rest(runAutoBenchNow, { target_id: one.id }, secret);
    const { body } = await faces.rest(claimJob, { agent_id: "a" }, runner);
    const job = body["job"] as Json;
    const send = async (changes: Json) => {
      const answer = await faces.http.inject({
        method: "POST",
        url: "/plugin/v1/unit-tests",
        headers: { authorization: `Bearer ${own.credential}` },
        payload: [unitTestPayload({ job_nonce: job["nonce"], ...changes })],
      });
      return { status: answer.statusCode, body: answer.json<Json>() };
    };
    const first = await send({ local_id: "first" });
    expect(first.status).toBe(201);
    const [id = ""] = first.body["ids"] as string[];
    const viewer = { accountId: owner.id, admin: false };
    const found = await test.app.db.read(selectUnitTest, id, viewer, test.clock.now);
    expect(found?.source).toBe("auto_bench");
    const voice = { job_id: String(job["id"]), nonce: String(job["nonce"]) };
    await faces.rest(finishJob, { ...voice, outcome: "failed" }, runner);
    expect((await send({ local_id: "late" })).body["error"]).toBe("invalid_state");
    expect(await send({ local_id: "first" })).toEqual({ status: 200, body: first.body });
  });
});
