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

export interface SentDocument {
  readonly bytes: Uint8Array;
  /** The media type without parameters; null if the first bytes decide. */
  readonly type: string | null;
  /** Whether Content-Encoding says gzip; the file itself may be gzip as well. */
  readonly gzipped: boolean;
  /** The query beside the document, as it was sent; its endpoint checks it afterwards. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** A document, and how its refusal points to a wrong value. */
export interface Upload {
  readonly sent: SentDocument;
  readonly field: string;
  /** Whether a refusal has a JSON Pointer to the wrong value: for plugins, not for people. */
  readonly pointers: boolean;
}

/** Long bodies of plugins that are not documents. */
export type BatchKind = "samples" | "events" | "software" | "report" | "unit_tests";

export interface ReadBatch {
  readonly input: Record<string, unknown>;
  readonly sent: Record<string, unknown>;
}

export type JsonForm = "object" | "list" | "any";

interface Task<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** The same with the stored document as packed JSON; null if it was deleted. */
type Packed<Side extends { readonly document: unknown }> = Omit<Side, "document"> & {
  readonly document: Uint8Array | null;
};

/** A null output: the stored document is damaged, or this version does not accept it. */
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
 * Runs a task in a worker thread, one at a time for each account. Throws Refusal for a document that is
 * invalid or takes too much time or memory, and `rate_limited` when too many wait. The bytes of `input` may
 * be transferred. `begin` runs at the account's turn, and may throw to refuse.
 */
export type ReadDocuments = <Name extends TaskName>(
  accountId: string,
  name: Name,
  input: DocumentTasks[Name]["input"],
  begin?: () => void,
) => Promise<DocumentTasks[Name]["output"]>;
