import { open } from "node:fs/promises";
import type { Config } from "../app/config/config.ts";
import { projectVersion } from "../program/program-files.ts";
import { totalOf, type Counts } from "../store/transfer/format.ts";
import { openSnapshot } from "../store/transfer/open.ts";
import { tablesLeftOut } from "../store/transfer/tables.ts";
import { writeExport } from "../store/transfer/write-export.ts";
import { makeFile } from "./new-file.ts";
import { CommandError, printError, printResult } from "./output.ts";
import { progressOn, sizeOf } from "./progress.ts";

type Put = (chunk: Buffer) => Promise<void>;

/** Names those `tablesLeftOut` that users notice after a move; the others belong to the processes. */
const leftOutWords =
  "The export leaves out sessions (people sign in again), and mailed codes and addresses that wait for a code (people request them again).";

/** `file`: a new file, or `-` for standard output. */
export async function exportAll(
  config: Config,
  { file, json }: { readonly file: string; readonly json: boolean },
): Promise<void> {
  const toOutput = file === "-";
  let bytes = 0;
  const counted =
    (put: Put): Put =>
    (chunk) => {
      bytes += chunk.length;
      return put(chunk);
    };
  const counts = toOutput
    ? await shown(config.databaseUrl, counted(putOut), () => bytes)
    : await makeFile(file, (draft) =>
        intoFile(draft, (put) => shown(config.databaseUrl, counted(put), () => bytes)),
      );
  const rows = totalOf(counts);
  const result = { file, rows, bytes, tables: counts, left_out: tablesLeftOut };
  const words = `${rows} rows, ${sizeOf(bytes)}.`;
  if (!toOutput) printResult(json, result, [`${file}: ${words}`, leftOutWords]);
  // Standard output is the export itself.
  else if (json) printError(JSON.stringify(result));
  else if (process.stderr.isTTY) printError(`${words} ${leftOutWords}`);
}

/** Writes into an existing file. `goOn` is called between chunks, and ends the export by throwing. */
export const exportToFile = (path: string, url: string, goOn: () => void): Promise<Counts> =>
  intoFile(path, (put) => exported(url, put, goOn));

async function shown(url: string, put: Put, written: () => number): Promise<Counts> {
  const progress = progressOn();
  try {
    return await exported(url, put, (table, rows) =>
      progress.tell(`Exporting ${table}: ${rows} rows, ${sizeOf(written())}`),
    );
  } finally {
    progress.end();
  }
}

async function exported(url: string, put: Put, tell: (table: string, rows: number) => void): Promise<Counts> {
  const snapshot = await openSnapshot(url);
  try {
    return await writeExport(snapshot, { serviceVersion: projectVersion, now: Date.now(), put, tell });
  } finally {
    await snapshot.close();
  }
}

async function intoFile<T>(path: string, use: (put: Put) => Promise<T>): Promise<T> {
  const handle = await open(path, "w");
  try {
    return await use((chunk) => handle.writeFile(chunk));
  } finally {
    await handle.close();
  }
}

/** Resolves when the reader has taken the chunk. */
function putOut(chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = (error: Error): void =>
      reject(
        new CommandError(
          `Standard output was closed (${error.message}), so the export is not complete. Export again.`,
        ),
      );
    process.stdout.once("error", gone);
    process.stdout.write(chunk, (error) => {
      if (error) return gone(error);
      process.stdout.off("error", gone);
      return resolve();
    });
  });
}
