import { spine } from "./0001-spine.ts";
import { monitoring } from "./0002-monitoring.ts";
import { benchmarks } from "./0003-benchmarks.ts";
import { profiles } from "./0004-profiles.ts";
import { people } from "./0005-people.ts";
import { leaving } from "./0007-leaving.ts";
import type { Migration } from "./migration.ts";

/** Every step, oldest first. */
export const migrations: readonly Migration[] = [spine, monitoring, benchmarks, profiles, people, leaving];
