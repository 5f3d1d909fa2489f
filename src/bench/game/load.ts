import type { LoadTestId } from "../../core/report/reference.ts";
import type { TestResult } from "../bench-test.ts";
import type { GameSession } from "./session.ts";

export type Witness = NonNullable<TestResult["witnesses"]>[number];

/** Looks at a load while it runs, to show that it ran. */
export interface LoadWatch {
  /** In the middle of a sprint. */
  readonly during: () => Promise<void>;
  /** After the last sprint; `ticks`: the number asked for since the watch began. */
  readonly finish: (ticks: number) => Promise<readonly Witness[]>;
}

/** A load that is built in batches and does the same in every tick. */
export interface TickLoad {
  readonly id: LoadTestId;
  readonly name: string;
  readonly category: "entities" | "mechanics";
  /** Such as `hoppers`. */
  readonly unit: string;
  readonly perBatch: number;
  /** In batches: the fixed load, the first load of a ladder, and the most that the pen has room for. */
  readonly batches: { readonly standard: number; readonly first: number; readonly most: number };
  readonly metric: string;
  /** Operations that the metric counts, for one unit of load in one tick. */
  readonly operationsPerTick: number;
  readonly metrics?: (load: number) => Readonly<Record<string, number>>;
  /** Builds the batches in an empty pen of a frozen game. */
  readonly build: (session: GameSession, batches: number, signal: AbortSignal) => Promise<void>;
  readonly watch: (session: GameSession, batches: number, signal: AbortSignal) => Promise<LoadWatch>;
  /** Like `watch`, but cheap enough for the largest load of a ladder. */
  readonly watchRung: TickLoad["watch"];
}
