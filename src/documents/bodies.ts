import type { z } from "zod";
import {
  isJsonObject,
  parseJson,
  parseJsonList,
  parseJsonObject,
  refuseMonsters,
} from "../contract/endpoint/json-body.ts";
import { readPluginInput } from "../contract/endpoint/input.ts";
import type { BatchKind, DocumentTasks, JsonForm } from "../contract/files/document-tasks.ts";
import { gunzipJson } from "../contract/files/gunzip.ts";
import { batchLimits, type JsonLimits } from "../contract/limits/body-limits.ts";
import { Refusal } from "../core/errors.ts";
import { EventBatch } from "../core/event/reported-event.ts";
import { SampleBatch } from "../core/metric/reported-sample.ts";
import { ReportPayload } from "../core/report/payload.ts";
import { SoftwareInventory } from "../core/software/inventory.ts";
import { UnitTestBatch } from "../core/unit-test/upload.ts";

type Work<Name extends keyof DocumentTasks> = (
  input: DocumentTasks[Name]["input"],
) => DocumentTasks[Name]["output"];

interface Batch {
  readonly input: z.ZodObject;
  readonly wholeBody: { readonly name: string; readonly isList: boolean } | null;
  readonly isKept?: true;
}

/** Inputs of the endpoints with long bodies, without their handlers, which a thread does not need. */
const batches: Readonly<Record<BatchKind, Batch>> = {
  samples: { input: SampleBatch, wholeBody: null },
  events: { input: EventBatch, wholeBody: null },
  software: { input: SoftwareInventory, wholeBody: null },
  report: { input: ReportPayload, wholeBody: null, isKept: true },
  unit_tests: { input: UnitTestBatch, wholeBody: { name: "unit_tests", isList: true } },
};

export const readBatch: Work<"readBatch"> = ({ sent, kind }) => {
  const bytes = sent.gzipped ? gunzipJson(sent.bytes, batchLimits.bytes) : sent.bytes;
  return countingBytes(bytes, () => {
    const { wholeBody, isKept, ...form } = batches[kind];
    const value = jsonOf(bytes, wholeBody === null ? "object" : "list", batchLimits);
    const flat = wholeBody === null ? membersOf(value) : { [wholeBody.name]: value };
    return { input: readPluginInput({ ...form, wholeBody }, flat), sent: isKept ? flat : {} };
  });
};

export const readJson: Work<"readJson"> = ({ bytes, form, limits }) =>
  countingBytes(bytes, () => jsonOf(bytes, form, limits));

const parsers: Readonly<Record<JsonForm, (bytes: Uint8Array, limits: JsonLimits) => unknown>> = {
  object: parseJsonObject,
  list: parseJsonList,
  any: parseJson,
};

function jsonOf(bytes: Uint8Array, form: JsonForm, limits: JsonLimits): unknown {
  const value = parsers[form](bytes, limits);
  refuseMonsters(value);
  return value;
}

/** No member of ours has this name, and code that copies an object would take it for a prototype. */
function membersOf(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) return {};
  delete value["__proto__"];
  return value;
}

/** A refusal tells how long the body was. */
function countingBytes<T>({ length }: Uint8Array, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) error.bodyBytes = length;
    throw error;
  }
}
