import { z } from "zod";

/** The kinds of work in a profile. */
export const Category = z.enum([
  "tick-loop",
  "world-tick",
  "entities",
  "block-entities",
  "blocks",
  "explosions",
  "lighting",
  "world-gen",
  "chunks",
  "storage",
  "networking",
  "commands",
  "items",
  "plugin-api",
  "waiting",
  "concurrency",
  "memory",
  "jvm-runtime",
  "compression",
  "logging",
  "database",
  "serialization",
  "text",
  "collections",
  "web",
  "profiler",
  "plugin",
  "other",
]);
export type Category = z.infer<typeof Category>;
