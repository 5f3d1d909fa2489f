import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";

/**
 * Opens a plain file for reading; null for anything else. A link is not followed, and a pipe does not block.
 */
export async function openPlain(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly size: number } | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (handle === null) return null;
  const stat = await handle.stat().catch(() => null);
  if (stat?.isFile() === true) return { handle, size: stat.size };
  await handle.close();
  return null;
}

/** The bytes of a plain file; null if there is none, it is longer than `limit`, or it cannot be read. */
export async function plainBytes(path: string, limit: number): Promise<Buffer | null> {
  const file = await openPlain(path);
  if (file === null) return null;
  try {
    if (file.size > limit) return null;
    const bytes = Buffer.alloc(file.size);
    const { bytesRead } = await file.handle.read(bytes, 0, file.size, 0);
    return bytes.subarray(0, bytesRead);
  } catch {
    return null;
  } finally {
    await file.handle.close();
  }
}

/** The identity of a file's content, without reading it; null where there is no file. */
export async function markOfFile(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null);
  return stat && `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
