import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/** How far a file was read; identifies the file even after it was renamed. */
export interface FilePosition {
  /** Device, inode and birth time. */
  readonly identity: string;
  /** The end of the last whole line, bytes. */
  readonly position: number;
  /** Digest of the bytes right before `position`. */
  readonly mark: string;
}

/** Bytes in the digest: lines have times, so no two logs have the same ones at the same position. */
const markBytes = 1024;

export const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

export async function markAt(handle: FileHandle, position: number): Promise<string> {
  const length = Math.min(markBytes, position);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position - length);
  return digestOf(bytes.subarray(0, bytesRead));
}

/** Whether this is the file that was read up to `position`, perhaps longer by now. */
export function isContinued(content: Buffer, { position, mark }: FilePosition): boolean {
  if (content.length < position) return false;
  return digestOf(content.subarray(Math.max(0, position - markBytes), position)) === mark;
}
