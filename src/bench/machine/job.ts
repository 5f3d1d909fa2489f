import { setImmediate } from "node:timers/promises";
import type { MeasuredBy } from "../../core/report/conditions.ts";

/** The part of `BenchContext` that a test in its own process gets. */
export interface MachineJobInput {
  readonly folder: string;
  readonly length: number;
  readonly processors: number;
  readonly memoryBytes: number;
  /** By which clock the figures are taken. */
  readonly measuredBy: MeasuredBy;
}

export interface MachineJob extends MachineJobInput {
  progress(done: number): void;
}

/** Lets the process notice between slices that its parent is gone. */
export const breathe = (): Promise<void> => setImmediate();
