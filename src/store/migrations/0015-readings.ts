import type { Migration } from "./migration.ts";

/**
 * What answers about a document are made of, worked out when it is uploaded: JSON packed with gzip, of the version of
 * the program's reading. A row apart, so that reading it does not pass over the document.
 */
export const readings: Migration = {
  id: 15,
  name: "readings",
  statements: [
    `CREATE TABLE profile_reading (
      profile_id TEXT PRIMARY KEY REFERENCES profile_document (id) ON DELETE CASCADE, version BIGINT NOT NULL,
      detail {{bytes}} NOT NULL, flame_graph {{bytes}} NOT NULL)`,
    `CREATE TABLE memory_reading (
      report_id TEXT PRIMARY KEY REFERENCES memory_report (id) ON DELETE CASCADE, version BIGINT NOT NULL,
      diagnosis {{bytes}} NOT NULL)`,
  ],
};
