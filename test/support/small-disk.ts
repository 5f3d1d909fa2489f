import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Of util-linux: runs a command in name spaces of its own. */
const unshare = "unshare";

const mounting = (folder: string): string => `mount -t tmpfs -o size=4m tmpfs ${folder}`;

/** Null when a process here may have a small disk of its own, which takes user namespaces (Linux), else why not. */
export function whyNoSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-disk-"));
  try {
    execFileSync(unshare, ["-rm", "sh", "-c", mounting(folder)], { stdio: "ignore" });
    return null;
  } catch {
    console.warn("\n!!! SKIPPED: a disk that is really full takes unshare and user namespaces.\n");
    return "no user namespaces";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A disk of 4 MB that only the process that is started with it can see. */
export interface SmallDisk {
  /** A command before the process's own, which gives it the disk with that database on it. */
  readonly before: readonly string[];
  readonly databaseUrl: string;
  /** Fills it to the last byte. */
  fill(pid: number): void;
  empty(pid: number): void;
  /** Copies the database off it, while the process stands still. */
  rescue(pid: number, to: string): void;
}

export function smallDisk(database: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-disk-"));
  const path = join(folder, "one.db");
  const script = `${mounting(folder)} && cp ${database} ${path} && exec "$@"`;
  const seen = (pid: number, name: string): string => join(`/proc/${pid}/root`, folder, name);
  return {
    before: [unshare, "-rm", "sh", "-c", script, "sh"],
    databaseUrl: `sqlite:${path}`,
    fill: (pid) => {
      for (const size of [4096, 1]) {
        try {
          for (;;) appendFileSync(seen(pid, "filler"), Buffer.alloc(size));
        } catch (error) {
          if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
        }
      }
    },
    empty: (pid) => rmSync(seen(pid, "filler")),
    rescue: (pid, to) => {
      process.kill(pid, "SIGSTOP");
      try {
        for (const suffix of ["", "-wal"])
          if (existsSync(seen(pid, `one.db${suffix}`)))
            copyFileSync(seen(pid, `one.db${suffix}`), `${to}${suffix}`);
      } finally {
        process.kill(pid, "SIGCONT");
        rmSync(folder, { recursive: true });
      }
    },
  };
}
