import { spawn } from "node:child_process";

/** Watches over a process group; see `guardGroup`. */
export interface GroupGuard {
  /** The group has ended in order: the guard ends too, and kills nothing. */
  release(): void;
}

/**
 * Kills a process group when this process ends in a way that leaves it no time to do so itself, such as by SIGKILL. A
 * shell in a session of its own waits for a line from this process; the end of the pipe without a line says that it is gone.
 */
export function guardGroup(group: number): GroupGuard {
  const script = 'read -r line || kill -s KILL -- "-$0"';
  const guard = spawn("/bin/sh", ["-c", script, String(group)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no guard; the run is not worse for it.
  guard.once("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  return { release: () => void guard.stdin.end("released\n") };
}
