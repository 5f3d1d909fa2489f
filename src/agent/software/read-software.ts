import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { ServerInstall } from "../install/server-install.ts";
import type { MachineRoot } from "../../linux/proc.ts";
import { readInstalled, type JarReading } from "./installed.ts";
import { readJavaSoftware } from "./java-software.ts";
import { readServerSoftware } from "./server-software.ts";
import { readSettings } from "./settings.ts";

/** A game server's software, from its folder, log and process; null for what cannot be read. */
export async function readSoftware(
  install: Pick<ServerInstall, "directory" | "log" | "findProcess">,
  { root, unread = [], ...jars }: JarReading & { readonly root?: MachineRoot | undefined } = {},
): Promise<SoftwareInventory> {
  const { directory } = install;
  return {
    server: await readServerSoftware(install, unread),
    java: await readJavaSoftware(install, root),
    plugins: await readInstalled(directory, "plugins", { ...jars, unread }),
    mods: await readInstalled(directory, "mods", { ...jars, unread }),
    ...(await readSettings(directory, unread)),
  };
}
