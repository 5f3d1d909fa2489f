import { saveMemoryReport } from "../../services/memory-report/save-memory-report.ts";
import { saveProfile } from "../../services/profile/save-profile.ts";
import type { ReadMemoryReport } from "../../core/memory-report/records.ts";
import type { ReadProfile } from "../../core/profile/records.ts";
import type { Context } from "../call/context.ts";
import type { FileIntake } from "../endpoint/endpoint.ts";
import { longestUpload } from "../../core/import/longest-upload.ts";

type Intake = Pick<Context<unknown, never>, "db" | "now" | "secrets" | "plans">;

export const profileFiles: FileIntake = {
  limit: longestUpload,
  types: ["application/x-spark-sampler"],
  task: "readProfile",
};

export const memoryFiles: FileIntake = {
  limit: longestUpload,
  types: ["application/x-spark-heap", "text/x-java-class-histogram"],
  task: "readMemoryReport",
};

/** Stores the profile, or finds the same one stored before; returns its ids either way. */
export const takeProfile = (profile: ReadProfile, serverId: string, { db, now, secrets, plans }: Intake) =>
  saveProfile(
    db,
    { id: secrets.newId(now), profileId: secrets.newId(now), serverId, uploadedAt: now, ...profile },
    plans,
  );

/** Stores the report, or finds the same one stored before; returns its id either way. */
export const takeMemoryReport = (
  report: ReadMemoryReport,
  serverId: string,
  { db, now, secrets, plans }: Intake,
) => saveMemoryReport(db, { id: secrets.newId(now), serverId, uploadedAt: now, ...report }, plans);
