import { parseInstant, type Instant } from "../time.ts";
import type { ReportComparison } from "./compare.ts";
import { compareRecords } from "./compare-records.ts";
import { reportContent } from "./detail.ts";
import { diagnose, type Diagnosis } from "./diagnosis/diagnosis.ts";
import { leadScore, type LeadScore } from "./lead-score.ts";
import type { ReportPayload } from "./payload.ts";
import type { ReportRecord } from "./records.ts";
import type { ReportDetail } from "./report.ts";
import { scoreReport } from "./scoring.ts";
import { toReportDetail } from "./show.ts";
import { adviseTuning, type TuningAdvice } from "./tuning/tuning-advice.ts";

const nobody = { accountId: null, admin: false } as const;

/** The report that the service would make from an upload; the run's id stands for both ids. */
function recordOf(payload: ReportPayload): ReportRecord {
  const finishedAt: Instant = parseInstant(payload.finished_at) ?? 0;
  return {
    id: payload.local_id,
    shortId: payload.local_id,
    authorId: null,
    serverId: null,
    holderId: null,
    holderVerified: false,
    visibility: "private",
    source: payload.source,
    certifiedAt: null,
    certificateExpiresAt: null,
    createdAt: finishedAt,
    finishedAt,
    expiresAt: null,
    description: payload.description,
    label: null,
    content: reportContent(payload, scoreReport(payload)),
  };
}

const detailOf = (record: ReportRecord): ReportDetail => toReportDetail(record, nobody, record.createdAt);

export interface DescribedPayload {
  readonly report: ReportDetail;
  readonly lead: LeadScore;
  readonly diagnosis: Diagnosis;
  readonly tuning: TuningAdvice;
}

/** The answers of the service for an upload, computed without a service. */
export function describePayload(payload: ReportPayload): DescribedPayload {
  const record = recordOf(payload);
  const report = detailOf(record);
  return {
    report,
    lead: leadScore(report.scores),
    diagnosis: diagnose(record, payload),
    tuning: adviseTuning(record, payload),
  };
}

/** Equal to the comparison of the two reports, except for ids, visibility and times of upload. */
export function comparePayloads(base: ReportPayload, other: ReportPayload): ReportComparison {
  const [left, right] = [recordOf(base), recordOf(other)];
  return compareRecords({ base: left, other: right }, nobody, Math.max(left.createdAt, right.createdAt));
}
