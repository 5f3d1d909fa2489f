import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { failureCode, isAbsent, nullIfClosed } from "../../core/failure-code.ts";

/** Errors of `open` for a path that is absent, a link, or a socket or pipe without a peer. */
const noPlainFile: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);

/** Null for anything but a plain file, links included. Rejects if a plain file cannot be opened now. */
export async function openPlain(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly size: number } | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (noPlainFile.has(failureCode(error))) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, size: stat.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

/** Null if there is no plain file, or it is too long or closed. Rejects if it may be readable soon. */
export async function plainBytes(path: string, limit: number): Promise<Buffer | null> {
  const file = await openPlain(path).catch(nullIfClosed);
  if (file === null) return null;
  try {
    if (file.size > limit) return null;
    const bytes = Buffer.alloc(file.size);
    const { bytesRead } = await file.handle.read(bytes, 0, file.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.handle.close();
  }
}

/** A path that this user may not look at: something may be there. */
const closedMark = "closed";

/**
 * Identifies a file's content and rights without reading it; null if there is no file. Rejects for a failure that says
 * nothing about the file, such as no free descriptor.
 */
export async function markOfFile(path: string): Promise<string | null> {
  try {
    const stat = await lstat(path);
    return `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
  } catch (error) {
    if (isAbsent(error)) return null;
    return nullIfClosed(error) ?? closedMark;
  }
}
