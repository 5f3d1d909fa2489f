import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { failureCode } from "../../core/failure-code.ts";

/** Writes a file atomically and durably, readable by its owner only. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  // A draft left by a killed process may belong to another user, or be open to others.
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

/** Gives a file that root wrote to the owner of its folder, so that an agent without root can read it. */
export async function handOver(file: FileHandle, folder: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await file.chown(uid, gid);
}

/** Errors of file systems that cannot synchronise a folder. */
const unable: ReadonlySet<string | null> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF", "EROFS"]);

/** Makes a new name in a folder survive a power cut, on file systems that can. */
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
