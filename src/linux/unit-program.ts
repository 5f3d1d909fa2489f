import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";

/** The folders in which systemd.exec(5) has `ProtectHome=yes` and `PrivateTmp=yes` show a service nothing. */
export const hiddenFromServices = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];

/** A user as permissions know them; null where there is no user of that name yet. */
export interface UnitUser {
  readonly uid: number;
  readonly groups: readonly number[];
}

/**
 * Why a unit's user cannot run a program at that path, as a part of a sentence; null where nothing keeps them from it.
 * `hidden`: folders that the unit shows them nothing of.
 */
export function whyNotRunnable(
  path: string,
  user: UnitUser | null,
  hidden: readonly string[],
): string | null {
  const above = hidden.find((folder) => path.startsWith(`${folder}/`));
  if (above !== undefined) return `the unit shows its user nothing of ${above}`;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!may(user, folder, 1)) return `its user may not enter the folder ${folder}`;
    if (folder === dirname(folder)) break;
  }
  return may(user, path, 4) ? null : `its user may not read ${path}`;
}

/** Whether the mode of a file gives a user a right: 4 to read, 1 to enter. */
function may(user: UnitUser | null, path: string, right: 4 | 1): boolean {
  if (user?.uid === 0) return true;
  const { uid, gid, mode } = statSync(path);
  if (user?.uid === uid) return (mode & (right << 6)) !== 0;
  if (user?.groups.includes(gid) === true) return (mode & (right << 3)) !== 0;
  return (mode & right) !== 0;
}

/** A user of this machine, wherever it knows its users from. */
export function unitUser(name: string): UnitUser | null {
  const ask = (what: "-u" | "-G"): number[] =>
    execFileSync("id", [what, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .split(" ")
      .map(Number);
  try {
    const [uid] = ask("-u");
    return uid === undefined ? null : { uid, groups: ask("-G") };
  } catch {
    // `id` knows no such user, who will be made later and owns nothing yet.
    return null;
  }
}
