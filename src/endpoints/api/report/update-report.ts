import { selectReport } from "../../../store/report/reports.ts";
import { changeReport } from "../../../services/report/change-report.ts";
import { z } from "zod";
import { actingToken, viewerOf, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Secrets } from "../../../app/access/secrets.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { refuseBadDescription, requireVerifiedEmail } from "../../../contract/call/publishing.ts";
import { reportVisibilityChanged } from "../../../core/event/own-event.ts";
import { tokenNotice, type TraceOf } from "../../../core/event/trace.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { descriptionProblem } from "../../../core/report/description.ts";
import { ReportDetail, Visibility } from "../../../core/report/report.ts";
import { rightsOver } from "../../../core/report/rights.ts";
import { isCertified, toReportDetail } from "../../../core/report/show.ts";
import type { ReportChanges, ReportRecord } from "../../../core/report/records.ts";
import { callerText } from "../../../core/text/third-party-text.ts";
import type { Instant } from "../../../core/time.ts";
import { exampleReportDetail } from "./example-report.ts";

export const updateReport = defineEndpoint({
  id: "reports.update",
  method: "PATCH",
  path: "/reports/{id}",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:write" },
  summary: "Publish or hide a report, or edit its description and private notes.",
  input: z.strictObject({
    report_id: resourceOrShortIdInput(),
    visibility: Visibility.optional(),
    description: callerText(4000).nullable().optional(),
    private_notes: callerText(10_000).nullable().optional(),
  }),
  output: ReportDetail,
  errors: [
    "too_many_links",
    "text_rejected",
    "not_found",
    "not_owner",
    "email_not_verified",
    "report_locked",
    "custom_not_public",
  ],
  example: {
    input: { report_id: exampleReportDetail.short_id, visibility: "public" },
    output: exampleReportDetail,
  },

  check({ description }, { isAcceptable, fail }) {
    refuseBadDescription(description ?? null, isAcceptable, fail);
  },

  async handle({ report_id, visibility, ...texts }, context) {
    const { db, caller, now, secrets, isAcceptable, fail, found } = context;
    const viewer = viewerOf(caller);
    const report = found(await db.read(selectReport, report_id, viewer, now));
    const rights = rightsOver(report, caller.account.id);
    const onlyDescription = visibility === undefined && texts.private_notes === undefined;
    if (!rights.all && !(rights.description && onlyDescription)) {
      fail(
        "not_owner",
        "Only the author of a report can change its visibility and notes. The owner of its verified server can change its description.",
      );
    }
    const publishing = visibility === "public" || visibility === "unlisted";
    if (publishing && texts.description === undefined)
      refuseBadDescription(report.description, isAcceptable, fail);
    if (publishing) requireVerifiedEmail(caller, fail);
    if (isCertified(report, now))
      fail("report_locked", "A certified report is locked until its certificate ends. Change it afterwards.");
    if (visibility === "public" && report.content.benchmark_mode === "custom") {
      fail("custom_not_public", "A custom run has no scores and cannot be public. Choose unlisted instead.");
    }
    await db.write(
      changeReport,
      report.id,
      changesOf(visibility, texts),
      traceOf(report, caller, secrets, now),
      (text) => descriptionProblem(text, isAcceptable) === null,
    );
    return toReportDetail(found(await db.read(selectReport, report.id, viewer, now)), viewer, now);
  },
});

type Texts = { description?: string | null | undefined; private_notes?: string | null | undefined };

const changesOf = (
  visibility: ReportChanges["visibility"],
  { description, private_notes }: Texts,
): ReportChanges => ({
  ...(visibility !== undefined && { visibility }),
  ...(description !== undefined && { description }),
  ...(private_notes !== undefined && { privateNotes: private_notes }),
});

/** A token's change of visibility is recorded, and the author is notified. */
function traceOf(
  report: ReportRecord,
  caller: AccountCaller,
  secrets: Secrets,
  now: Instant,
): TraceOf<ReportChanges["visibility"]> {
  return (before, visibility) => {
    const token = actingToken(caller);
    if (token === null || visibility === undefined || visibility === before) return null;
    // The server's timeline records it only while the author holds the server.
    const serverId = report.holderId === caller.account.id ? report.serverId : null;
    const occasion = serverId === null ? null : { id: secrets.newId(now), serverId, now };
    const notice = tokenNotice(
      { id: secrets.newId(now), accountId: caller.account.id, serverId },
      {
        kind: "visibility_changed",
        tokenName: token.name,
        client: token.client,
        subject: `report ${report.shortId} is ${visibility} now`,
        serverName: null,
        until: null,
        at: now,
      },
    );
    return {
      event: occasion && reportVisibilityChanged(occasion, token, { id: report.id, visibility }),
      notice,
    };
  };
}
