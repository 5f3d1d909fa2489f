/** The system's error code, such as ENOENT; null if there is none. */
export const failureCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** Only these codes prove that nothing exists at a path. */
const absent: ReadonlySet<string | null> = new Set(["ENOENT", "ENOTDIR"]);

export const isAbsent = (error: unknown): boolean => absent.has(failureCode(error));

/** For reads of a file that may be missing; throws every other error. */
export function nullIfAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

/** Codes for a process that ended, and for files that this user may not see. */
const closed: ReadonlySet<string | null> = new Set([...absent, "ESRCH", "EACCES", "EPERM"]);

/** For files of other users and processes; throws every other error. */
export function nullIfClosed(error: unknown): null {
  if (closed.has(failureCode(error))) return null;
  throw error;
}

/** Failures that can end although the file does not change: no descriptor or memory left, disk errors. */
const passing: ReadonlySet<string | null> = new Set([
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
  "EBUSY",
  "EINTR",
  "EIO",
  "ESTALE",
  "ETIMEDOUT",
]);

export const isPassing = (error: unknown): boolean => passing.has(failureCode(error));
