import { selectReport, selectReportPayload } from "../../../store/report/reports.ts";
import { viewerOf, type AnonymousCaller, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Context } from "../../../contract/call/context.ts";
import type { NamedId } from "../../../core/errors.ts";
import type { ReportPayload } from "../../../core/report/payload.ts";
import type { ReportRecord } from "../../../core/report/records.ts";
import { storedPayload } from "../../../core/report/stored-payload.ts";

type Caller = AnonymousCaller | AccountCaller;
type Eyes = Pick<Context<Caller, "not_found">, "db" | "caller" | "now" | "found">;

interface StoredUpload<P> {
  readonly report: ReportRecord;
  readonly payload: P;
}

/** `payload` is null if the upload cannot be read; 404 if the caller may not see the report. */
export async function storedUpload(
  reportId: string,
  { db, caller, now, found }: Eyes,
  which?: NamedId,
): Promise<StoredUpload<ReportPayload | null>> {
  const report = found(await db.read(selectReport, reportId, viewerOf(caller), now), which);
  return { report, payload: storedPayload(found(await db.read(selectReportPayload, report.id), which)) };
}

/** As `storedUpload`, but 409 if the upload cannot be read. */
export async function readableUpload(
  reportId: string,
  context: Eyes & Pick<Context<Caller, "invalid_state">, "fail">,
): Promise<StoredUpload<ReportPayload>> {
  const { report, payload } = await storedUpload(reportId, context);
  return payload ? { report, payload } : context.fail("invalid_state", unreadable);
}

const unreadable =
  "This report's upload can no longer be read, so its measurements are not available. Read the report itself: it still has the scores.";
