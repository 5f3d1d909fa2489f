import { z } from "zod";

/** How far the log was read, and what was known then, to go on after the agent was away. */
export const LogMemory = z.object({
  file: z.object({ identity: z.string(), position: z.int().min(0), mark: z.string() }),
  /** Not an ISO time, because it is compared, ms. */
  last_line_at: z.int().nullable(),
  zone_ms: z.int().nullable(),
  /** The server's process, as it was last seen. */
  process: z.object({ pid: z.int(), start_ticks: z.int(), seen_at: z.int() }).nullable(),
});
export type LogMemory = z.output<typeof LogMemory>;

export interface LogMemories {
  /** Null if nothing was kept, or its content is wrong. Rejects if it cannot be read now. */
  load(): Promise<LogMemory | null>;
  keep(memory: LogMemory): Promise<void>;
}

/** Keeps nothing, for `agent check`. */
export const noMemories: LogMemories = { load: async () => null, keep: async () => {} };
