/** How a call of a tool ended: its answer, a refusal of it, or a failure of the request itself. */
export type ToolOutcome = "done" | "refused" | "failed";

/**
 * Counts what the service does, for `/metrics`. Names that are given here are of the program (tools, calls, jobs,
 * channels), never of a caller or a server: so the number of series does not grow with what is served.
 */
export interface Meter {
  readonly toolCalled: (tool: string, outcome: ToolOutcome, seconds: number) => void;
  /** A call of the plugin API succeeded with this answer. */
  readonly ingested: (call: string, answer: unknown) => void;
  /** A document is handed over to be read (1), or its reading ended (-1). */
  readonly documents: (change: 1 | -1) => void;
  /** One attempt to send a message ended. */
  readonly delivered: (channel: string, outcome: string) => void;
  readonly jobEnded: (job: string, seconds: number) => void;
  readonly jobFailed: (job: string) => void;
}

const nothing = (): void => {};

/** Counts nothing: `/metrics` is off. */
export const noMeter: Meter = {
  toolCalled: nothing,
  ingested: nothing,
  documents: nothing,
  delivered: nothing,
  jobEnded: nothing,
  jobFailed: nothing,
};
