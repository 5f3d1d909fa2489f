import { spawn } from "node:child_process";

export interface GroupGuard {
  /** From now on the group is killed if this process is. */
  watch(group: number): void;
  /** Ends the guard, which then kills nothing. */
  release(): void;
}

/**
 * Starts a guard, before its group so that no moment is without one: a shell reads the group's id, and notices when its
 * pipe ends without a further line.
 */
export function startGroupGuard(): GroupGuard {
  const script = 'read -r group || exit 0; read -r line || kill -s KILL -- "-$group"';
  const guard = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell there is no guard, and the run goes on.
  guard.once("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  let isWatching = false;
  return {
    watch(group) {
      isWatching = true;
      guard.stdin.write(`${group}\n`);
    },
    release: () => void guard.stdin.end(isWatching ? "released\n" : ""),
  };
}
