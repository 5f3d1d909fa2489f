import { selectRunners } from "../store/auto-bench/runners.ts";
import { withdrawRunner } from "../services/auto-bench/withdraw-runner.ts";
import { addRunner } from "../services/auto-bench/add-runner.ts";
import { hostname } from "node:os";
import type { Config } from "../app/config/config.ts";
import { systemSecrets } from "../app/access/secrets.ts";
import type { RunnerRecord } from "../core/auto-bench/records.ts";
import { toTimestamp, toTimestampOrNull } from "../core/time.ts";
import { runnerClient, type RunnerJob } from "../outbound/runner-client.ts";
import { runJobs, type RunFailure } from "../outbound/runner.ts";
import { runInGroup } from "./command-group.ts";
import { benchForJob, type JobBenchOptions } from "./bench-run-of-job.ts";
import { operatorsAct } from "./operators-act.ts";
import { CommandError, exitStatus, printError, printResult } from "./output.ts";
import { withDatabase } from "./with-database.ts";

const shown = ({ id, name, createdAt, revokedAt, lastUsedAt }: RunnerRecord) => ({
  id,
  name,
  created_at: toTimestamp(createdAt),
  last_used_at: toTimestampOrNull(lastUsedAt),
  revoked_at: toTimestampOrNull(revokedAt),
});

const wordsOf = ({ id, name, revokedAt, lastUsedAt }: RunnerRecord): string =>
  `${id}  ${name}  ${revokedAt !== null ? "revoked" : (toTimestampOrNull(lastUsedAt) ?? "never used")}`;

/** The key is shown once. */
export async function createRunner(
  config: Config,
  { name, json }: { name: string; json: boolean },
): Promise<void> {
  if (name.trim() === "" || name.length > 80)
    throw new CommandError("--name takes 1 to 80 characters.", exitStatus.usage);
  const secrets = systemSecrets();
  const now = Date.now();
  const runner = { id: secrets.newId(now), name, createdAt: now, revokedAt: null, lastUsedAt: null };
  const key = secrets.newSecret("runner");
  await withDatabase(config, (db) => db.write(addRunner, runner, secrets.digest(key), operatorsAct(now)));
  printResult(json, { ...shown(runner), key }, [wordsOf(runner), `Key, shown once: ${key}`]);
}

export async function listRunners(config: Config, { json }: { json: boolean }): Promise<void> {
  const runners = await withDatabase(config, (db) => db.read(selectRunners));
  printResult(json, runners.map(shown), runners.map(wordsOf));
}

/** The runner's key is refused from now on; its job in progress times out. */
export async function revokeRunner(
  config: Config,
  { id, json }: { id: string; json: boolean },
): Promise<void> {
  const now = Date.now();
  const revoked = await withDatabase(config, (db) => db.write(withdrawRunner, id, now, operatorsAct(now)));
  if (!revoked) throw new CommandError("No active runner has this id. runner list shows the runners.");
  printResult(json, { id, revoked: true }, [`${id} is revoked.`]);
}

export interface RunnerOptions extends JobBenchOptions {
  /** The operator's command for each run; left out: `tickmark bench`. */
  readonly command?: string;
  readonly name?: string;
}

interface RunOptions extends RunnerOptions {
  readonly url: string;
  readonly key: string | null;
  /** The environment of the command, without the variables of its job. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Time between SIGTERM and SIGKILL, ms. */
const graceMs = 10_000;

/** Takes jobs, with one benchmark for each run, until a signal ends it. */
export async function runRunner(options: RunOptions): Promise<void> {
  const { url, key, environment, command, name } = options;
  if (key === null)
    throw new CommandError(
      "No key is set. Set TICKMARK_RUNNER_KEY to the key that runner create printed.",
      exitStatus.usage,
    );
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  await runJobs({
    client: runnerClient(url, key),
    agentId: name ?? hostname(),
    command:
      command === undefined
        ? benchForJob(options)
        : (job, _run, signal) => runCommand({ command, environment }, job, signal),
    signal: ending.signal,
    tell: printError,
  });
}

/** Null for exit status 0. */
async function runCommand(
  { command, environment }: { readonly command: string } & Pick<RunOptions, "environment">,
  job: RunnerJob,
  signal: AbortSignal,
): Promise<RunFailure | null> {
  const { address, port, benchmark_mode } = job.target;
  const ended = await runInGroup({
    command,
    environment: {
      ...environment,
      TICKMARK_JOB_NONCE: job.nonce,
      TICKMARK_SERVER_ADDRESS: address ?? "",
      TICKMARK_SERVER_PORT: port === null ? "" : String(port),
      TICKMARK_BENCHMARK_MODE: benchmark_mode,
    },
    signal,
    graceMs,
  });
  if (ended === null) return { errorCode: "command_not_started" };
  const { status, killedBy } = ended;
  if (status === 0) return null;
  return { errorCode: `command_${status === null ? String(killedBy).toLowerCase() : `exit_${status}`}` };
}
