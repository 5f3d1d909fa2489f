import { dirname } from "node:path";
import { CommandError, exitStatus } from "../output.ts";
import { errorFacts, thisUser, type ErrorFacts } from "./facts.ts";

export interface NamedPath {
  /** Such as `the database`. */
  readonly what: string;
  /** The setting or option that names the path. */
  readonly setting: string;
}

const isAboutFiles = ({ path, syscall }: ErrorFacts): boolean =>
  path !== null ||
  (syscall !== null && /^(?:open|mkdir|write|fsync|link|rename|unlink|rm|copyfile|statfs)$/.test(syscall));

/** Null for an error that is not about files. `path`: the path to name, if not that of the error. */
export function fileError(error: unknown, { what, setting }: NamedPath, path?: string): CommandError | null {
  const facts = errorFacts(error);
  const at = path ?? facts.path;
  if (facts.code === null || at === null || !isAboutFiles(facts)) return null;
  const refused = (words: string, status: number = exitStatus.failed): CommandError =>
    new CommandError(`${words} ${setting} names ${what}.`, status);
  switch (facts.code) {
    case "EACCES":
    case "EPERM":
      return refused(
        `${thisUser()} may not ${verbOf(facts)} ${at}: give this user the right (chown), or choose another place.`,
      );
    case "EROFS":
      return refused(
        `${at} is on a file system that takes no writes: choose another place, or let it be written (ReadWritePaths in a unit).`,
      );
    case "ENOSPC":
    case "EDQUOT":
      return refused(`There is no room on the disk for ${at}: make room.`);
    case "EMFILE":
    case "ENFILE":
      return refused(
        `${at} cannot be opened, because too many files are open: raise LimitNOFILE or ulimit -n.`,
      );
    case "ENOENT":
      return refused(
        `${at} cannot be made, because ${dirname(at)} is not there: make that folder.`,
        exitStatus.usage,
      );
    case "ENOTDIR":
    case "EEXIST":
      return refused(
        `${at} cannot be made, because a part of this path is a file and no folder.`,
        exitStatus.usage,
      );
    case "EISDIR":
      return refused(`${at} is a folder, and has to be a file.`, exitStatus.usage);
    case "ENAMETOOLONG":
    case "ELOOP":
    case "EINVAL":
      return refused(`${at} is no path that this system takes (${facts.code}).`, exitStatus.usage);
    default:
      return refused(`${at} cannot be used (${facts.code}).`);
  }
}

const verbOf = ({ syscall }: ErrorFacts): string =>
  syscall === "mkdir" ? "make the folder" : syscall === "open" ? "open" : "use";
