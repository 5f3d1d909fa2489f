import type { DocumentTasks } from "../contract/files/document-tasks.ts";
import { Refusal } from "../core/errors.ts";
import { histogramOf } from "../core/import/class-histogram.ts";
import { heapSummaryOfSpark } from "../core/import/spark-heap.ts";
import { compareMemory as compare } from "../core/memory-report/comparison.ts";
import { diagnose } from "../core/memory-report/diagnose.ts";
import { MemoryDocument } from "../core/memory-report/document.ts";
import { headOf } from "../core/memory-report/show.ts";
import { isHeapDump } from "./heap-dump.ts";
import { pack, unpack } from "./packed.ts";
import { readUpload, type DocumentForm } from "./read-upload.ts";

type Work<Name extends keyof DocumentTasks> = (
  input: DocumentTasks[Name]["input"],
) => DocumentTasks[Name]["output"];

const form: DocumentForm<MemoryDocument> = {
  schema: MemoryDocument,
  importers: {
    "application/x-spark-heap": heapSummaryOfSpark,
    "text/x-java-class-histogram": histogramOf,
  },
  inspect: refuseHeapDump,
};

/** A heap dump holds whatever the game server held: passwords, chats, addresses. */
function refuseHeapDump(bytes: Uint8Array): void {
  if (isHeapDump(bytes))
    throw new Refusal(
      "unsupported_media_type",
      "This is a heap dump, which is never taken. Send a class histogram, or an analysis of the dump.",
    );
}

const storedReport = (value: unknown): MemoryDocument | null => MemoryDocument.safeParse(value).data ?? null;

export const readMemoryReport: Work<"readMemoryReport"> = (upload) => {
  const document = readUpload(upload, form);
  return { head: headOf(document), document: pack(document), diagnosis: pack(diagnose(document)) };
};

export const memoryDiagnosis: Work<"memoryDiagnosis"> = (packed) => {
  const document = unpack(packed, storedReport);
  if (document === null) return null;
  const diagnosis = diagnose(document);
  return { diagnosis, packed: pack(diagnosis) };
};

export const compareMemory: Work<"compareMemory"> = ({ sides: [one, other], baseUrl }) =>
  compare(
    { record: one.record, document: one.document && unpack(one.document, storedReport) },
    { record: other.record, document: other.document && unpack(other.document, storedReport) },
    baseUrl,
  );
