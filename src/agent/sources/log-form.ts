import { basename, isAbsolute, join } from "node:path";
import { headOrNull, procPath, type MachineRoot } from "../../linux/proc.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { expandedArguments } from "../process/java-arguments.ts";
import { lineForm, patternsFor, type LineForm } from "./log-pattern.ts";

const settings = ["-Dlog4j.configurationFile=", "-Dlog4j2.configurationFile="];
const largestConfig = 256 * 1024;

/** The form of lines that the server's own log4j2.xml sets; null if there is none, or its lines have a usual form. */
export async function ownLineForm(install: ServerInstall, root: MachineRoot): Promise<LineForm | null> {
  for (const path of await configPaths(install, root)) {
    const config = await headOrNull(path, largestConfig);
    if (config === null) continue;
    const forms = patternsFor(config, basename(install.log)).flatMap((pattern) => lineForm(pattern) ?? []);
    if (forms.length === 0) continue;
    return (line) => {
      for (const form of forms) {
        const found = form(line);
        if (found) return found;
      }
      return null;
    };
  }
  return null;
}

/** The file that an argument names counts before the one in the folder, which the game itself does not read. */
async function configPaths(install: ServerInstall, root: MachineRoot): Promise<string[]> {
  const server = await install.findProcess();
  const options = server ? await expandedArguments(root, server) : [];
  const named = options.flatMap((option) => {
    const start = settings.find((each) => option.startsWith(each));
    return start === undefined ? [] : option.slice(start.length).split(",");
  });
  const reached = named.map((name) => {
    const path = name.replace(/^file:(?:\/\/)?/, "");
    if (!isAbsolute(path)) return join(install.directory, path);
    return server ? procPath(root, server.pid, "root", path) : path;
  });
  return [...reached, join(install.directory, "log4j2.xml")];
}
