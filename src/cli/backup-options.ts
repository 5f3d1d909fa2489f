import { rmSync } from "node:fs";
import { join } from "node:path";
import { dayMs, hourMs, minuteMs } from "../core/time.ts";
import { makePrivateFile, makePrivateFolder } from "../store/private-file.ts";
import { CommandError, exitStatus } from "./output.ts";
import { fileError } from "./start-errors/file-errors.ts";

const unitsMs = { m: minuteMs, h: hourMs, d: dayMs } as const;
const longestMs = 31 * dayMs;

/** Reads `30m`, `24h` or `7d`; returns ms. */
export function durationOf(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * unitsMs[(unit ?? "m") as keyof typeof unitsMs];
  if (ms >= minuteMs && ms <= longestMs) return ms;
  throw new CommandError(`${option} takes a time from 1m to 31d, such as 30m, 24h or 7d.`, exitStatus.usage);
}

/** Null if the option is left out. */
export function numberKept(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text);
  throw new CommandError(`${option} takes a number of backups from 1 to 9999.`, exitStatus.usage);
}

/** Throws if no file can be made in the folder, so that the operator learns of it at the start. */
export function checkBackupFolder(folder: string): void {
  const probe = join(folder, `.tickmark-${process.pid}`);
  try {
    makePrivateFolder(folder);
    rmSync(probe, { force: true });
    makePrivateFile(probe);
    rmSync(probe);
  } catch (error) {
    throw fileError(error, { what: "the folder of backups", setting: "--backup-dir" }, folder) ?? error;
  }
}
