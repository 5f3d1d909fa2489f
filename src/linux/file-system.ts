import { statfs } from "node:fs/promises";

/** The room of a file system as a user without rights of the system sees it, bytes. */
export interface FileSystemRoom {
  /** What may still be written: without the part that is kept for the system. */
  readonly freeBytes: number;
  /** What is used, and `freeBytes`. */
  readonly totalBytes: number;
}

/** The file system that holds a path. Rejects if it cannot be asked, or tells no size. */
export async function fileSystemRoom(path: string): Promise<FileSystemRoom> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  const usable = blocks - bfree + bavail;
  if (usable <= 0) throw new Error("The file system tells no size.");
  return { freeBytes: bavail * bsize, totalBytes: usable * bsize };
}
