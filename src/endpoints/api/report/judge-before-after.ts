import { z } from "zod";
import { viewerOf, type AnonymousCaller, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Context } from "../../../contract/call/context.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { canBeId } from "../../../core/id-form.ts";
import { beforeAfterInput, declaredFields, repeatedSide } from "../../../core/report/before-after/input.ts";
import { runOf, type Run } from "../../../core/report/before-after/run.ts";
import { targetOf } from "../../../core/report/before-after/targets.ts";
import {
  BeforeAfterVerdict,
  beforeAfterVerdict as judge,
} from "../../../core/report/before-after/verdict.ts";
import { troubledTests } from "../../../core/report/troubled-tests.ts";
import { toReportDetail } from "../../../core/report/show.ts";
import { nextTurn } from "../../../core/turns.ts";
import { exampleBeforeAfter } from "./example-before-after.ts";
import { storedUpload } from "./stored-upload.ts";

export const judgeBeforeAfter = defineEndpoint({
  id: "reports.before_after",
  method: "GET",
  path: "/reports/before-after",
  params: {},
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary:
    "Whether a change helped, by at least three runs before and three after it; the verdict is often inconclusive.",
  input: z.strictObject(beforeAfterInput),
  output: BeforeAfterVerdict,
  errors: ["validation_error", "not_found"],
  example: exampleBeforeAfter,

  check({ before, after }, { fail }) {
    const side = repeatedSide(before, after);
    if (side) fail("validation_error", repeated, { field: side });
  },

  async handle(input, context) {
    const target = targetOf(input.target);
    if (!target)
      return context.fail(
        "validation_error",
        "target is not known to the rule. Send a code of the tuning advice, or a score.",
        { field: "target" },
      );
    const before = await runsOf("before", input.before, context);
    const after = await runsOf("after", input.after, context);
    // A full and a short id can name the same report.
    const side = repeatedSide(
      before.map(({ id }) => id),
      after.map(({ id }) => id),
    );
    if (side) context.fail("validation_error", repeated, { field: side });
    return judge(before, after, target, declaredFields(input.declared));
  },
});

const repeated = "A report is named twice. Name each report once, in before or in after.";

type Eyes = Pick<Context<AnonymousCaller | AccountCaller, "not_found">, "db" | "caller" | "now" | "found">;

/** Parsing an upload takes a while, so other calls get the thread between two. */
async function runsOf(field: string, ids: readonly string[], context: Eyes): Promise<Run[]> {
  const runs: Run[] = [];
  for (const [at, id] of ids.entries()) {
    const which = { field, position: at + 1 };
    context.found(canBeId(id, "full_or_short") || null, which);
    const { report, payload } = await storedUpload(id, context, which);
    const { failed, unreliable } = troubledTests(payload);
    const shown = toReportDetail(report, viewerOf(context.caller), context.now);
    runs.push(runOf(shown, payload, report.finishedAt, [...failed, ...unreliable]));
    await nextTurn();
  }
  return runs;
}
