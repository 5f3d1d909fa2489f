import { readdir } from "node:fs/promises";
import { nameLength, mostWorldSizes } from "../../core/metric/worlds.ts";
import { failureCode } from "../../core/failure-code.ts";
import { hourMs, type Instant } from "../../core/time.ts";
import { TreeWalk } from "../files/tree-walk.ts";
import { worldFolders, type WorldInstall } from "../install/world-folders.ts";
import { oneLine } from "../one-line.ts";
import { sentText } from "../software/sent-text.ts";
import type { Finding, Measured, Reading, Source } from "./source.ts";

const bytesPerMb = 1024 * 1024;

/** Between the beginnings of two walks, ms. */
const walkEveryMs = hourMs;

interface Walked {
  /** Null if the walk failed: a part of a size is no size. */
  readonly measured: Measured | null;
  readonly why: string | null;
}

interface WalkOptions {
  /** Bounds of one walk; those of `TreeWalk` if left out. */
  readonly mostEntries?: number;
  readonly mostMs?: number;
}

/**
 * The sizes of the worlds. They are counted once an hour, in the background and slowly; a reading has those of
 * the last walk, and rejects with why there are none after a walk that failed or was cut short.
 */
export function worldSizesSource(install: WorldInstall, options: WalkOptions = {}): Source {
  const ending = new AbortController();
  let last: Walked = { measured: null, why: null };
  let begunAt: Instant | null = null;
  let walk: Promise<void> | null = null;

  const walkOnce = async (): Promise<void> => {
    try {
      last = { measured: await sizesOf(install, { ...options, signal: ending.signal }), why: null };
    } catch (error) {
      last = { measured: null, why: `the sizes of the worlds are not known: ${oneLine(error)}` };
    }
  };

  const read = async (now: Instant): Promise<Reading> => {
    const isDue = begunAt === null || Math.abs(now - begunAt) >= walkEveryMs;
    if (walk === null && isDue && !ending.signal.aborted) {
      begunAt = now;
      walk = walkOnce().finally(() => {
        walk = null;
      });
    }
    if (last.why !== null) throw new Error(last.why);
    return last.measured === null ? {} : { measured: last.measured };
  };

  return {
    name: "worlds",
    check: () => checkWorlds(install),
    read,
    // Not awaited: a disk that hangs must not hold the agent.
    close: async () => ending.abort(),
  };
}

async function sizesOf(
  install: WorldInstall,
  options: WalkOptions & { readonly signal: AbortSignal },
): Promise<Measured> {
  const tree = new TreeWalk(options);
  const sizes: { name: string; size_mb: number }[] = [];
  for (const { name, path } of await worldFolders(install)) {
    const bytes = await tree.bytesOf(path);
    sizes.push({ name: sentText(name, nameLength), size_mb: Math.round(bytes / bytesPerMb) });
  }
  const [largest, ...others] = sizes.toSorted((one, other) => other.size_mb - one.size_mb);
  if (largest === undefined) return {};
  return {
    largest_world_mb: largest.size_mb,
    world_sizes: [largest, ...others].slice(0, mostWorldSizes),
  };
}

async function checkWorlds(install: WorldInstall): Promise<readonly Finding[]> {
  const about = "worlds";
  try {
    const worlds = await worldFolders(install);
    for (const { path } of worlds) await readdir(path);
    const count = worlds.length === 1 ? "One world was" : `${worlds.length} worlds were`;
    const says =
      worlds.length === 0
        ? "No folder of a world was found, so sizes of worlds are not known."
        : `${count} found; the sizes are counted once an hour, slowly.`;
    return [{ able: worlds.length > 0, about, says }];
  } catch (error) {
    const why = failureCode(error) ?? oneLine(error);
    const says = `A world's folder cannot be read (${why}), so sizes of worlds are not known; run the agent as the server's user.`;
    return [{ able: false, about, says }];
  }
}
