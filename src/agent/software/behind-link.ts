import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";

/** Whether a part of `path` below the server's folder is a link, which is then added to `unread`. */
export async function isBehindLink(directory: string, path: string, unread?: string[]): Promise<boolean> {
  let at = directory;
  for (const part of path.split("/")) {
    at = join(at, part);
    const stat = await lstat(at).catch(nullIfClosed);
    if (stat === null) return false;
    if (!stat.isSymbolicLink()) continue;
    unread?.push(`${at}, which is a link`);
    return true;
  }
  return false;
}
