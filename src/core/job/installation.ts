import type { Instant } from "../time.ts";

/** A job of the service without a caller, and its last run. */
export interface JobRun {
  readonly name: string;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
}

export interface Installation {
  readonly database: "SQLite" | "PostgreSQL";
  /** The newest applied migration. */
  readonly schema: string;
  readonly accounts: number;
  readonly servers: number;
  readonly jobs: readonly JobRun[];
}
