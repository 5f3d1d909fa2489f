import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { ServerInstall } from "../install/server-install.ts";
import type { MachineRoot } from "../../linux/proc.ts";
import { folderMark } from "./folder-mark.ts";
import type { KnownJars } from "./installed.ts";
import { readSoftware } from "./read-software.ts";

/** What was read of a game server's folder. */
export interface SoftwareReading {
  readonly inventory: SoftwareInventory;
  /** The paths of what could not be opened or read this time, and of links, each once. */
  readonly unread: readonly string[];
}

/** A game server's folder, as the source of its inventory. */
export interface SoftwareFolder {
  /** Equal while no file of the inventory changed; costs no read of a file. */
  mark(): Promise<string>;
  /** Reads the inventory; of jars only those that changed since the last reading. Rejects if the signal is given. */
  read(signal: AbortSignal): Promise<SoftwareReading>;
}

export function softwareFolder(
  install: Pick<ServerInstall, "directory" | "log" | "findProcess">,
  root?: MachineRoot,
): SoftwareFolder {
  const known: KnownJars = new Map();
  return {
    mark: () => folderMark(install.directory),
    read: async (signal) => {
      const unread: string[] = [];
      const inventory = await readSoftware(install, { root, known, unread, signal });
      return { inventory, unread: [...new Set(unread)] };
    },
  };
}
