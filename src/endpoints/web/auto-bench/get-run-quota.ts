import { countSpentRuns } from "../../../store/auto-bench/jobs.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";

export const getRunQuota = defineEndpoint({
  id: "auto_bench.get_quota",
  method: "GET",
  path: "/auto-bench/quota",
  params: {},
  access: { face: "web", who: "person" },
  summary: "How many auto-bench runs the plan has in 24 hours, and how many of them are used.",
  input: z.strictObject({}),
  output: z.object({ limit: z.int(), used: z.int() }),
  errors: [],
  example: { input: {}, output: { limit: 10, used: 3 } },

  async handle(_, { db, caller, now }) {
    const used = await db.read(countSpentRuns, caller.account.id, now);
    return { limit: caller.limits.runs_per_day, used };
  },
});
