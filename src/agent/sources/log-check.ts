import { basename, relative } from "node:path";
import { minuteMs } from "../../core/time.ts";
import type { MachineRoot } from "../../linux/proc.ts";
import { FollowedFile } from "../files/followed-file.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { dedicatedLog } from "../install/server-kind.ts";
import { ownLineForm } from "./log-form.ts";
import { logReader } from "./log-reader.ts";
import type { Finding } from "./source.ts";

/** How much of an existing log is read for the server's last state, bytes: a day of a busy server. */
export const backBytes = 16 * 1024 * 1024;

/** What a log gives on a server of this edition, and what is lost without it. */
const words = {
  java: {
    gives: "It gives starts, stops, crashes, bans and lost time",
    lost: "stops by command, causes of crashes, bans, lost time and pauses",
  },
  bedrock: {
    gives: "It gives starts, failed starts and stops; a log of this edition has no bans and no lost time",
    lost: "stops by command and causes of failed starts",
  },
} as const;

const unreadable = ({ directory, log, kind }: ServerInstall): string => {
  const name = relative(directory, log);
  const isConsole = kind.logs[0] === dedicatedLog;
  return isConsole
    ? `This user can read no ${name}. The Bedrock Dedicated Server writes only to its console: start it with | tee -a ${dedicatedLog} behind its command, or name the file of the console with --log.`
    : `This user can read no ${name}: start the server once, or run the agent as the server's user.`;
};

/** Tells what the log gives here, and what is lost without it. */
export async function checkLog(install: ServerInstall, root: MachineRoot): Promise<readonly Finding[]> {
  const file = new FollowedFile(backBytes);
  const about = basename(install.log);
  const { gives } = words[install.kind.edition];
  const lost = `Starts and ends of the server are seen by its process; ${words[install.kind.edition].lost} are not reported.`;
  const reader = logReader();
  const form = await ownLineForm(install, root);
  if (form) reader.use(form);
  try {
    let lines = 0;
    const take = (line: string): void => {
      lines += 1;
      reader.take(line);
    };
    const { writtenAt } = await file.read(install.log, take, AbortSignal.timeout(10_000));
    if (writtenAt === null)
      return [
        {
          able: false,
          about,
          says: `${unreadable(install)} ${lost}`,
        },
      ];
    if (lines > 0 && reader.understood === 0)
      return [{ able: false, about, says: `No line of the log has a form that is known. ${lost}` }];
    const hasStart = reader.found(writtenAt, writtenAt + minuteMs).some(({ fact }) => fact.is === "ready");
    const says = hasStart
      ? `The log can be read, and has the last start of the server. ${gives}.`
      : lines === 0
        ? `The log can be read, and is empty so far.`
        : `The log can be read, and has no start of the server. ${gives} from now on.`;
    return [{ able: true, about, says }];
  } finally {
    await file.close();
  }
}
