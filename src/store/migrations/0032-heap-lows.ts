import type { Migration } from "./migration.ts";

/** The least heap of every six hours of the days before, kept with what is usual of a server. */
export const heapLows: Migration = {
  id: 32,
  name: "heap-lows",
  statements: ["ALTER TABLE server_baseline ADD COLUMN heap_lows TEXT"],
};
