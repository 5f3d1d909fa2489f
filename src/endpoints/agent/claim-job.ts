import { claimNextJob } from "../../services/auto-bench/claim-job.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../contract/endpoint/endpoint.ts";
import { Id } from "../../core/id.ts";
import { BenchmarkMode } from "../../core/report/report.ts";
import { plainText } from "../../core/text/third-party-text.ts";

export const claimJob = defineEndpoint({
  id: "agent_jobs.claim",
  method: "POST",
  path: "/jobs/claim",
  params: {},
  access: { face: "agent", credential: "runner" },
  summary: "Take the job that has waited longest; no other runner gets it. 204 when no job waits.",
  input: z.object({ agent_id: plainText(128, 1) }),
  output: z
    .object({
      job: z.object({
        id: Id,
        nonce: z.string(),
        target: z.object({
          server_id: Id,
          address: z.string().nullable(),
          port: z.int().nullable(),
          benchmark_mode: BenchmarkMode,
        }),
        runs_total: z.int(),
      }),
    })
    .nullable(),
  success: [200, 204],
  errors: [],
  example: {
    input: { agent_id: "rack-7" },
    output: {
      job: {
        id: "019a9f5e-1d00-7000-8000-000000000081",
        nonce: "b3J0SGVyZUlzTm9TZWNyZXRJblRoaXM0",
        target: {
          server_id: "019a9f5e-1d00-7000-8000-000000000010",
          address: "lobby.example",
          port: 25_565,
          benchmark_mode: "standard",
        },
        runs_total: 3,
      },
    },
  },

  async handle({ agent_id }, { db, caller, now, secrets }) {
    const claim = { runnerId: caller.runner.id, agentId: agent_id, nonce: secrets.newNonce() };
    const claimed = await claimNextJob(db, claim, now);
    if (!claimed) return nothing();
    const { job, address, port, mode } = claimed;
    const target = { server_id: job.serverId, address, port, benchmark_mode: mode };
    return { job: { id: job.id, nonce: job.nonce, target, runs_total: job.runsTotal } };
  },
});
