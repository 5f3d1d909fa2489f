import { spine } from "./0001-spine.ts";
import type { Migration } from "./migration.ts";

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [spine];
