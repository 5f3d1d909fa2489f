import { z } from "zod";

/** How far the log was read, and what was known then: enough to go on after the agent was away. */
export const LogMemory = z.object({
  file: z.object({ identity: z.string(), position: z.int().min(0), mark: z.string() }),
  /** Of the last line; ISO times are for people, this is compared, ms. */
  last_line_at: z.int().nullable(),
  zone_ms: z.int().nullable(),
  /** The server's process, as it was seen last. */
  process: z.object({ pid: z.int(), start_ticks: z.int(), seen_at: z.int() }).nullable(),
});
export type LogMemory = z.output<typeof LogMemory>;

/** Keeps the position in the log between two starts of the agent. */
export interface LogMemories {
  /** Null if nothing was kept, or nobody can understand it. Rejects if it cannot be read now: then it stays. */
  load(): Promise<LogMemory | null>;
  keep(memory: LogMemory): Promise<void>;
}

/** Keeps nothing, for `agent check`. */
export const noMemories: LogMemories = { load: async () => null, keep: async () => {} };
