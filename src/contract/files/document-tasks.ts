import type { ComparedReport } from "../../core/memory-report/comparability.ts";
import type { MemoryComparison } from "../../core/memory-report/comparison.ts";
import type { MemoryDiagnosis } from "../../core/memory-report/memory-diagnosis.ts";
import type { ReadMemoryReport } from "../../core/memory-report/records.ts";
import type { ProfileSide } from "../../core/profile/compare.ts";
import type { FlameGraph } from "../../core/profile/flame-graph.ts";
import type { FlameTree } from "../../core/profile/flame-tree.ts";
import type { ProfileComparison } from "../../core/profile/profile-comparison.ts";
import type { DetailBody } from "../../core/profile/profile-detail.ts";
import type { ProfileReadings, ReadProfile } from "../../core/profile/records.ts";
import type { JsonLimits } from "../limits/body-limits.ts";

/** A document as it was sent, before anything is read of it. */
export interface SentDocument {
  readonly bytes: Uint8Array;
  /** The media type without its parameters; null where the first bytes have to tell what the document is. */
  readonly type: string | null;
  /** Whether the transport says that the bytes are gzip; a file may be gzip besides. */
  readonly gzipped: boolean;
}

/** A sent document, and how its refusal names what is wrong in it. */
export interface Upload {
  readonly sent: SentDocument;
  /** The input field that the document fills. */
  readonly field: string;
  /** Whether a refusal leads to the wrong value with a JSON Pointer: plugins get one, people do not. */
  readonly pointers: boolean;
}

/** What long bodies of plugins hold that are no documents. */
export type BatchKind = "samples" | "events" | "software" | "report" | "unit_tests";

/** A long body as its schema reads it. */
export interface ReadBatch {
  readonly input: Record<string, unknown>;
  /** The body as it was sent, where it is kept; empty elsewhere. */
  readonly sent: Record<string, unknown>;
}

/** What a body of JSON has to be. */
export type JsonForm = "object" | "list" | "any";

interface Task<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** The same with the stored document as packed JSON in the place of what it holds; null where it is gone. */
type Packed<Side extends { readonly document: unknown }> = Omit<Side, "document"> & {
  readonly document: Uint8Array | null;
};

/**
 * Everything that reads whole documents, by name: what goes in and what comes out. A task without result read a stored
 * document that is damaged, or that this version does not take.
 */
export interface DocumentTasks {
  readonly readBatch: Task<{ readonly sent: SentDocument; readonly kind: BatchKind }, ReadBatch>;
  readonly readJson: Task<
    { readonly bytes: Uint8Array; readonly form: JsonForm; readonly limits: JsonLimits },
    unknown
  >;
  readonly readProfile: Task<Upload, ReadProfile>;
  readonly readMemoryReport: Task<Upload, ReadMemoryReport>;
  readonly profileReadings: Task<
    Uint8Array,
    { readonly detail: DetailBody; readonly flameGraph: FlameGraph; readonly packed: ProfileReadings } | null
  >;
  readonly profileOfOwner: Task<{ readonly document: Uint8Array; readonly owner: string }, DetailBody | null>;
  readonly flameTree: Task<Uint8Array, FlameTree | null>;
  readonly compareProfiles: Task<readonly [Packed<ProfileSide>, Packed<ProfileSide>], ProfileComparison>;
  readonly memoryDiagnosis: Task<
    Uint8Array,
    { readonly diagnosis: MemoryDiagnosis; readonly packed: Uint8Array } | null
  >;
  readonly compareMemory: Task<
    {
      readonly sides: readonly [Packed<ComparedReport>, Packed<ComparedReport>];
      readonly baseUrl: string;
    },
    MemoryComparison
  >;
}

export type TaskName = keyof DocumentTasks;
export type UploadTask = "readProfile" | "readMemoryReport";

/**
 * Reads documents outside the thread that answers calls, for one account at a time in turn. Throws Refusal for what is
 * no document, `rate_limited` where too many of them wait, and for one that takes more time or memory than it is given.
 * Bytes that go in may be gone afterwards. `begin` is called when it is the account's turn, and may throw why not.
 */
export type ReadDocuments = <Name extends TaskName>(
  accountId: string,
  name: Name,
  input: DocumentTasks[Name]["input"],
  begin?: () => void,
) => Promise<DocumentTasks[Name]["output"]>;
