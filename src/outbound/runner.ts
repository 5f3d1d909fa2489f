import { setTimeout as rest } from "node:timers/promises";
import { longestErrorCode } from "../core/auto-bench/job.ts";
import { RunnerApiError, type RunnerClient, type RunnerJob, type RunnerProgress } from "./runner-client.ts";

/** `isSkipped`: the run was skipped, which is not a failure of its target. */
export interface RunFailure {
  readonly errorCode: string;
  readonly isSkipped?: boolean;
}

/** Makes the server run its benchmark once; null if it succeeded. Ends soon after the signal. */
export type RunCommand = (job: RunnerJob, run: number, signal: AbortSignal) => Promise<RunFailure | null>;

export interface Running {
  readonly client: RunnerClient;
  readonly agentId: string;
  readonly command: RunCommand;
  /** Ends the runner; a job in progress fails with `runner_stopped`. */
  readonly signal: AbortSignal;
  /** Gets a line for each error, and for each job that begins or ends. */
  readonly tell: (line: string) => void;
  readonly times?: Partial<RunnerTimes>;
}

export interface RunnerTimes {
  /** Between two requests for a job, ms. */
  readonly pollMs: number;
  /** Between two heartbeats, ms. */
  readonly heartbeatMs: number;
  /** Between two checks for a run's report, and the longest wait for it, ms. */
  readonly reportPollMs: number;
  readonly reportMs: number;
}

const usual: RunnerTimes = { pollMs: 5000, heartbeatMs: 15_000, reportPollMs: 2000, reportMs: 10 * 60_000 };

/** Attempts to report the end of a job while the service does not answer. */
const finishAttempts = 5;

export async function runJobs(running: Running): Promise<void> {
  const times = { ...usual, ...running.times };
  while (!running.signal.aborted) {
    const job = await claim(running);
    if (job) await runJob(running, times, job);
    else await pause(times.pollMs, running.signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  rest(ms, undefined, { signal }).catch(() => {});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function claim({ client, agentId, tell }: Running): Promise<RunnerJob | null> {
  try {
    return await client.claim(agentId);
  } catch (error) {
    // A refused key stays refused, so the runner ends with this error.
    if (error instanceof RunnerApiError && error.status === 401) throw error;
    tell(messageOf(error));
    return null;
  }
}

/** What the service says of a job. */
class Line {
  readonly stop = new AbortController();
  reports = 0;
  stopRequested = false;
  lost = false;
  #progress: RunnerProgress = {};
  readonly #running: Running;
  readonly #job: RunnerJob;

  constructor(running: Running, job: RunnerJob) {
    this.#running = running;
    this.#job = job;
  }

  /** Sends progress and reads the job's state; progress that could not be sent goes with the next call. */
  async say(progress: RunnerProgress = {}): Promise<void> {
    this.#progress = { ...this.#progress, ...progress };
    try {
      const { shouldStop, reports } = await this.#running.client.heartbeat(this.#job, this.#progress);
      this.reports = reports;
      this.stopRequested ||= shouldStop;
    } catch (error) {
      this.#running.tell(messageOf(error));
      this.lost ||= error instanceof RunnerApiError && error.status === 404;
    }
    if (this.stopRequested || this.lost) this.stop.abort();
  }
}

async function runJob(running: Running, times: RunnerTimes, job: RunnerJob): Promise<void> {
  const { signal, tell } = running;
  const line = new Line(running, job);
  const stopped = AbortSignal.any([signal, line.stop.signal]);
  const timer = setInterval(() => void line.say(), times.heartbeatMs);
  tell(`job ${job.id} of server ${job.target.server_id} began`);
  try {
    const failure = await allRuns(running, times, job, line, stopped);
    if (line.lost) return;
    if (line.stopRequested) await end(running, job, "cancelled", null);
    else if (signal.aborted) await end(running, job, "failed", "runner_stopped");
    else if (failure === null) await end(running, job, "succeeded", null);
    else await end(running, job, failure.isSkipped ? "cancelled" : "failed", failure.errorCode);
  } finally {
    clearInterval(timer);
  }
}

/** Null if every run succeeded and has its report. */
async function allRuns(
  { command }: Running,
  times: RunnerTimes,
  job: RunnerJob,
  line: Line,
  stopped: AbortSignal,
): Promise<RunFailure | null> {
  await line.say({ stage: "preparing" });
  for (let run = 1; run <= job.runs_total; run += 1) {
    const before = line.reports;
    const percent = Math.floor(((run - 1) / job.runs_total) * 100);
    await line.say({ stage: "running_tests", run_index: run, percent });
    if (stopped.aborted) return null;
    const failure = await command(job, run, stopped).catch((error: unknown): RunFailure => ({
      errorCode: messageOf(error).slice(0, longestErrorCode),
    }));
    if (stopped.aborted) return null;
    if (failure !== null) return failure;
    await line.say({ stage: "uploading" });
    const until = performance.now() + times.reportMs;
    while (line.reports <= before && !stopped.aborted) {
      if (performance.now() > until) return { errorCode: "no_report" };
      await pause(times.reportPollMs, stopped);
      await line.say();
    }
  }
  return null;
}

async function end(
  { client, tell }: Running,
  job: RunnerJob,
  outcome: "succeeded" | "failed" | "cancelled",
  errorCode: string | null,
): Promise<void> {
  for (let attempt = 1; attempt <= finishAttempts; attempt += 1) {
    try {
      await client.finish(job, outcome, errorCode);
      return tell(`job ${job.id} ${outcome}${errorCode === null ? "" : ` (${errorCode})`}`);
    } catch (error) {
      tell(messageOf(error));
      if (error instanceof RunnerApiError && error.status < 500) return;
      await rest(1000 * attempt);
    }
  }
}
