import { z } from "zod";

/** Kinds of work a server does, as profiles divide them. */
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
