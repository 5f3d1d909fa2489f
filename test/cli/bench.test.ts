import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ReportComparison } from "../../src/core/report/compare.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { isLong } from "../support/long.ts";
import { referencePayload } from "../support/payload.ts";

const main = join(import.meta.dirname, "../../dist/main.js");
/** The measured folder, and one beside it for what the tests keep. */
let folder: string;
let kept: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tickmark-bench-cli-"));
  kept = mkdtempSync(join(tmpdir(), "tickmark-bench-kept-"));
});
afterAll(() => {
  for (const each of [folder, kept]) rmSync(each, { recursive: true, force: true });
});

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"] ?? "", XDG_STATE_HOME: kept });
const bench = (...args: string[]) => runCommand(["bench", ...args], { XDG_STATE_HOME: kept });
/** The same by the program itself, whose start costs half a second. */
const built = (...args: string[]) =>
  spawnSync(process.execPath, [main, "bench", ...args], { encoding: "utf8", env: environment() });

it("[OUR-BCH-74] --json prints a payload that the service accepts; chosen tests make it custom", async () => {
  const out = join(kept, "report.json");
  const run = built("--tests", "disk_random_4k", "--quick", "--dir", folder, "--json", "--out", out);
  expect(run.stderr).toMatch(/: (?:done in \d+ s|not judged \(the machine was busy\))$/m);
  expect(run.status).toBe(0);
  const payload = ReportPayload.parse(JSON.parse(run.stdout));
  expect(payload.benchmark_mode).toBe("custom");
  // On a machine that does other work the test is not judged, and its figures stand beside the reason.
  const isBusy = payload.tests.some(({ reason_code }) => reason_code === "machine_busy");
  expect(payload.tests.map(({ test_id, success }) => [test_id, success])).toEqual([
    ["disk_random_4k", !isBusy],
  ]);
  expect(payload.hardware.available_processors).toBeGreaterThan(0);
  expect(payload.server.os_name).toMatch(/\w/);
  expect(readFileSync(out, "utf8")).toBe(run.stdout);
  expect(readdirSync(folder)).toEqual([]);
  const again = await bench("--tests", "disk_random_4k", "--dir", folder, "--out", out);
  expect([again.status, again.stderr]).toEqual([
    2,
    `${out} exists already, and is not overwritten. Name another file with --out.\n`,
  ]);
});

let unmeasured: Promise<EndedCommand> | null = null;

/** One run, of which both its table and its upload are looked at: on a busy machine it takes a pause of seconds. */
async function runAndUpload(): Promise<EndedCommand> {
  const state = join(kept, "linked");
  mkdirSync(state, { mode: 0o700 });
  const link = { url: "http://127.0.0.1:9", server_id: "s", auth_token: "t", server: { directory: folder } };
  writeFileSync(join(state, "link.json"), JSON.stringify(link));
  return bench("--tests", "disk_random_4k", "--quick", "--dir", "/dev/shm", "--upload", "--state", state);
}

const unmeasuredRun = (): Promise<EndedCommand> => (unmeasured ??= runAndUpload());

it("[OUR-BCH-74] the table says what was not measured, and why", async () => {
  const run = await unmeasuredRun();
  expect(run.stdout).toMatch(/^(?:A custom run has no scores|No scores\.)/m);
  expect(run.stdout).toMatch(/^ {2}Disk, random 4K: .*not measured, the file system has no direct IO$/m);
});

it.each([
  [["--tests", "cpu_singel_core"], /^There is no test "cpu_singel_core"\. The tests are cpu_single_core, /],
  [["--tests", "entities_ai"], /^entities_ai measures a game server\. Name its jar with --server\.$/],
  [["--mode", "stresslimit"], /^stresslimit measures a game server\. Name its jar with --server\.$/],
  [["--server", "/nowhere/paper.jar"], /^There is no file \/nowhere\/paper\.jar\.$/],
  [["--server", main], /Agreement.*https:\/\/aka\.ms\/MinecraftEULA/s],
  [["--while-serving", "--tests", "disk_random_4k"], /^disk_random_4k cannot be measured while/],
  [["--while-serving", "--server", main], /^--server cannot be measured while the machine is in use\./],
  [["--dir", "/nowhere"], /^There is no folder \/nowhere\. Name another with --dir\.$/],
  [["--runs", "0"], /It takes 1 to 20\./],
])("[OUR-BCH-74] %j is refused before anything is measured", async (args, line) => {
  const run = await bench(...args);
  expect(run.stdout).toBe("");
  expect(run.stderr.trim()).toMatch(line);
  expect(run.status).toBe(2);
});

it("[OUR-BCH-71] a folder that cannot be written is one line that says what to do", async () => {
  const run = await bench("--tests", "disk_random_4k", "--dir", "/proc/self");
  // What the machine does already may stand before it.
  expect(run.stderr.replace(/^In the last minute .+\n/, "")).toBe(
    "A folder for the tests cannot be made in /proc/self (ENOENT). Name another with --dir.\n",
  );
  expect([run.status, run.stdout]).toEqual([1, ""]);
});

