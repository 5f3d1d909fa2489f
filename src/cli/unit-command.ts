import { realpathSync } from "node:fs";
import { whyNotRunnable, unitUser } from "../linux/unit-program.ts";
import { CommandError } from "./output.ts";

const install =
  "Install it for all users: npm pack, then as root npm install --global ./tickmark-*.tgz; then run the installed tickmark";

/**
 * Throws if the unit's user could not run this program, because the unit would fail at every start. Checks
 * the real path: `npm install --global` of a folder makes only a link to it.
 */
export function unitCommand(
  words: readonly string[],
  user: string,
  hidden: readonly string[],
): readonly string[] {
  const program = realpathSync(process.argv[1] ?? "");
  const known = unitUser(user);
  const here = whyNotRunnable(program, known, hidden);
  if (here !== null)
    throw new CommandError(
      `The user ${user} of the unit could not run ${program}: ${here}. ${install} ${words[0] === "agent" ? "agent unit" : "unit"}.`,
    );
  const node = realpathSync(process.execPath);
  const there = whyNotRunnable(node, known, hidden);
  if (there !== null)
    throw new CommandError(
      `The user ${user} of the unit could not run ${node}: ${there}. Install Node.js for all users, such as from the packages of the system or into /usr/local.`,
    );
  return [process.execPath, program, ...words];
}
