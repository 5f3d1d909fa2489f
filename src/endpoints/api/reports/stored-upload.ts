import { viewerOf, type AnonymousCaller, type TokenCaller } from "../../../contract/caller.ts";
import type { Context } from "../../../contract/context.ts";
import type { ReportPayload } from "../../../core/report/payload.ts";
import type { ReportRecord } from "../../../core/report/store.ts";
import { storedPayload } from "../../../core/report/stored-payload.ts";

type Eyes = Pick<Context<AnonymousCaller | TokenCaller, "not_found">, "stores" | "caller" | "now" | "found">;

/** A report that the caller may see, with its upload; 404 like `GET /reports/{id}`. */
export async function storedUpload(
  reportId: string,
  { stores, caller, now, found }: Eyes,
): Promise<{ readonly report: ReportRecord; readonly payload: ReportPayload }> {
  const report = found(await stores.reports.find(reportId, viewerOf(caller), now));
  return { report, payload: storedPayload(found(await stores.reports.payload(report.id))) };
}
