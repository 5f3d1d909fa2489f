import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { failureCode, isAbsent, nullIfClosed } from "../../core/failure-code.ts";
import { oneLine } from "../one-line.ts";
import { steadyNow } from "../send/steady.ts";

const lockName = "agent.lock";

/** The pid of the agent that uses this folder; null for none. Rejects if that cannot be found out. */
export async function runningAgent(folder: string): Promise<number | null> {
  const path = join(folder, lockName);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isAbsent(error)) return "";
    throw new Error(`${path} cannot be read (${oneLine(error)}), so another agent may run.`, {
      cause: error,
    });
  });
  const [pid = "", started = ""] = text.trim().split(" ");
  if (!/^\d+$/.test(pid) || started === "") return null;
  return (await startOf(Number(pid))) === started ? Number(pid) : null;
}

/** Null if another process has the folder. The lock of a killed process is taken over. */
export async function takeLock(folder: string): Promise<{ release(): Promise<void> } | null> {
  const path = join(folder, lockName);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = await open(path, "wx", 0o600);
      try {
        await file.writeFile(`${process.pid} ${await startOf(process.pid)}\n`);
      } catch (failure) {
        // An empty lock would be taken over by the next agent while this one runs.
        await rm(path, { force: true });
        throw failure;
      } finally {
        await file.close();
      }
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (failureCode(error) !== "EEXIST") throw error;
      if ((await runningAgent(folder)) !== null) return null;
      await rm(path, { force: true });
    }
  }
  return null;
}

/** Tells a reused pid apart; empty if there is no such process. Rejects if the system does not say it. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(nullIfClosed);
  if (stat !== null) return `${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}@${steadyNow().boot}`;
  try {
    process.kill(pid, 0);
    return process.platform === "linux" ? "" : "running";
  } catch (error) {
    // The process exists and belongs to another user.
    if (failureCode(error) === "EPERM" && process.platform !== "linux") return "running";
    if (failureCode(error) === "ESRCH" || failureCode(error) === "EPERM") return "";
    throw error;
  }
}
