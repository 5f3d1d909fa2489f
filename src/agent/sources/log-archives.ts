import { open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { isPassing, nullIfAbsent } from "../../core/failure-code.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import { isContinued, markAt, type FilePosition } from "../files/file-position.ts";
import { identityOf } from "../files/followed-file.ts";

/** A log that its server rotated. */
export interface Archive {
  readonly path: string;
  readonly writtenAt: Instant;
  /** The day of its first line, as if it were UTC; null if its name does not say it. */
  readonly dayMs: number | null;
  /** The order of logs of the same day. */
  readonly number: number;
}

/** More than a server rotates in two days if it restarts every half hour; of more the newest are read. */
const mostArchives = 100;
/** The most bytes of an unpacked log: a compressed file can unpack to any length. */
const longestArchive = 64 * 1024 * 1024;

/** `2026-11-20-3.log.gz`, and `latest.log.1` or `proxy.log.1` of other tools. */
const dated = /^(\d{4})-(\d\d)-(\d\d)-(\d{1,6})\.log(?:\.gz)?$/;

/** Rotated logs beside this one that were written since then, oldest first, and how many more there are. */
export async function archivesSince(
  log: string,
  since: Instant,
): Promise<{ readonly archives: readonly Archive[]; readonly leftOut: number }> {
  const folder = dirname(log);
  const names = (await readdir(folder).catch(nullIfAbsent)) ?? [];
  const found: Archive[] = [];
  for (const name of names) {
    const [, year, month, day, number] = dated.exec(name) ?? [];
    const aside =
      name.startsWith(`${basename(log).replace(/\.0$/, "")}.`) && /\.\d{1,3}(?:\.gz)?$/.test(name);
    if ((year === undefined && !aside) || name === basename(log)) continue;
    const path = join(folder, name);
    const about = await stat(path).catch(nullIfAbsent);
    if (!about?.isFile() || about.mtimeMs < since - minuteMs) continue;
    const dayMs = year === undefined ? Number.NaN : Date.UTC(Number(year), Number(month) - 1, Number(day));
    found.push({
      path,
      writtenAt: Math.floor(about.mtimeMs),
      dayMs: Number.isNaN(dayMs) ? null : dayMs,
      number: Number(number ?? 0),
    });
  }
  const order = (one: Archive, other: Archive): number =>
    one.dayMs !== null && one.dayMs === other.dayMs
      ? one.number - other.number
      : one.writtenAt - other.writtenAt;
  const archives = found.toSorted(order).slice(-mostArchives);
  return { archives, leftOut: found.length - archives.length };
}

const unzipped = promisify(gunzip);

/** Null if the log is gone, closed, no archive or too long. Rejects if it may be readable soon. */
export async function contentOf({ path }: Pick<Archive, "path">): Promise<Buffer | null> {
  try {
    if ((await stat(path)).size > longestArchive) return null;
    const bytes = await readFile(path);
    return path.endsWith(".gz") ? await unzipped(bytes, { maxOutputLength: longestArchive }) : bytes;
  } catch (error) {
    if (isPassing(error)) throw error;
    return null;
  }
}

/** Whether the file there is the one read so far, perhaps longer by now. */
export async function isStill(path: string, known: FilePosition): Promise<boolean> {
  const found = await stat(path).catch(nullIfAbsent);
  if (!found?.isFile() || identityOf(found) !== known.identity || found.size < known.position) return false;
  const file = await open(path, "r").catch(nullIfAbsent);
  if (file === null) return false;
  try {
    return (await markAt(file, known.position)) === known.mark;
  } finally {
    await file.close();
  }
}

/** The index of the archive that is the log read so far; -1 for none. */
export async function continuedIn(archives: readonly Archive[], known: FilePosition): Promise<number> {
  for (const [index, archive] of archives.entries()) {
    const content = await contentOf(archive);
    if (content !== null && isContinued(content, known)) return index;
  }
  return -1;
}
