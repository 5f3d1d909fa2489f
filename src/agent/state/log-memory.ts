import { z } from "zod";
import { KillCount } from "../process/kernel-kills.ts";
import { LeftFiles } from "../process/left-files.ts";

/** The server's process, as it was last seen. */
export const ProcessMemory = z.object({
  pid: z.int(),
  start_ticks: z.int(),
  seen_at: z.int(),
  /** Missing in memories of older agents. */
  ended: z
    .object({
      started_at: z.int().nullable(),
      was_up: z.boolean(),
      has_log: z.boolean(),
      kills: z.array(KillCount),
      container: z.string().nullable(),
      left: LeftFiles,
    })
    .nullable()
    .default(null),
});
export type ProcessMemory = z.output<typeof ProcessMemory>;

/** How far the log was read, and what was known then, to go on after the agent was away. */
export const LogMemory = z.object({
  /** Null while the server has no log. */
  file: z.object({ identity: z.string(), position: z.int().min(0), mark: z.string() }).nullable(),
  /** Not an ISO time, because it is compared, ms. */
  last_line_at: z.int().nullable(),
  zone_ms: z.int().nullable(),
  process: ProcessMemory.nullable(),
});
export type LogMemory = z.output<typeof LogMemory>;

/** Content that no agent wrote: what was missed since then is not known. */
export interface LostMemory {
  readonly lostAt: number;
}

export interface LogMemories {
  /** Null if nothing was kept. Rejects if it cannot be read now. */
  load(): Promise<LogMemory | LostMemory | null>;
  keep(memory: LogMemory): Promise<void>;
}

/** Keeps nothing, for `agent check`. */
export const noMemories: LogMemories = { load: async () => null, keep: async () => {} };
