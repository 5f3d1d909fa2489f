import type { Ranks } from "../../core/report/standing.ts";
import { instant, jsonOf, table, text } from "../engine/table.ts";

/** Distribution of the public reports of each scale, as counted last. */
export const reportStandingTable = table("report_standing", {
  algorithm_version: text,
  benchmark_mode: text,
  counted_at: instant,
  ranks: jsonOf<Ranks>(),
});
