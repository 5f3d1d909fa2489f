import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Where a link leads, in a tree of files. */
export interface Link {
  readonly to: string;
}

/** A new folder with these files and links in it, as a machine would have them under `/`. */
export function machineTree(files: Readonly<Record<string, string | Link>>): string {
  const root = mkdtempSync(join(tmpdir(), "tickmark-machine-"));
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return root;
}

/** Such a folder that is deleted after the test. */
export function temporaryTree(files: Parameters<typeof machineTree>[0]): string {
  const root = machineTree(files);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function put(root: string, path: string, content: string | Link): void {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  if (typeof content === "string") writeFileSync(at, content);
  else symlinkSync(content.to, at);
}

/** `/proc/PID/stat` of a process that used `cpuTicks` and started `startTicks` after the machine. */
export const statLine = (
  pid: number,
  { name = "java", state = "S", cpuTicks = 0, startTicks = 1000 } = {},
): string =>
  `${pid} (${name}) ${state} 1 ${pid} ${pid} 0 -1 4194560 9 0 0 0 ${cpuTicks} 0 0 0 20 0 30 0 ${startTicks} 1000000 5000 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n`;

/** `/proc/PID/status`, as far as it is read. */
export const statusText = (pid: number, { uid = 0, rssKb = 0, innerPid = pid } = {}): string =>
  `Name:\tjava\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nNSpid:\t${pid}\t${innerPid}\nVmRSS:\t  ${rssKb} kB\nSigCgt:\t0000000181005ccf\n`;

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

/** A line of `/proc/net/tcp`: a socket that listens (`0A`) or another. */
export const socketLine = (port: number, inode: number, { uid = 0, state = "0A" } = {}): string =>
  `   0: 00000000:${hexPort(port)} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

/** `/proc/stat` of a machine with two processors. */
export const machineStat = ({ busy = 0, idle = 0, bootSeconds = 1_700_000_000 } = {}): string =>
  `cpu  ${busy} 0 0 ${idle} 0 0 0 0 0 0\ncpu0 ${busy} 0 0 ${idle} 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr 1 2 3\nctxt 5\nbtime ${bootSeconds}\nprocesses 9\n`;

/** Text of any bytes. */
export const anyText = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1"));
