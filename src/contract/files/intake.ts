import { saveMemoryReport } from "../../services/memory-report/save-memory-report.ts";
import { saveProfile } from "../../services/profile/save-profile.ts";
import type { ReadMemoryReport } from "../../core/memory-report/records.ts";
import type { ReadProfile } from "../../core/profile/records.ts";
import type { Context } from "../call/context.ts";
import type { FileIntake } from "../endpoint/endpoint.ts";
import { fileLimit } from "../limits/body-limits.ts";

type Intake = Pick<Context<unknown, never>, "db" | "now" | "secrets" | "plans">;

/** The files that are taken for a profile, whoever sends them. */
export const profileFiles: FileIntake = {
  limit: fileLimit,
  types: ["application/x-spark-sampler"],
  task: "readProfile",
};

/** The files that are taken for a report on the heap. */
export const memoryFiles: FileIntake = {
  limit: fileLimit,
  types: ["application/x-spark-heap", "text/x-java-class-histogram"],
  task: "readMemoryReport",
};

/** Stores a server's profile, unless it is there already; either way answers its ids. */
export const takeProfile = (profile: ReadProfile, serverId: string, { db, now, secrets, plans }: Intake) =>
  saveProfile(
    db,
    { id: secrets.newId(now), profileId: secrets.newId(now), serverId, uploadedAt: now, ...profile },
    plans,
  );

/** Stores a report on a server's heap, unless it is there already; either way answers its id. */
export const takeMemoryReport = (
  report: ReadMemoryReport,
  serverId: string,
  { db, now, secrets, plans }: Intake,
) => saveMemoryReport(db, { id: secrets.newId(now), serverId, uploadedAt: now, ...report }, plans);
