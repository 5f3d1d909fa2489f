import { setImmediate } from "node:timers/promises";

/** The part of `BenchContext` that a test in its own process gets. */
export interface MachineJobInput {
  readonly folder: string;
  readonly length: number;
  readonly processors: number;
  readonly memoryBytes: number;
}

export interface MachineJob extends MachineJobInput {
  progress(done: number): void;
}

/** Lets the process notice between slices that its parent is gone. */
export const breathe = (): Promise<void> => setImmediate();
