/** In the order in which calls are refused while others wait too long. */
export type ShedKind = "repeatable" | "usual" | "last";

export type ToolOutcome = "done" | "refused" | "failed";

/**
 * Labels are names from the program (tools, calls, jobs, channels), never of a caller or server: the number
 * of `/metrics` series stays fixed.
 */
export interface Meter {
  readonly toolCalled: (tool: string, outcome: ToolOutcome, seconds: number) => void;
  /** A call was refused because others wait too long. */
  readonly callShed: (kind: ShedKind) => void;
  /** A call of the plugin API succeeded with this answer. */
  readonly ingested: (call: string, answer: unknown) => void;
  /** A document begins to be read (1) or is finished (-1). */
  readonly documents: (change: 1 | -1) => void;
  readonly delivered: (channel: string, outcome: string) => void;
  readonly jobEnded: (job: string, seconds: number) => void;
  readonly jobFailed: (job: string) => void;
}

const nothing = (): void => {};

export const noMeter: Meter = {
  toolCalled: nothing,
  callShed: nothing,
  ingested: nothing,
  documents: nothing,
  delivered: nothing,
  jobEnded: nothing,
  jobFailed: nothing,
};
