import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { dayMs, secondMs, type Instant } from "../../core/time.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { longestUpload } from "../../core/import/longest-upload.ts";
import type { Collected } from "./collected.ts";
import { failureCode, nullIfAbsent } from "../../core/failure-code.ts";

/** Where the spark profiler saves: as a plugin, and as a mod. */
const folders = [join("plugins", "spark"), join("config", "spark")];

const exports: ReadonlyMap<string, Pick<Collected, "kind" | "contentType">> = new Map([
  [".sparkprofile", { kind: "profile", contentType: "application/x-spark-sampler" }],
  [".sparkheap", { kind: "memory report", contentType: "application/x-spark-heap" }],
]);

/** A file untouched for this long is complete, ms. */
const settledMs = 5 * secondMs;

export interface SparkFolder {
  /** Complete exports since the last call, oldest first; `tooLarge` names those over the service's limit. */
  findNew(
    now: Instant,
    options?: FindOptions,
  ): Promise<{ readonly found: readonly Collected[]; readonly tooLarge: readonly string[] }>;
  /** The next `findNew` returns this export once more, because its upload failed. */
  again(collected: Collected): void;
}

interface FindOptions {
  /** Files of before are left for a later call; a day before the agent's start where none is given. */
  readonly since?: Instant;
  /** Files of other kinds are left for a later call. */
  readonly kind?: Collected["kind"];
}

/** An older file does not belong to the current request, ms. */
const newMs = dayMs;

/** Exports of spark that are at most a day older than `begunAt` (or than now, if the clock was set back). */
export function sparkFolder(install: Pick<ServerInstall, "directory">, begunAt: Instant): SparkFolder {
  const begin = begunAt - newMs;
  const seen = new Set<string>();
  const handedOut = new WeakMap<Collected, string>();
  return {
    again: (collected) => void seen.delete(handedOut.get(collected) ?? ""),
    findNew: async (now, { since = Math.min(begin, now - newMs), kind } = {}) => {
      const found: { readonly collected: Collected; readonly at: Instant }[] = [];
      const tooLarge: string[] = [];
      for (const path of await exportsIn(install.directory)) {
        if (kind !== undefined && describe(path).kind !== kind) continue;
        const file = await finished(path, { since, now });
        const known = `${path} ${file?.at}`;
        if (file === null || seen.has(known)) continue;
        seen.add(known);
        if (file.body === null) {
          tooLarge.push(harmless(path));
          continue;
        }
        const collected = { ...describe(path), body: file.body };
        handedOut.set(collected, known);
        found.push({ collected, at: file.at });
      }
      found.sort((a, b) => a.at - b.at);
      return { found: found.map(({ collected }) => collected), tooLarge };
    },
  };
}

/** When the profiles were saved that spark saved since `since` and that are there; null without spark. */
export async function profilesSavedSince(
  { directory }: Pick<ServerInstall, "directory">,
  since: Instant,
): Promise<readonly Instant[] | null> {
  if (!(await hasSpark({ directory }))) return null;
  const profiles = (await exportsIn(directory)).filter((path) => describe(path).kind === "profile");
  const times = await Promise.all(
    profiles.map(async (path) => (await lstat(path).catch(nullIfAbsent))?.mtimeMs ?? 0),
  );
  return times.filter((at) => at >= since);
}

/** Whether spark keeps a folder of its own here, as a plugin, as a mod, or as a part of Paper. */
export const hasSpark = async ({ directory }: Pick<ServerInstall, "directory">): Promise<boolean> =>
  (await namesIn(directory)).some((names) => names !== null);

const namesIn = (directory: string): Promise<(readonly string[] | null)[]> =>
  Promise.all(
    folders.map(async (folder) => {
      const inside = await readdir(join(directory, folder)).catch(nullIfAbsent);
      return inside?.map((name) => join(directory, folder, name)) ?? null;
    }),
  );

const exportsIn = async (directory: string): Promise<string[]> =>
  (await namesIn(directory)).flatMap((names) => names ?? []).filter((path) => exports.has(extname(path)));

function describe(path: string): Omit<Collected, "body"> {
  const known = exports.get(extname(path)) ?? { kind: "profile", contentType: "application/octet-stream" };
  return { ...known, localName: harmless(path) };
}

/** Plugins choose these names, and terminals show them. */
const harmless = (path: string): string =>
  (path.split("/").at(-1) ?? "").slice(0, 120).replaceAll(/[^\w.-]/g, "_");

/** Errors of `open` for a link, and for a socket or pipe without a peer. */
const notPlain: ReadonlySet<string | null> = new Set(["ELOOP", "ENXIO"]);

interface Finished {
  readonly at: Instant;
  /** Null if the file is larger than the service accepts. */
  readonly body: Uint8Array | null;
}

/** Null for a file that is not plain, is too old, or is still being written. */
async function finished(
  path: string,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<Finished | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) =>
    notPlain.has(failureCode(error)) ? null : nullIfAbsent(error),
  );
  if (file === null) return null;
  try {
    const before = await file.stat();
    const at = Math.floor(before.mtimeMs);
    if (!before.isFile() || before.size === 0 || at < since) return null;
    // A future time is from before the clock was set back, and says nothing about the last seconds.
    if (at <= now && at > now - settledMs) return null;
    if (before.size > longestUpload) return { at, body: null };
    const body = await file.readFile();
    const after = await file.stat();
    return after.size === before.size && after.mtimeMs === before.mtimeMs ? { at, body } : null;
  } finally {
    await file.close();
  }
}
