import { open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file atomically and durably, readable by its owner only. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    // A file that root writes into the folder of an agent that is not root has to stay readable to that agent.
    const { uid, gid } = await stat(dirname(path));
    if (process.getuid?.() === 0 && uid !== 0) await file.chown(uid, gid);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await synchroniseFolder(dirname(path));
}

/** Makes a new name of a folder outlive a power cut; some file systems cannot, and say so. */
export async function synchroniseFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch {
    // Nothing can be done about it.
  } finally {
    await handle.close();
  }
}
