import { action } from "../../contract/endpoint/action.ts";
import { countSpentRuns } from "../../store/auto-bench/jobs.ts";

export const getRunQuota = action({
  id: "auto_bench.get_quota",
  who: "person",
  errors: [],

  async run(_, { db, caller, now }) {
    const used = await db.read(countSpentRuns, caller.account.id, now);
    return { limit: caller.limits.runs_per_day, used };
  },
});
