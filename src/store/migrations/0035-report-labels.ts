import type { Migration } from "./migration.ts";

/** The label that its author gave a report. */
export const reportLabels: Migration = {
  id: 35,
  name: "report-labels",
  statements: ["ALTER TABLE report ADD COLUMN label TEXT"],
};
