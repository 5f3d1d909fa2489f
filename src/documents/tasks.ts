import type { DocumentTasks, TaskName } from "../contract/files/document-tasks.ts";
import { compareMemory, memoryDiagnosis, readMemoryReport } from "./memory-reports.ts";
import { compareProfiles, profileOfOwner, profileReadings, readProfile } from "./profiles.ts";

const tasks: { readonly [Name in TaskName]: (input: DocumentTasks[Name]["input"]) => unknown } = {
  readProfile,
  readMemoryReport,
  profileReadings,
  profileOfOwner,
  compareProfiles,
  memoryDiagnosis,
  compareMemory,
};

/** A task as it is handed to whoever runs it; `input` is the one that the task of this name takes. */
export interface Job {
  readonly name: TaskName;
  readonly input: unknown;
}

/** Runs a task to its end on this thread. */
export const runTask = ({ name, input }: Job): unknown => tasks[name](input as never);
