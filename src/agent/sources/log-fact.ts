import type { Level } from "./log-line.ts";
import type { Moderation } from "./log-moderation.ts";

export type LogFact =
  | { readonly is: "starting"; readonly version: string; readonly proxy?: string }
  | { readonly is: "ready"; readonly tookMs: number | null }
  | { readonly is: "listening" | "stopping" | "restarting" | "joined" | "threw" | "closing" }
  | { readonly is: "crash"; readonly why: string | null; readonly report: string | null }
  /** A crash whose cause or report may follow; if it is not certain, the server may go on after it. */
  | { readonly is: "crashing"; readonly why: string | null; readonly isCertain: boolean }
  /** `detail` and `report` are of the lines behind it. */
  | {
      readonly is: "failed";
      readonly why: string;
      readonly detail?: string | null;
      readonly report?: string | null;
    }
  | { readonly is: "hanging"; readonly seconds: number }
  | { readonly is: "behind"; readonly ms: number | null; readonly ticks: number | null }
  | { readonly is: "paused"; readonly afterSeconds: number }
  | { readonly is: "out_of_memory"; readonly what: string }
  | { readonly is: "moderation"; readonly moderation: Moderation };

/** A reader for messages with these first words: one lookup instead of many patterns. */
export interface LogWords {
  readonly start: string;
  /** Null if servers do not agree. */
  readonly level: Level | null;
  /** These words end a session, so more threads may write them. */
  readonly endsSession?: true;
  readonly read: (message: string) => LogFact | null;
}
