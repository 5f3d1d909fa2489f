import type { Page } from "../page.ts";
import { autoBenchTargetPage } from "./auto-bench-target.tsx";
import { autoBenchPage } from "./auto-bench.tsx";
import { memoryComparisonPage } from "./memory-comparison.tsx";
import { memoryReportPage } from "./memory-report.tsx";
import { memoryReportsPage } from "./memory-reports.tsx";
import { profileComparisonPage } from "./profile-comparison.tsx";
import { profilePage } from "./profile.tsx";
import { profilesPage } from "./profiles.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  profilesPage,
  profilePage,
  profileComparisonPage,
  memoryReportsPage,
  memoryReportPage,
  memoryComparisonPage,
  autoBenchPage,
  autoBenchTargetPage,
];
