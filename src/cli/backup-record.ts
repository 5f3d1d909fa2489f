import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { carriedOn, type BackupRecord, type Counted, type Moment } from "../core/backup/schedule.ts";
import { makePrivateFile, synchronise } from "../store/private-file.ts";

/** The times of one database's backups are stored in the folder of the backups. */
interface RecordPlace {
  readonly folder: string;
  readonly identity: string;
}

const CountedForm: z.ZodType<Counted> = z.object({
  key: z.string(),
  at: z.object({ boot: z.string(), ticks: z.number(), wall: z.number() }),
  ms: z.number().min(0),
});

/** The last backup. Only the process that makes a backup writes this file. */
const madeFile = ({ folder, identity }: RecordPlace): string => join(folder, `.tickmark-${identity}.made`);

/** The time waited since then, and the last failure: a hint that any process may overwrite. */
const waitedFile = ({ folder, identity }: RecordPlace): string =>
  join(folder, `.tickmark-${identity}.waited`);

const Waited = z.object({ made: CountedForm.nullable(), failed: CountedForm.nullable() });

/** A missing or damaged file tells nothing; then the names of the backups are believed. */
export function readRecord(place: RecordPlace): BackupRecord {
  const made = parsed(CountedForm, madeFile(place));
  const waited = parsed(Waited, waitedFile(place));
  // Written before that backup, or by a process that did not know of it.
  const isOlder = waited === null || waited.made?.key !== made?.key;
  return isOlder ? { made, failed: null } : waited;
}

function parsed<T>(form: z.ZodType<T>, file: string): T | null {
  try {
    return form.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

export const recordBackup = (place: RecordPlace, made: Counted): void =>
  put(madeFile(place), made, synchronise);

/** Stores the time that passed, because the ticks of another boot cannot be compared. */
export function noteWaited(place: RecordPlace, { made, failed }: BackupRecord, now: Moment): void {
  try {
    const waited = { made: carriedOn(made, now), failed: carriedOn(failed, now) };
    put(waitedFile(place), waited, () => {});
  } catch {
    // A folder that takes no file takes no backup either, and that failure is reported.
  }
}

function put(file: string, value: unknown, bringToDisk: (path: string) => void): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  makePrivateFile(draft);
  writeFileSync(draft, JSON.stringify(value));
  bringToDisk(draft);
  renameSync(draft, file);
}
