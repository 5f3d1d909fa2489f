import type { DocumentJob } from "./tasks.ts";

/** Runs jobs without blocking the calling thread. */
export interface Executor {
  /** The jobs that may run at once; the caller holds back the others. */
  readonly slots: number;
  /** Throws what the task throws, and TooHeavy for a job that was given up. */
  run(job: DocumentJob): Promise<unknown>;
  close(): Promise<void>;
}

/** A job was given up, because it exceeded its limit. */
export class TooHeavy extends Error {
  readonly limit: "time" | "memory";
  constructor(limit: "time" | "memory") {
    super(`A document took too much ${limit}.`);
    this.name = "TooHeavy";
    this.limit = limit;
  }
}
