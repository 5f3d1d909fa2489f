import { release, type } from "node:os";
import { join } from "node:path";
import { readOrNull, thisMachine, type MachineRoot } from "../../linux/proc.ts";

/** Such as `Debian GNU/Linux 13 (trixie)`, from os-release(5). */
export async function readOsName(root: MachineRoot = thisMachine): Promise<string> {
  const text = (await readOrNull(join(root, "etc", "os-release"))) ?? "";
  const [, name] = /^PRETTY_NAME="?([^"\n]{1,120})"?$/m.exec(text) ?? [];
  return name ?? `${type()} ${release()}`;
}
