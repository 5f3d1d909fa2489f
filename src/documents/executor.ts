import type { DocumentJob } from "./tasks.ts";

/** Runs jobs somewhere; the thread that asks stays free. */
export interface Executor {
  /** So many jobs run at once; whoever hands over more waits. */
  readonly slots: number;
  /** The task's result. Throws what the task throws, and TooHeavy for a job that was given up. */
  run(job: DocumentJob): Promise<unknown>;
  close(): Promise<void>;
}

/** A job was given up, because it took more of this than one job is given. */
export class TooHeavy extends Error {
  readonly limit: "time" | "memory";
  constructor(limit: "time" | "memory") {
    super(`A document took too much ${limit}.`);
    this.name = "TooHeavy";
    this.limit = limit;
  }
}
