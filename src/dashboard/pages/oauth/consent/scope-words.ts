import type { Scope } from "../../../../core/access/scope.ts";

/** For the person who grants the scope. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  "reports:read": "Read benchmark reports: yours, and what is public",
  "unit-tests:read": "Read results of unit tests",
  "servers:read": "See your servers, their groups and verdicts",
  "auto-bench:read": "See scheduled benchmarks and their runs",
  "monitoring:read": "Read monitoring: state, charts, events, profiles, alerts",
  "offers:read": "Read the catalogue of hosting offers",
  "servers:write": "Rename servers, change who sees them, sort them into groups",
  "servers:link": "Link new servers to your account",
  "reports:write": "Change who sees a report, and its texts",
  "monitoring:write": "Change alert rules, acknowledge alerts, start and end maintenance",
  "auto-bench:write": "Start, cancel and reschedule benchmark runs",
};