it("[OUR-BCH-75] --upload without a link is refused before anything is measured", async () => {
  const run = await bench("--upload", "--dir", folder);
  expect(run.stderr).toMatch(/^No server is linked in .*\. Run tickmark agent link first\.\n$/);
  expect(run.status).toBe(2);
});

it("[OUR-BCH-75] a report that the service does not take is kept, and the message names the file", async () => {
  const run = await unmeasuredRun();
  const [, file = ""] = /^The report was not taken \(.+\)\. It is kept in (.+)\.$/m.exec(run.stderr) ?? [];
  expect(run.status).toBe(1);
  expect(ReportPayload.parse(JSON.parse(readFileSync(file, "utf8"))).benchmark_mode).toBe("custom");
});

/** Of a run in this process the end of every test is looked at in test/machine/run.test.ts. */
const endedByHand = isLong
  ? ["cpu_single_core", "memory_bandwidth", "disk_sequential", "disk_random_4k"]
  : ["cpu_single_core", "disk_sequential"];

it.each(endedByHand)("[OUR-BCH-72] Ctrl-C in %s leaves nothing behind, and ends with 130", async (id) => {
  const child = spawn(process.execPath, [main, "bench", "--tests", id, "--dir", folder], {
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  // The test has a folder of its own as soon as it runs.
  while (!readdirSync(folder, { recursive: true, encoding: "utf8" }).some((path) => path.endsWith(id)))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  expect(await stdout).toBe("");
  // What the machine does already may stand before it.
  expect(await stderr).toMatch(
    /^(?:In the last minute .+\n)?The benchmark was ended\. It made no report\.\n$/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

it("[OUR-BCH-76] compare answers the documented comparison of two files", async () => {
  const files = ["base", "other"].map((name, index) => {
    const path = join(kept, `${name}.json`);
    writeFileSync(path, JSON.stringify({ ...referencePayload(), local_id: `run-${index}` }));
    return path;
  });
  const run = await bench("compare", ...files, "--json");
  expect(run.status).toBe(0);
  const comparison = ReportComparison.omit({ reports: true }).parse(JSON.parse(run.stdout));
  expect(comparison.summary.outcome).toBe("tie");
  expect((await bench("compare", ...files)).stdout).toMatch(/^Result: a tie\./m);
  // Runs of a few tests have no scores: their figures are all there is to compare.
  const [half = "", whole = ""] = [1000, 2000].map((speed) => {
    const path = join(kept, `${speed}.json`);
    const metrics = { ops_per_second: speed, threads: speed / 1000 };
    const test = {
      ...(referencePayload()["tests"] as object[])[0],
      test_id: "cpu_multi_core",
      test_name: "All cores",
      metrics,
    };
    writeFileSync(path, JSON.stringify({ ...referencePayload(), benchmark_mode: "custom", tests: [test] }));
    return path;
  });
  expect((await bench("compare", half, whole)).stdout).toContain(
    "  All cores: 1,000 and 2,000 operations/s (+100 %), 1 and 2 threads (+100 %)\n",
  );
  const wrong = await bench("compare", files[0] ?? "", join(kept, "nothing.json"));
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toMatch(/nothing\.json cannot be read/);
});

it("[OUR-BCH-95] --while-serving measures the processor alone, by CPU time, and its report is not compared with others", async () => {
  const path = join(kept, "serving.json");
  // One test: at the lowest priority each waits for whatever else this machine does.
  const chosen = ["--tests", "cpu_single_core"];
  const run = await bench("--while-serving", "--quick", ...chosen, "--dir", folder, "--out", path);
  expect(run.status).toBe(0);
  expect(run.stdout).toMatch(/^Measured by CPU time while the machine was in use/m);
  expect(run.stdout).toMatch(/^ {2}CPU, one core: [\d,]+ operations\/CPU s/m);
  const payload = ReportPayload.parse(JSON.parse(readFileSync(path, "utf8")));
  expect([payload.measured_by, payload.benchmark_mode]).toEqual(["cpu_time", "custom"]);
  expect(
    payload.tests.map(({ test_id, success, metrics }) => [test_id, success, metrics?.["ops_per_second"]]),
  ).toEqual([["cpu_single_core", true, undefined]]);
  const quiet = join(kept, "quiet.json");
  writeFileSync(quiet, JSON.stringify({ ...payload, measured_by: "wall_time", local_id: "quiet" }));
  const compared = (await bench("compare", quiet, path)).stdout;
  expect(compared).toMatch(/^The reports cannot be compared\. One run was measured by CPU time/m);
  expect(compared).not.toMatch(/What was measured/);
  expect((await bench("compare", path, path)).stdout).toMatch(/What was measured/);
});
