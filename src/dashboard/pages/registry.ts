import type { Page } from "../page.ts";
import { beforeAfterPage } from "./before-after.tsx";
import { offersPage } from "./offers.tsx";
import { reportComparisonPage } from "./report-comparison.tsx";
import { reportPage } from "./report.tsx";
import { reportsPage } from "./reports.tsx";
import { startPage } from "./start.tsx";
import { unitTestPage } from "./unit-test.tsx";
import { unitTestsPage } from "./unit-tests.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  startPage,
  reportsPage,
  reportComparisonPage,
  beforeAfterPage,
  reportPage,
  unitTestsPage,
  unitTestPage,
  offersPage,
];
