import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** The usual file system in memory of a Linux machine. */
const inMemory = "/dev/shm";
/** What a whole run may write: its databases, and the folders of programs that it starts. Bytes. */
const enough = 4 * 2 ** 30;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

/**
 * Temporary files of the tests live in memory where the machine has room for them, so that no test waits for the
 * disk. What the durability tests kill is a process, which loses no more of a file in memory than of one on a disk.
 */
export function setup(): () => void {
  if (!hasRoom()) return () => {};
  const folder = mkdtempSync(join(inMemory, "tickmark-tests-"));
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  return () => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
