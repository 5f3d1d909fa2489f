import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TargetRecord } from "../../src/core/auto-bench/target.ts";
import { cancelJob } from "../../src/services/auto-bench/change-job.ts";
import { selectRunners } from "../../src/store/auto-bench/runners.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { launched } from "../store/auto-bench/auto-bench-rows.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { referencePayload, type Json } from "../support/payload.ts";
import { until, type ServiceProcess } from "../support/service-process.ts";
import { runnerService, type RunnerService } from "./runner-service.ts";

let scene: RunnerService;
let folder: string;
let databaseUrl: string;
let service: ServiceProcess;
let db: Database;
let credential: string;
let target: TargetRecord;
let key: string;

const tickmark = (...args: string[]): Promise<EndedCommand> =>
  runCommand(["runner", ...args], { TICKMARK_DATABASE_URL: databaseUrl });
const parsed = (text: string): Json => JSON.parse(text) as Json;

/** What a runner's machine has in its place of a real server: uploads with the nonce it was given. */
const uploading = `
const { TICKMARK_JOB_NONCE: nonce, TICKMARK_SERVER_ADDRESS, TICKMARK_SERVER_PORT, TICKMARK_BENCHMARK_MODE } = process.env;
const { readFileSync, appendFileSync } = await import("node:fs");
const [payload, url, token, log] = process.argv.slice(2);
appendFileSync(log, JSON.stringify({ TICKMARK_SERVER_ADDRESS, TICKMARK_SERVER_PORT, TICKMARK_BENCHMARK_MODE, key: process.env.TICKMARK_RUNNER_KEY ?? null }) + "\\n");
const body = { ...JSON.parse(readFileSync(payload, "utf8")), local_id: String(process.pid), job_nonce: nonce };
const headers = { "content-type": "application/json", authorization: "Bearer " + token };
const { status } = await fetch(url + "/plugin/v1/reports", { method: "POST", headers, body: JSON.stringify(body) });
process.exit(status === 201 ? 0 : 1);
`;

const startRunner = (command: string): ChildProcess => scene.startRunner(key, ["--command", command]);

async function stop(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  return (await ended)[0];
}

const newestJob = () => scene.newestJob();

beforeAll(async () => {
  scene = await runnerService({ runsPerJob: 2 });
  ({ folder, databaseUrl, service, db, credential, target } = scene);
  writeFileSync(join(folder, "upload.mjs"), uploading);
  writeFileSync(join(folder, "payload.json"), JSON.stringify(referencePayload()));
});

afterAll(() => scene.close());

it("[OUR-AUT-22] makes a runner with a key that is shown once, and lists it without", async () => {
  const made = await tickmark("create", "--name", "rack 7", "--json");
  expect(made.status).toBe(0);
  key = String(parsed(made.stdout)["key"]);
  expect(key).toMatch(/^tkr_[0-9A-Za-z]{49}$/);
  const listed = await tickmark("list", "--json");
  expect(listed.stdout).toContain("rack 7");
  expect(listed.stdout).not.toContain(key);
});

it("[OUR-AUT-21] runs the command once a run with what it needs, and the job succeeds with its reports", async () => {
  const log = join(folder, "seen.log");
  const child = startRunner(
    `${process.execPath} ${folder}/upload.mjs ${folder}/payload.json ${service.baseUrl} ${credential} ${log}`,
  );
  await launched(db, target, Date.now());
  await until("the job is over", async () => (await newestJob()).finishedAt !== null);
  expect(await newestJob()).toMatchObject({ status: "succeeded", errorCode: null, agentId: "here" });
  expect((await newestJob()).reportIds).toHaveLength(2);
  const seen = readFileSync(log, "utf8").trim().split("\n").map(parsed);
  const one = {
    TICKMARK_SERVER_ADDRESS: "lobby.example",
    TICKMARK_SERVER_PORT: "25566",
    TICKMARK_BENCHMARK_MODE: "standard",
    key: null,
  };
  expect(seen).toEqual([one, one]);
  expect(await stop(child)).toBe(0);
});

it("[OUR-AUT-21] [AUT-13] a command that fails fails the job; one that has to stop gets SIGTERM", async () => {
  const failing = startRunner("exit 3");
  const later = Date.now() + 61_000;
  await launched(db, target, later);
  await until("the job failed", async () => (await newestJob()).status === "failed");
  expect((await newestJob()).errorCode).toBe("command_exit_3");
  await stop(failing);
  const mark = join(folder, "stopped");
  const ready = join(folder, "ready");
  const waiting = startRunner(
    `trap 'touch ${mark}; exit 1' TERM; touch ${ready}; while :; do sleep 0.1; done`,
  );
  const job = await launched(db, target, later + 61_000);
  await until("the command runs", () => existsSync(ready));
  await db.write(cancelJob, job.id, target.accountId, Date.now());
  await until("the job is cancelled", async () => (await newestJob()).status === "cancelled");
  expect(existsSync(mark)).toBe(true);
  await stop(waiting);
});

it("[OUR-AUT-22] a revoked runner ends with one line that says why", async () => {
  const [{ id } = { id: "" }] = await db.read(selectRunners);
  expect((await tickmark("revoke", id)).status).toBe(0);
  expect((await tickmark("revoke", id)).status).toBe(1);
  const child = startRunner("exit 0");
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = (await once(child, "close")) as [number];
  expect(status).toBe(1);
  expect(stderr).toContain("token_revoked");
});
