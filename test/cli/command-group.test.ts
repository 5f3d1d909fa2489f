import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled, type Script } from "../support/bundled.ts";
import { until } from "../support/service-process.ts";

const root = mkdtempSync(join(tmpdir(), "tickmark-group-"));
let script: Script;
beforeAll(async () => {
  script = await bundled(join(import.meta.dirname, "programs/in-group.ts"));
});
afterAll(() => {
  script.remove();
  rmSync(root, { recursive: true, force: true });
});

/** Whether a process runs: one that ended and that nobody has waited for is none. */
function runs(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, "utf8"));
}

let runsMade = 0;
/** A command whose child and grandchild ignore SIGTERM and SIGINT, and write their numbers into a file. */
async function started(last: string) {
  const file = join(root, `pids-${(runsMade += 1)}`);
  const deaf = `trap "" TERM INT; sleep 600 & echo $! >> ${file}; wait`;
  const command = `trap "" TERM INT; sh -c '${deaf}' & echo $! >> ${file}; ${last}`;
  const runner = spawn(process.execPath, [script.path, command], { stdio: ["ignore", "pipe", "inherit"] });
  const words: string[] = [];
  runner.stdout.on("data", (bytes: Buffer) => words.push(bytes.toString()));
  const pids = (): number[] =>
    existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  await until("both processes run", () => pids().length === 2);
  return { runner, pids: pids(), words };
}

it.each(["SIGTERM", "SIGINT"] as const)(
  "[OUR-AUT-29] %s ends the command's whole group, and what ignores the signal is killed",
  async (signal) => {
    const { runner, pids, words } = await started("wait");
    expect(pids.map(runs)).toEqual([true, true]);
    runner.kill(signal);
    await once(runner, "close");
    expect(pids.map(runs)).toEqual([false, false]);
    expect(JSON.parse(words.join(""))).toEqual({ status: null, killedBy: "SIGKILL" });
  },
);

it("[OUR-AUT-29] a command that ends leaves nothing behind either", async () => {
  const { runner, pids, words } = await started("exit 3");
  await once(runner, "close");
  expect(pids.map(runs)).toEqual([false, false]);
  expect(JSON.parse(words.join(""))).toEqual({ status: 3, killedBy: null });
});

it("[OUR-AUT-29] a runner that is killed takes the command's group with it", async () => {
  const { runner, pids } = await started("wait");
  runner.kill("SIGKILL");
  await until("none of them runs", () => !pids.some(runs));
});
