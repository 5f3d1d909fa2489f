/** The system's name of a failure, such as ENOENT; null for one that has none. */
export const failureCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** What a path answers where nothing is. Every other failure says nothing about what is there. */
const absent: ReadonlySet<string | null> = new Set(["ENOENT", "ENOTDIR"]);

export const isAbsent = (error: unknown): boolean => absent.has(failureCode(error));

/** For a reading whose file may be missing: nothing where there is none; every other failure stays one. */
export function nullIfAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

/** What the system answers for a process that ended, and for files of others that this user may not see. */
const closed: ReadonlySet<string | null> = new Set([...absent, "ESRCH", "EACCES", "EPERM"]);

/** For files that belong to others: nothing where there is none or this user may not look; every other failure stays one. */
export function nullIfClosed(error: unknown): null {
  if (closed.has(failureCode(error))) return null;
  throw error;
}

/** What ends by itself or with its owner's next act: no descriptor or memory left, a disk that answers with errors. */
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

/** Whether the same reading may well succeed in a moment, though nobody changes the file. */
export const isPassing = (error: unknown): boolean => passing.has(failureCode(error));
