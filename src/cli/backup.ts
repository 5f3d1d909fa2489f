import { statSync } from "node:fs";
import type { Config } from "../config.ts";
import { backupSqlite } from "../store/transfer/backup.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import { makeFile } from "./new-file.ts";
import { CommandError, exitStatus, printResult } from "./output.ts";
import { progressOn, sizeOf } from "./progress.ts";

/** Copies the SQLite database into a new file while the service goes on. */
export async function backup(
  config: Config,
  { file, json }: { readonly file: string; readonly json: boolean },
): Promise<void> {
  const path = sqlitePath(config.databaseUrl);
  if (path === null)
    throw new CommandError(
      "backup copies only SQLite, and TICKMARK_DATABASE_URL names a PostgreSQL database. Use pg_dump, or tickmark export FILE.",
      exitStatus.usage,
    );
  if (file === "-") throw new CommandError("backup takes the name of a new file, not -.", exitStatus.usage);
  const progress = progressOn();
  try {
    await makeFile(file, (draft) =>
      backupSqlite(path, draft, (copied, pages) =>
        progress.tell(`Copying: ${Math.floor((100 * copied) / Math.max(1, pages))} %`),
      ),
    );
  } finally {
    progress.end();
  }
  const bytes = statSync(file).size;
  printResult(json, { file, bytes }, [
    `${file}: ${sizeOf(bytes)}, checked. Keep it together with the secret in use (TICKMARK_SECRET, or ${path}.secret).`,
  ]);
}
