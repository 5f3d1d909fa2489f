import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as rest } from "node:timers/promises";
import { startGroupGuard } from "../bench/game/group-guard.ts";
import { failureCode } from "../core/failure-code.ts";

export interface GroupRun {
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The time between SIGTERM and SIGKILL, ms. */
  readonly graceMs: number;
}

/** Null: the command could not be started. */
export type GroupEnd = { readonly status: number | null; readonly killedBy: string | null } | null;

const lookEveryMs = 20;
/** Killed processes keep their numbers until their parent waits for them; time allowed for that, ms. */
const buriedWithinMs = 500;

/** When it resolves, no process of the group is left. If this process is killed, a guard kills the group. */
export async function runInGroup({ command, environment, signal, graceMs }: GroupRun): Promise<GroupEnd> {
  const guard = startGroupGuard();
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...environment },
  });
  const { pid } = child;
  if (pid === undefined) {
    guard.release();
    // The reason comes as an event; the caller reports that the command did not start.
    await once(child, "error");
    return null;
  }
  guard.watch(pid);
  const abandon = (): void => void signalGroup(pid, "SIGKILL");
  process.once("exit", abandon);
  let ending: Promise<void> | null = null;
  const end = (): Promise<void> => (ending ??= endGroup(pid, graceMs));
  const stop = (): void => void end();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [status, killedBy] = (await once(child, "exit")) as [number | null, string | null];
    return { status, killedBy };
  } finally {
    signal.removeEventListener("abort", stop);
    await end();
    process.off("exit", abandon);
    guard.release();
  }
}

async function endGroup(pid: number, graceMs: number): Promise<void> {
  signalGroup(pid, "SIGTERM");
  if (await isGone(pid, graceMs)) return;
  signalGroup(pid, "SIGKILL");
  await isGone(pid, buriedWithinMs);
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (signalGroup(pid, 0)) {
    if (performance.now() > until) return false;
    await rest(lookEveryMs);
  }
  return true;
}

/** False if no process of the group is left. A process of another user (EPERM) still counts. */
function signalGroup(pid: number, which: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, which);
  } catch (error) {
    return failureCode(error) !== "ESRCH";
  }
}
