import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/** How far a file was read, so that it is known again whatever it is called by now. */
export interface FilePosition {
  /** Device, number and birth of the file. */
  readonly identity: string;
  /** Behind the last whole line, bytes. */
  readonly position: number;
  /** Digest of what stands right before. */
  readonly mark: string;
}

/** Lines with their times: no two logs have the same before the same position, bytes. */
const markBytes = 1024;

export const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

export async function markAt(handle: FileHandle, position: number): Promise<string> {
  const length = Math.min(markBytes, position);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position - length);
  return digestOf(bytes.subarray(0, bytesRead));
}

/** Whether this is what the file began with when it was read so far. */
export function isContinued(content: Buffer, { position, mark }: FilePosition): boolean {
  if (content.length < position) return false;
  return digestOf(content.subarray(Math.max(0, position - markBytes), position)) === mark;
}
