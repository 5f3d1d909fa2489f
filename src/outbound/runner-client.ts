import { request } from "undici";
import { z } from "zod";
import { withoutTrailingSlash } from "../core/address.ts";
import type { JobStage } from "../core/auto-bench/job.ts";
import { BenchmarkMode } from "../core/report/report.ts";

const Claimed = z.object({
  job: z.object({
    id: z.string(),
    nonce: z.string(),
    target: z.object({
      server_id: z.string(),
      address: z.string().nullable(),
      port: z.number().nullable(),
      benchmark_mode: BenchmarkMode,
    }),
    runs_total: z.number(),
  }),
});
export type RunnerJob = z.output<typeof Claimed>["job"];

const Heard = z.object({ shouldStop: z.boolean(), reports: z.number() });
const Finished = z.object({ status: z.string() });

export interface RunnerProgress {
  readonly percent?: number;
  readonly stage?: JobStage;
  readonly run_index?: number;
}

export class RunnerApiError extends Error {
  readonly status: number;
  constructor(path: string, status: number, body: string) {
    super(`${path} answered ${status}: ${body.slice(0, 300)}`);
    this.name = "RunnerApiError";
    this.status = status;
  }
}

export interface RunnerClient {
  /** Null if no job waits. */
  claim(agentId: string): Promise<RunnerJob | null>;
  heartbeat(job: RunnerJob, progress: RunnerProgress): Promise<z.output<typeof Heard>>;
  finish(
    job: RunnerJob,
    outcome: "succeeded" | "failed" | "cancelled",
    errorCode: string | null,
  ): Promise<void>;
}

const timeoutMs = 10_000;

/** Rejects with RunnerApiError for a refusal. */
export function runnerClient(baseUrl: string, key: string): RunnerClient {
  const root = `${withoutTrailingSlash(baseUrl)}/agent/v1`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const post = async <T>(path: string, body: unknown, form: z.ZodType<T>): Promise<T | null> => {
    const answer = await request(root + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const text = await answer.body.text();
    if (answer.statusCode === 204) return null;
    if (answer.statusCode !== 200) throw new RunnerApiError(path, answer.statusCode, text);
    return form.parse(JSON.parse(text));
  };
  return {
    claim: async (agentId) => (await post("/jobs/claim", { agent_id: agentId }, Claimed))?.job ?? null,
    heartbeat: async ({ id, nonce }, progress) => {
      const heard = await post(`/jobs/${id}/heartbeat`, { nonce, ...progress }, Heard);
      return heard ?? { shouldStop: true, reports: 0 };
    },
    finish: async ({ id, nonce }, outcome, errorCode) => {
      await post(`/jobs/${id}/finish`, { nonce, outcome, error_code: errorCode }, Finished);
    },
  };
}
