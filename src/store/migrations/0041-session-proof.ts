import type { Migration } from "./migration.ts";

/** When the person of a session proved last who they are; a session of an older process has proved nothing. */
export const sessionProof: Migration = {
  id: 41,
  name: "session-proof",
  statements: [
    "ALTER TABLE session ADD COLUMN proven_at BIGINT NOT NULL DEFAULT 0",
    "UPDATE session SET proven_at = created_at",
  ],
};
