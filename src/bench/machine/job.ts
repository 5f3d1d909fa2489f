import { setImmediate } from "node:timers/promises";

/** What a test in a process of its own is given; see `BenchContext`. */
export interface MachineJobInput {
  readonly folder: string;
  readonly length: number;
  readonly processors: number;
  readonly memoryBytes: number;
}

export interface MachineJob extends MachineJobInput {
  progress(done: number): void;
}

/** Lets the process notice between two slices that its parent is gone. */
export const breathe = (): Promise<void> => setImmediate();
