import { z } from "zod";
import { viewerOf } from "../../../contract/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { descriptionProblem, maxLinks, type DescriptionProblem } from "../../../core/report/description.ts";
import { ReportDetail, Visibility } from "../../../core/report/report.ts";
import { isCertified, toReportDetail } from "../../../core/report/show.ts";
import type { ReportChanges } from "../../../core/report/store.ts";
import type { Fail } from "../../../contract/context.ts";
import { callerText } from "../../../core/text/third-party-text.ts";
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

  async handle({ report_id, visibility, ...texts }, { stores, caller, now, isAcceptable, fail, found }) {
    const viewer = viewerOf(caller);
    const report = found(await stores.reports.find(report_id, viewer, now));
    const author = report.authorId === caller.account.id;
    const holder = report.holderVerified && report.holderId === caller.account.id;
    const onlyDescription = visibility === undefined && texts.private_notes === undefined;
    if (!author && !(holder && onlyDescription)) {
      fail(
        "not_owner",
        "Only its author changes a report's visibility and notes; the holder of its verified server may edit the description.",
      );
    }
    const publishing = visibility === "public" || visibility === "unlisted";
    if (publishing && texts.description === undefined)
      refuseBadDescription(report.description, isAcceptable, fail);
    if (publishing && !caller.account.emailVerified)
      fail(
        "email_not_verified",
        "Publishing takes a verified e-mail address. Verify it in Settings, Account.",
      );
    if (isCertified(report, now))
      fail("report_locked", "A certified report is locked until its certificate ends.");
    if (visibility === "public" && report.content.benchmark_mode === "custom") {
      fail("custom_not_public", "A custom run is not scored and never public; unlisted is possible.");
    }
    await stores.reports.update(report.id, changesOf(visibility, texts));
    return toReportDetail(found(await stores.reports.find(report.id, viewer, now)), viewer, now);
  },
});

const messages: Record<DescriptionProblem, string> = {
  too_many_links: `A description takes ${maxLinks} links at most. Remove some.`,
  text_rejected: "The description holds words that are not published here. Rephrase it.",
};

function refuseBadDescription(
  text: string | null,
  isAcceptable: (text: string) => boolean,
  fail: Fail<DescriptionProblem>,
): void {
  const problem = text === null ? null : descriptionProblem(text, isAcceptable);
  if (problem) fail(problem, messages[problem], problem === "too_many_links" ? { limit: maxLinks } : {});
}

type Texts = { description?: string | null | undefined; private_notes?: string | null | undefined };

const changesOf = (
  visibility: ReportChanges["visibility"],
  { description, private_notes }: Texts,
): ReportChanges => ({
  ...(visibility !== undefined && { visibility }),
  ...(description !== undefined && { description }),
  ...(private_notes !== undefined && { privateNotes: private_notes }),
});
