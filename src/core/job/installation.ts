import type { Instant } from "../time.ts";

/** What runs without a caller, and when it last did. */
export interface JobRun {
  readonly name: string;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
}

/** What the database knows of the installation itself. */
export interface Installation {
  readonly database: "SQLite" | "PostgreSQL";
  /** The newest migration that was applied. */
  readonly schema: string;
  readonly accounts: number;
  readonly servers: number;
  readonly jobs: readonly JobRun[];
}
