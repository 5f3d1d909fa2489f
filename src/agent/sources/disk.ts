import { shownMemory } from "../../core/text/memory.ts";
import { hourMs, type Instant } from "../../core/time.ts";
import { fileSystemRoom, type FileSystemRoom } from "../../linux/file-system.ts";
import { backupFolders, mainWorldFolder, type WorldInstall } from "../install/world-folders.ts";
import { oneLine } from "../one-line.ts";
import type { Finding, Reading, Source } from "./source.ts";

const bytesPerMb = 1024 * 1024;

/** Folders are looked for anew after this time, ms: settings change and disks are mounted. */
const foldersMs = hourMs;

/** File systems of one size whose free space differs by less are one that is mounted twice. */
const sameShare = 0.001;

interface Folders {
  readonly at: Instant;
  readonly world: string;
  readonly backups: readonly string[];
}

interface Rooms {
  readonly world: FileSystemRoom;
  /** Null where backups lie on the disk of the worlds, or nowhere. */
  readonly backups: FileSystemRoom | null;
}

/** Free and whole size of the file system of the worlds, and of that of the backups if it is another. */
export function diskSource(install: WorldInstall): Source {
  let folders: Folders | null = null;

  const rooms = async (now: Instant): Promise<Rooms> => {
    if (folders === null || Math.abs(now - folders.at) >= foldersMs)
      folders = { at: now, world: await mainWorldFolder(install), backups: await backupFolders(install) };
    const world = await fileSystemRoom(folders.world);
    for (const folder of folders.backups) {
      const room = await fileSystemRoom(folder);
      if (!isSame(world, room)) return { world, backups: room };
    }
    return { world, backups: null };
  };

  const read = async (now: Instant): Promise<Reading> => {
    const { world, backups } = await rooms(now);
    return {
      measured: {
        disk_free_mb: inMb(world.freeBytes),
        disk_total_mb: inMb(world.totalBytes),
        ...(backups && {
          backup_disk_free_mb: inMb(backups.freeBytes),
          backup_disk_total_mb: inMb(backups.totalBytes),
        }),
      },
    };
  };

  const check = async (): Promise<readonly Finding[]> => {
    const about = "disk";
    try {
      const { world, backups } = await rooms(Date.now());
      const says = `${shownRoom(world)} are free where the worlds are.`;
      return [{ able: true, about, says: `${says} ${backupSentence(backups)}` }];
    } catch (error) {
      const says = `The room of the disk cannot be read (${oneLine(error)}), so nobody is warned before it is full.`;
      return [{ able: false, about, says }];
    }
  };

  return { name: "disk", check, read, close: async () => {} };
}

const inMb = (bytes: number): number => Math.floor(bytes / bytesPerMb);

/** Bind mounts, subvolumes and links lead to the same room by other devices. */
const isSame = (one: FileSystemRoom, other: FileSystemRoom): boolean =>
  Math.abs(one.totalBytes - other.totalBytes) <= sameShare * one.totalBytes &&
  Math.abs(one.freeBytes - other.freeBytes) <= sameShare * one.totalBytes;

const shownRoom = ({ freeBytes, totalBytes }: FileSystemRoom): string =>
  `${shownMemory(freeBytes / bytesPerMb)} of ${shownMemory(totalBytes / bytesPerMb)}`;

const backupSentence = (backups: FileSystemRoom | null): string =>
  backups === null
    ? "No folder of backups was found on another disk."
    : `${shownRoom(backups)} are free where the backups are.`;
