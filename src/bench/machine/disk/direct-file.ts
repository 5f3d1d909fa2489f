import { closeSync, constants, fsyncSync, openSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { memoryOf } from "../kernels.ts";
import { HostRefusal } from "../host-refusal.ts";
import { failureCode, nullIfClosed } from "../../../core/failure-code.ts";

/** One step of sequential access, bytes. */
export const blockBytes = 1024 ** 2;

/**
 * File systems (statfs(2)) that accept O_DIRECT and still answer from memory: tmpfs, ramfs, hugetlbfs, ZFS,
 * FUSE and virtiofs, 9p, eCryptfs.
 */
const withoutDirectIo: ReadonlySet<number> = new Set([
  0x0102_1994, 0x8584_58f6, 0x9584_58f6, 0x2fc1_2fc1, 0x6573_5546, 0x0102_1997, 0xf15f,
]);

/** False if file systems of this type are known to have no real direct IO. */
export const mayBeDirect = (type: number): boolean => !withoutDirectIo.has(type);

export interface TestFile {
  readonly file: number;
  readonly isDirect: boolean;
  /** Page-aligned memory, as direct IO needs it. */
  readonly block: Uint8Array;
  close(): void;
}

const direct = "O_DIRECT" in constants ? constants.O_DIRECT : undefined;
const create = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

function openDirect(path: string, folder: string): number | null {
  if (direct === undefined || !mayBeDirect(statfsSync(folder).type)) return null;
  try {
    return openSync(path, create | direct, 0o600);
  } catch (error) {
    // This file system has no direct IO; it may have made the file all the same.
    if (failureCode(error) !== "EINVAL") throw error;
    unlinkIfThere(path);
    return null;
  }
}

function unlinkIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    nullIfClosed(error);
    return false;
  }
}

/** Removes the name of the new file where the system allows it, so that it is gone with this process. */
export function openTestFile(folder: string): TestFile {
  const path = join(folder, `tickmark-bench-${process.pid}`);
  const memory = memoryOf(blockBytes);
  if (memory === null) throw new HostRefusal("memory_budget_refused");
  const directFile = openDirect(path, folder);
  const file = directFile ?? openSync(path, create, 0o600);
  const isGone = unlinkIfThere(path);
  return {
    file,
    isDirect: directFile !== null,
    block: new Uint8Array(memory.buffer),
    close: () => {
      closeSync(file);
      if (!isGone) unlinkIfThere(path);
    },
  };
}

/** Bytes that no disk can compress. */
export function fillRandom(block: Uint8Array): void {
  const words = new Uint32Array(block.buffer, block.byteOffset, block.byteLength / 4);
  let state = 0x2545_f491;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
}

const sectorBytes = 512;

/** Writes its number into each sector: no two are equal, so that no disk stores one for both. */
export function writeBlock({ file, block }: TestFile, index: number): number {
  const words = new Uint32Array(block.buffer, block.byteOffset, block.byteLength / 4);
  for (let at = 0; at < words.length; at += sectorBytes / 4) words[at] = index * 4096 + at;
  return writeSync(file, block, 0, blockBytes, index * blockBytes);
}

/** Writes `blocks` blocks, or fewer if `mostMs` passes first. Returns the number written. */
export function layOut(
  test: TestFile,
  blocks: number,
  mostMs: number,
  progress: (done: number) => void,
): number {
  const from = performance.now();
  let written = 0;
  while (written < blocks && (written < leastBlocks || performance.now() - from < mostMs)) {
    writeBlock(test, written);
    written += 1;
    if (written % 16 === 0) progress(written / blocks);
  }
  fsyncSync(test.file);
  return written;
}

/** The smallest file that is worth measuring, MiB. */
export const leastBlocks = 64;
