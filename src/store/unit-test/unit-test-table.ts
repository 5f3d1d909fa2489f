import { ReportSource, Visibility } from "../../core/report/report.ts";
import { instant, oneOf, table, text } from "../engine/table.ts";

export const unitTestTable = table("unit_test", {
  id: text,
  short_id: text,
  author_id: text.nullable,
  server_id: text.nullable,
  local_id: text.aside,
  parent_report_id: text.nullable.aside,
  job_id: text.nullable.aside,
  test_id: text.aside,
  category: text.nullable.aside,
  benchmark_mode: text.aside,
  visibility: oneOf(Visibility),
  source: oneOf(ReportSource),
  tested_at: instant.nullable,
  created_at: instant,
  expires_at: instant.nullable,
  content: text.aside,
});
