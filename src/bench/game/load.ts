import type { LoadTestId } from "../../core/report/reference.ts";
import type { TestResult } from "../bench-test.ts";
import type { GameSession } from "./session.ts";

export type Witness = NonNullable<TestResult["witnesses"]>[number];

/** What is looked at while a load runs, to show that it ran. */
export interface LoadWatch {
  /** A look in the middle of a sprint. */
  readonly during: () => Promise<void>;
  /** After the last sprint; `ticks` were asked for since the watch began. */
  readonly finish: (ticks: number) => Promise<readonly Witness[]>;
}

/** Work for the game that is built in batches, and does the same in every tick. */
export interface TickLoad {
  readonly id: LoadTestId;
  readonly name: string;
  readonly category: "entities" | "mechanics";
  /** In what the load is counted. */
  readonly unit: string;
  readonly perBatch: number;
  /** The fixed load, the first one of a ladder, and the most that the pen has room for, in batches. */
  readonly batches: { readonly standard: number; readonly first: number; readonly most: number };
  readonly metric: string;
  /** The operations that the metric counts, of one unit of load in one tick. */
  readonly operationsPerTick: number;
  /** Further metrics of a load. */
  readonly metrics?: (load: number) => Readonly<Record<string, number>>;
  /** Builds this many batches in an empty pen of a frozen game. */
  readonly build: (session: GameSession, batches: number, signal: AbortSignal) => Promise<void>;
  readonly watch: (session: GameSession, batches: number, signal: AbortSignal) => Promise<LoadWatch>;
  /** The same on a rung of a ladder, with what is not too much for the greatest load. */
  readonly watchRung: TickLoad["watch"];
}
