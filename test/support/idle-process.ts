import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process that does nothing: it is late when the machine does not let it run, and so is the service then. */
export interface IdleProcess {
  /** By how much it was late at most since it was last asked, ms. */
  lateMs(): Promise<number>;
  end(): void;
}

/** The path is also right in a script two folders deep. */
const program = fileURLToPath(new URL("../../test/support/idle-process.mjs", import.meta.url));

export function startIdleProcess(): IdleProcess {
  const child = fork(program, { execArgv: [] });
  return {
    lateMs: async () => {
      child.send("late");
      const [late] = (await once(child, "message")) as [number];
      return late;
    },
    end: () => void child.kill(),
  };
}
