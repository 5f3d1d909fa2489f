import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { carriedOn, type BackupRecord, type Counted, type Moment } from "../core/backup/schedule.ts";
import { makePrivateFile, synchronise } from "../store/private-file.ts";

/** Where the times of one database's backups are written down: beside the backups, of which they tell. */
interface RecordPlace {
  readonly folder: string;
  readonly identity: string;
}

const CountedForm: z.ZodType<Counted> = z.object({
  key: z.string(),
  at: z.object({ boot: z.string(), ticks: z.number(), wall: z.number() }),
  ms: z.number().min(0),
});

/** The backup that was made; only who makes one writes this. */
const madeFile = ({ folder, identity }: RecordPlace): string => join(folder, `.tickmark-${identity}.made`);

/** How long a process waited since then, and what failed: a hint, which any process may overwrite. */
const waitedFile = ({ folder, identity }: RecordPlace): string =>
  join(folder, `.tickmark-${identity}.waited`);

const Waited = z.object({ made: CountedForm.nullable(), failed: CountedForm.nullable() });

/** What was written down. What is missing or damaged tells nothing: the names of the backups are believed then. */
export function readRecord(place: RecordPlace): BackupRecord {
  const made = parsed(CountedForm, madeFile(place));
  const waited = parsed(Waited, waitedFile(place));
  // Written before that backup, or by a process that had not heard of it.
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

/** Writes down how long ago all that is: after another start of the machine nobody else knows. */
export function noteWaited(place: RecordPlace, { made, failed }: BackupRecord, now: Moment): void {
  try {
    const waited = { made: carriedOn(made, now), failed: carriedOn(failed, now) };
    put(waitedFile(place), waited, () => {});
  } catch {
    // A folder that takes no file takes no backup either, and that is reported.
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
