import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const lockName = "agent.lock";

/** The pid of the agent that runs on this folder; null when none does. */
export async function runningAgent(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, lockName), "utf8").catch(() => "");
  const [pid = "", started = ""] = text.trim().split(" ");
  if (!/^\d+$/.test(pid) || started === "") return null;
  return (await startOf(Number(pid))) === started ? Number(pid) : null;
}

/** Takes the folder for this process; null if another process has it. The lock of a killed process is taken over. */
export async function takeLock(folder: string): Promise<{ release(): Promise<void> } | null> {
  const path = join(folder, lockName);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.writeFile(`${process.pid} ${await startOf(process.pid)}\n`);
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if ((await runningAgent(folder)) !== null) return null;
      await rm(path, { force: true });
    }
  }
  return null;
}

/** When a process started, so that a pid that was given to another one is not taken for it; empty for none. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat !== null) return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  try {
    process.kill(pid, 0);
    return process.platform === "linux" ? "" : "running";
  } catch {
    return "";
  }
}
