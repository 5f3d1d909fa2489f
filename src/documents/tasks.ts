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

/** `input` belongs to the task called `name`. */
export interface DocumentJob {
  readonly name: TaskName;
  readonly input: unknown;
}

export const runTask = ({ name, input }: DocumentJob): unknown => tasks[name](input as never);
