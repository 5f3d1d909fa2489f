import type { ReportContent } from "../../core/report/detail.ts";
import { ReportSource, Visibility } from "../../core/report/report.ts";
import { instant, jsonOf, oneOf, table, text } from "../engine/table.ts";

export const reportTable = table("report", {
  id: text,
  short_id: text,
  author_id: text.nullable,
  server_id: text.nullable,
  local_id: text.aside,
  visibility: oneOf(Visibility),
  source: oneOf(ReportSource),
  benchmark_mode: text.aside,
  server_type: text.nullable.aside,
  certified_at: instant.nullable,
  certificate_expires_at: instant.nullable,
  created_at: instant,
  finished_at: instant,
  expires_at: instant.nullable,
  description: text.nullable,
  private_notes: text.nullable.aside,
  content: jsonOf<ReportContent>(),
  payload: text.aside,
  job_id: text.nullable.aside,
  label: text.nullable,
});
