import { failureCode } from "../../core/failure-code.ts";

/** The `reason_code` of a test that a limit of the host stops. */
export type RefusalReason =
  | "memory_budget_refused"
  | "disk_space_refused"
  | "disk_quota_exceeded"
  | "file_limit_reached"
  | "file_size_limit_reached"
  | "folder_not_writable"
  | "disk_error"
  | "thread_limit_reached"
  | "process_limit_reached"
  | "unsupported_platform";

export interface HostLimitFound {
  readonly setting: string;
  readonly limit: number;
  readonly needed: number;
  readonly unit: string;
}

/** The host does not let the test run, so the test is skipped. */
export class HostRefusal extends Error {
  readonly reason: RefusalReason;
  readonly hostLimit: HostLimitFound | null;

  constructor(reason: RefusalReason, hostLimit: HostLimitFound | null = null) {
    super(reason);
    this.reason = reason;
    this.hostLimit = hostLimit;
  }
}

/** What errors of the system mean for tests that read and write a file. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  ENOSPC: "disk_space_refused",
  EDQUOT: "disk_quota_exceeded",
  EMFILE: "file_limit_reached",
  ENFILE: "file_limit_reached",
  EFBIG: "file_size_limit_reached",
  EACCES: "folder_not_writable",
  EPERM: "folder_not_writable",
  EROFS: "folder_not_writable",
  ENOENT: "folder_not_writable",
  ENOTDIR: "folder_not_writable",
  EIO: "disk_error",
  ENOMEM: "memory_budget_refused",
  EAGAIN: "process_limit_reached",
  ERR_WORKER_INIT_FAILED: "thread_limit_reached",
};

/** Null for an error that no limit of the host explains. */
export function refusalOf(error: unknown): HostRefusal | null {
  if (error instanceof HostRefusal) return error;
  const code = failureCode(error) ?? "";
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason === undefined ? null : new HostRefusal(reason);
}

/** Signals that end a process without memory or threads: the kernel's, and the engine's own. */
const endsByLimit: ReadonlySet<string> = new Set(["SIGKILL", "SIGABRT", "SIGTRAP", "SIGILL"]);

/**
 * The engine names a thread that it could not start, or aborts without a word; about memory it always has
 * words. With a limit on the address space, a thread that cannot start lacks memory too.
 */
export function reasonOfEnd(
  signal: NodeJS.Signals | null,
  words: string,
  hasAddressLimit: boolean,
): "memory_budget_refused" | "thread_limit_reached" | "test_crashed" {
  if (!endsByLimit.has(signal ?? "")) return "test_crashed";
  const isThread =
    /pthread_create|uv_thread_create/.test(words) || (signal === "SIGABRT" && words.trim() === "");
  return isThread && !hasAddressLimit ? "thread_limit_reached" : "memory_budget_refused";
}
