import type { DocumentTasks, TaskName } from "../contract/files/document-tasks.ts";
import { readBatch, readJson } from "./bodies.ts";
import { compareMemoryUploads, memoryDiagnosis, readMemoryReport } from "./memory-reports.ts";
import {
  compareProfileUploads,
  flameTree,
  profileOfOwner,
  profileReadings,
  readProfile,
} from "./profiles.ts";

const tasks: { readonly [Name in TaskName]: (input: DocumentTasks[Name]["input"]) => unknown } = {
  readBatch,
  readJson,
  readProfile,
  readMemoryReport,
  profileReadings,
  profileOfOwner,
  flameTree,
  compareProfiles: compareProfileUploads,
  memoryDiagnosis,
  compareMemory: compareMemoryUploads,
};

/** A task as it is handed to whoever runs it; `input` is the one that the task of this name takes. */
export interface DocumentJob {
  readonly name: TaskName;
  readonly input: unknown;
}

/** Runs a task to its end on this thread. */
export const runTask = ({ name, input }: DocumentJob): unknown => tasks[name](input as never);
