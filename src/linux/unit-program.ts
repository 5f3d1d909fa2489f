import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Folders that `ProtectHome=yes` and `PrivateTmp=yes` hide from a service (systemd.exec(5)). */
export const hiddenFromServices = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"];

/** A user as file permissions know it. */
export interface UnitUser {
  readonly uid: number;
  readonly groups: readonly number[];
}

/**
 * Returns part of a sentence; null if the user can run the program. `user` is null if it is not made yet, and
 * `hidden` are the folders that the unit hides.
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

/** Whether a file's mode gives a user a right: 4 to read, 1 to enter. */
function may(user: UnitUser | null, path: string, right: 4 | 1): boolean {
  if (user?.uid === 0) return true;
  const { uid, gid, mode } = statSync(path);
  if (user?.uid === uid) return (mode & (right << 6)) !== 0;
  if (user?.groups.includes(gid) === true) return (mode & (right << 3)) !== 0;
  return (mode & right) !== 0;
}

/** Null if this machine knows no such user. */
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
    // `id` knows no such user: it will be made later, and owns nothing yet.
    return null;
  }
}
