import { execFile } from "node:child_process";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { probeDatabase } from "../../../store/database-probe.ts";
import { note, ok, wrong, type CheckResult, type ConfigCheck } from "../check.ts";

/** Difference between two clocks that does no harm, ms. */
const toleratedMs = 2000;

/** Whether the clock agrees with those of the database and the file system, and whether NTP sets it. */
export const clockCheck: ConfigCheck = {
  name: "clock",
  run: async ({ config: { databaseUrl } }) => {
    const [ofDatabase, synchronised] = await Promise.all([againstDatabase(databaseUrl), isSynchronised()]);
    return [...ofDatabase, againstFiles(databaseUrl), synchronised];
  },
};

async function againstDatabase(url: string): Promise<CheckResult[]> {
  if (url.startsWith("sqlite:")) return [];
  // The database check reports that it does not answer.
  const probe = await probeDatabase(url).catch(() => null);
  if (probe === null) return [note("The clock of the database could not be asked for.")];
  const { clock } = probe;
  return clock === null
    ? []
    : [compared("the database", clock.serverTime - (clock.asked + clock.answered) / 2)];
}

/** Compares with the time of a new file, because the file system may be on another machine. */
function againstFiles(url: string): CheckResult {
  const folder = url.startsWith("sqlite:") ? dirname(resolve(url.slice("sqlite:".length))) : tmpdir();
  const file = join(folder, `.tickmark-clock-${process.pid}`);
  try {
    writeFileSync(file, "now", { mode: 0o600, flag: "wx" });
    return compared("the file system", statSync(file).mtimeMs - Date.now());
  } catch {
    // The disk check reports what is wrong with the folder.
    return note(
      `The clock of the file system could not be asked for, because no file can be made in ${folder}.`,
    );
  } finally {
    rmSync(file, { force: true });
  }
}

/** `aheadMs`: how far the other clock is ahead of this one. */
export const compared = (other: string, aheadMs: number): CheckResult =>
  Math.abs(aheadMs) <= toleratedMs
    ? ok(`The clocks of this machine and of ${other} agree.`)
    : wrong(
        `The clock of ${other} is ${Math.abs(Math.round(aheadMs / 1000))} s ${aheadMs > 0 ? "ahead of" : "behind"} the clock of this machine. Set both by NTP.`,
      );

/** Asks systemd, as `timedatectl show` does. */
async function isSynchronised(): Promise<CheckResult> {
  const args = ["show", "--property=NTPSynchronized", "--value"];
  const synchronised = await promisify(execFile)("timedatectl", args, { timeout: 5000 }).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
  if (synchronised === "yes") return ok("The clock of this machine is set by NTP.");
  if (synchronised === "no")
    return wrong("The clock of this machine is not set by NTP: run timedatectl set-ntp true.");
  return note("This machine does not tell whether its clock is set by NTP (timedatectl gives no answer).");
}
