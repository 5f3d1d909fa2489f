import { realpathSync } from "node:fs";
import { whyNotRunnable, unitUser } from "../linux/unit-program.ts";
import { CommandError } from "./output.ts";

/** How the program gets where every user may run it. */
const install =
  "Install it for all users: npm pack, then as root npm install --global ./tickmark-*.tgz; then run the installed tickmark";

/**
 * The command of a unit: this very program with those words after it. Throws where the unit's user could not run it: the
 * unit would fail at every start. `npm install --global` of a folder makes a link to that folder, which is what is looked at.
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
