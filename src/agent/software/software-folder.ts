import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { ServerInstall } from "../install/server-install.ts";
import type { MachineRoot } from "../../linux/proc.ts";
import { folderMark } from "./folder-mark.ts";
import type { KnownJars } from "./installed.ts";
import { readSoftware } from "./read-software.ts";

export interface SoftwareReading {
  readonly inventory: SoftwareInventory;
  /** Paths of links, and of what could not be read this time, each once. */
  readonly unread: readonly string[];
}

export interface SoftwareFolder {
  /** Equal while no file of the inventory changed; reads no file. */
  mark(): Promise<string>;
  /** Of jars, reads only those that changed since the last call. Rejects if the signal aborts. */
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
