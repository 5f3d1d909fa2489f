import { z } from "zod";
import { viewerOf, type AnonymousCaller, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Context } from "../../../contract/call/context.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { canBeId } from "../../../core/id-form.ts";
import {
  beforeAfterInput,
  datesOf,
  declaredFields,
  repeatedSide,
  unclearSide,
  type RunDates,
  type RunSides,
} from "../../../core/report/before-after/input.ts";
import { runsByDate } from "../../../core/report/before-after/runs-by-date.ts";
import { runOf, type Run } from "../../../core/report/before-after/run.ts";
import { targetOf } from "../../../core/report/before-after/targets.ts";
import {
  BeforeAfterVerdict,
  beforeAfterVerdict as judge,
} from "../../../core/report/before-after/verdict.ts";
import { troubledTests } from "../../../core/report/troubled-tests.ts";
import { toReportDetail } from "../../../core/report/show.ts";
import { parseInstant, type Instant } from "../../../core/time.ts";
import { nextTurn } from "../../../core/turns.ts";
import { selectRunsAround } from "../../../store/report/runs-around.ts";
import { selectMonitoredServer } from "../../../store/server/servers.ts";
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

  needsToken: ({ server_id }) => server_id !== undefined,

  check(input, { fail }) {
    const unclear = unclearSide(input);
    if (unclear)
      fail(
        "validation_error",
        "Send before and after, or in place of both server_id, before_until and after_from.",
        { field: unclear },
      );
    const dates = datesOf(input);
    if (dates && instantOf(dates.after_from) < instantOf(dates.before_until))
      fail("validation_error", "after_from must not be earlier than before_until.", { field: "after_from" });
    const side = repeatedSide(input.before ?? [], input.after ?? []);
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
    const dates = datesOf(input);
    const sides = dates
      ? await sidesByDate(dates, context)
      : { before: input.before ?? [], after: input.after ?? [] };
    const before = await runsOf("before", sides.before, input.server_id, context);
    const after = await runsOf("after", sides.after, input.server_id, context);
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

const instantOf = (text: string): Instant => parseInstant(text) ?? 0;

/** The runs next to the change; 404 if the server is not one of the caller's own. */
async function sidesByDate(
  { server_id, before_until, after_from }: RunDates,
  { db, caller, now, found }: Eyes,
): Promise<RunSides> {
  const { accountId } = viewerOf(caller);
  const account = found(accountId);
  const server = found(await db.read(selectMonitoredServer, server_id, account));
  const [until, from] = [instantOf(before_until), instantOf(after_from)];
  return runsByDate(await db.read(selectRunsAround, { server: server.id, account, until, from, now }));
}

/** Parsing an upload takes a while, so other calls get the thread between two. */
async function runsOf(
  field: string,
  ids: readonly string[],
  serverId: string | undefined,
  context: Eyes,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const [at, id] of ids.entries()) {
    const which = { field, position: at + 1 };
    context.found(canBeId(id, "full_or_short") || null, which);
    const { report, payload } = await storedUpload(id, context, which);
    // A report of another server is none of the server's.
    context.found(serverId === undefined || report.serverId === serverId || null, which);
    const { failed, unreliable } = troubledTests(payload);
    const shown = toReportDetail(report, viewerOf(context.caller), context.now);
    runs.push(runOf(shown, payload, report.finishedAt, [...failed, ...unreliable]));
    await nextTurn();
  }
  return runs;
}
