import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launched } from "../store/auto-bench/auto-bench-rows.ts";
import { runCommand } from "../support/command-line.ts";
import { listedServer } from "../support/listed-server.ts";
import { isLong } from "../support/long.ts";
import { until } from "../support/service-process.ts";
import { runnerService, type RunnerService } from "./runner-service.ts";

let scene: RunnerService;
let key: string;
/** The folder of the game server, with its `server.properties`. */
let serverFolder: string;

/** The state folder of an agent that is linked to this server. */
function linkedTo(serverId: string, port: number): string {
  const state = join(scene.folder, `state-${serverId}-${port}`);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const link = {
    url: scene.service.baseUrl,
    server_id: serverId,
    auth_token: scene.credential,
    server: { directory: serverFolder, port },
  };
  writeFileSync(join(state, "link.json"), JSON.stringify(link), { mode: 0o600 });
  return state;
}

/** Runs a job to its end with this state folder, and returns it. */
async function jobWith(state: string, minutes: number) {
  const runner = scene.startRunner(key, ["--state", state]);
  await launched(scene.db, scene.target, Date.now() + minutes * 60_000);
  await until("the job is over", async () => (await scene.newestJob()).finishedAt !== null);
  await stop(runner);
  return scene.newestJob();
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

beforeAll(async () => {
  scene = await runnerService();
  serverFolder = join(scene.folder, "server");
  mkdirSync(serverFolder);
  const made = await runCommand(["runner", "create", "--name", "rack 7", "--json"], {
    TICKMARK_DATABASE_URL: scene.databaseUrl,
  });
  ({ key } = JSON.parse(made.stdout) as { key: string });
});
afterAll(() => scene.close());

it("[OUR-AUT-27] a job of a server that is not linked on this machine fails", async () => {
  const job = await jobWith(linkedTo("019a9f5e-1d00-7000-8000-000000000001", 1), 0);
  expect(job).toMatchObject({ status: "failed", errorCode: "not_this_server" });
});

it("[OUR-AUT-26] a job is skipped while players are online, and does not count against its target", async () => {
  const game = await listedServer(3);
  const job = await jobWith(linkedTo(scene.target.serverId, game.port), 2);
  await game.close();
  expect(job).toMatchObject({ status: "cancelled", errorCode: "server_busy", cancelRequested: false });
});

it.runIf(isLong)(
  "[OUR-AUT-27] a job runs a benchmark of the machine, and its report is on the service",
  async () => {
    const job = await jobWith(linkedTo(scene.target.serverId, 1), 4);
    expect(job).toMatchObject({ status: "succeeded", errorCode: null });
    expect(job.reportIds).toHaveLength(1);
    expect(readdirSync(serverFolder)).toEqual([]);
  },
  660_000,
);
if (!isLong)
  console.log("left out: a scheduled benchmark at full length takes minutes; npm run test:long has it");
