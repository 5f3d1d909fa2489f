import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { failureCode } from "../../core/failure-code.ts";

/** Writes a file atomically and durably, readable by its owner only: at every instant the old or the new one is there. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  // One that a killed process left may belong to another user, or be open to others.
  await rm(draft, { force: true });
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await handOver(file, dirname(path));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await synchroniseFolder(dirname(path));
}

/** A file that root writes into the folder of an agent that is not root has to stay readable to that agent. */
export async function handOver(file: FileHandle, folder: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await file.chown(uid, gid);
}

/** What file systems answer that cannot synchronise a folder. */
const unable: ReadonlySet<string | null> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF", "EROFS"]);

/** Makes a new name of a folder outlive a power cut; some file systems cannot, and say so. */
export async function synchroniseFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!unable.has(failureCode(error))) throw error;
  } finally {
    await handle.close();
  }
}
