import { spawn } from "node:child_process";

export interface GroupGuard {
  /** Ends the guard, which then kills nothing. */
  release(): void;
}

/** Kills the group if this process is killed: a shell notices that its pipe ended without a line. */
export function guardGroup(group: number): GroupGuard {
  const script = 'read -r line || kill -s KILL -- "-$0"';
  const guard = spawn("/bin/sh", ["-c", script, String(group)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is no guard, and the run goes on.
  guard.once("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  return { release: () => void guard.stdin.end("released\n") };
}
