import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import { wholeNumber, linkOrNull, readOrNull, type MachineRoot } from "../../linux/proc.ts";

export interface ListeningSocket {
  readonly port: number;
  readonly uid: number;
  readonly inode: number;
}

export type Transport = "tcp" | "udp";

/** The states of a socket that waits, in the kernel's tables: LISTEN, and for UDP one without a partner. */
const waiting: Readonly<Record<Transport, string>> = { tcp: "0A", udp: "07" };

/** Reads a table such as `/proc/net/tcp6`; lines in another form are left out. */
export function parseListening(text: string, transport: Transport = "tcp"): ListeningSocket[] {
  return text.split("\n").flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const port = Number.parseInt(words[1]?.split(":")[1] ?? "", 16);
    const [uid, inode] = [wholeNumber(words[7]), wholeNumber(words[9])];
    if (words[3] !== waiting[transport] || uid === null || inode === null || !(port > 0)) return [];
    return [{ port, uid, inode }];
  });
}

/** Only sockets of this network namespace. */
export async function listenersOn(
  root: MachineRoot,
  port: number,
  transport: Transport,
): Promise<ListeningSocket[]> {
  const tables = await Promise.all(
    [transport, `${transport}6`].map((table) => readOrNull(join(root, "proc", "net", table))),
  );
  return tables
    .flatMap((table) => (table === null ? [] : parseListening(table, transport)))
    .filter((socket) => socket.port === port);
}

/** Only processes that this user can see. */
export async function allPids(root: MachineRoot): Promise<number[]> {
  const names = await readdir(join(root, "proc")).catch(nullIfClosed);
  return (names ?? []).flatMap((name) => wholeNumber(name) ?? []);
}

/** Null if the process' files may not be seen. */
export async function holdsSocket(
  root: MachineRoot,
  pid: number,
  inodes: ReadonlySet<number>,
): Promise<boolean | null> {
  const folder = join(root, "proc", String(pid), "fd");
  const names = await readdir(folder).catch(nullIfClosed);
  if (names === null) return null;
  // One by one: a server's listening socket is among its first files, and hundreds may follow.
  for (const name of names) {
    const target = await linkOrNull(join(folder, name));
    const inode = target?.startsWith("socket:[") ? wholeNumber(target.slice(8, -1)) : null;
    if (inode !== null && inodes.has(inode)) return true;
  }
  return false;
}

/** Whether the process has this file open, also one whose name is gone; false if its files may not be seen. */
export async function holdsFile(root: MachineRoot, pid: number, identity: string): Promise<boolean> {
  const folder = join(root, "proc", String(pid), "fd");
  const names = (await readdir(folder).catch(nullIfClosed)) ?? [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(nullIfClosed);
    if (found !== null && identity.startsWith(`${found.dev}:${found.ino}:`)) return true;
  }
  return false;
}
