import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { RegressionVerdict } from "../../../core/server/regression/verdict.ts";
import type { Server } from "../../../core/server/server.ts";
import { getRegressionVerdict } from "../../../endpoints/api/server/get-regression-verdict.ts";
import type { PageRequest } from "../../page.ts";
import { nullIfRefused } from "../../parts/null-if-refused.ts";

/** `later` if there was no time for the verdict. */
export type VerdictWord = RegressionVerdict["verdict"] | "not_verified" | "later";

/** Of a page, ms. Each verdict reads many benchmark runs. */
export const verdictBudgetMs = 120;

/** Stops when the budget is spent; the other servers link to the verdict on their own page. */
export async function verdictsOf(
  { call }: Pick<PageRequest<SessionCaller>, "call">,
  servers: readonly Pick<Server, "id" | "verified">[],
  elapsed: () => number = () => performance.now(),
): Promise<VerdictWord[]> {
  const start = elapsed();
  const words: VerdictWord[] = [];
  for (const { id, verified } of servers) {
    if (!verified) words.push("not_verified");
    else if (elapsed() - start > verdictBudgetMs) words.push("later");
    else {
      const verdict = call(getRegressionVerdict, { server_id: id });
      words.push((await nullIfRefused(["server_not_verified"], verdict))?.verdict ?? "not_verified");
    }
  }
  return words;
}
