import type { Migration } from "./migration.ts";

/**
 * Older samples as one row for each server and UTC day. A job moves samples, and the rows of five minutes of older
 * versions, into it. (Not partitioned by month on PostgreSQL: the months would have to be made by the running service,
 * which changes no schema, and plans keep different numbers of days, so that no month is past all of them for a year.)
 */
export const sampleBlocks: Migration = {
  id: 27,
  name: "sample-blocks",
  statements: [
    `CREATE TABLE sample_block (
      server_id TEXT NOT NULL REFERENCES server (id), day BIGINT NOT NULL, first_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL, points BIGINT NOT NULL, data {{bytes}} NOT NULL, PRIMARY KEY (server_id, day))`,
  ],
};
