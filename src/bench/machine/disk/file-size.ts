import { readFileSync, statfsSync } from "node:fs";
import { parseProcessLimits } from "../../../linux/process-limits.ts";
import { blockBytes, leastBlocks } from "./direct-file.ts";
import { HostRefusal, type HostLimitFound } from "../host-refusal.ts";
import { nullIfClosed } from "../../../core/failure-code.ts";

/** Usual size of the file, MiB. */
const wantedBlocks = 1024;

export interface FileSize {
  readonly blocks: number;
  readonly limit: HostLimitFound | null;
}

/** In MiB: at most half of the free space, so that a server on the same disk goes on writing. */
export function fileSize(folder: string, length: number): FileSize {
  const wanted = Math.max(leastBlocks, Math.round(wantedBlocks * length));
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 2 / blockBytes);
  const longest = Math.floor((longestFileBytes() ?? Number.POSITIVE_INFINITY) / blockBytes);
  const blocks = Math.min(wanted, free, longest);
  if (blocks >= wanted) return { blocks, limit: null };
  const isSpace = free <= longest;
  const limit = { setting: isSpace ? "disk_space" : "file_size", limit: blocks, needed: wanted, unit: "MB" };
  if (blocks >= leastBlocks) return { blocks, limit };
  throw new HostRefusal(isSpace ? "disk_space_refused" : "file_size_limit_reached", limit);
}

/** The longest file that this process may write (`ulimit -f`), bytes; null for no limit. */
function longestFileBytes(): number | null {
  try {
    return parseProcessLimits(readFileSync("/proc/self/limits", "utf8")).fileBytes;
  } catch (error) {
    return nullIfClosed(error);
  }
}
