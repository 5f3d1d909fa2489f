import { chown, lstat, open, rm } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { failureCode, nullIfClosed } from "../../core/failure-code.ts";
import { minuteMs } from "../../core/time.ts";
import type { CollectionLog } from "./jvm-answers.ts";
import { whyNotReadable } from "./why-not-readable.ts";
import type { ServerProcess } from "../install/server-install.ts";
import { procPath, readProcStatus, type MachineRoot } from "../../linux/proc.ts";

/** The diagnostic commands of this agent; nothing else ever reaches a JVM. */
export type DiagnosticCommand =
  | "GC.heap_info"
  | "GC.class_histogram"
  | "VM.events log=list"
  | `VM.events log=${CollectionLog}`
  | "VM.flags";

/** The JVM answered that it does not take this command, and so it never will. */
export class RefusedCommand extends Error {}

export interface AttachOptions {
  readonly signal: AbortSignal;
  /** Longer answers are cut, bytes. */
  readonly most: number;
}

/** The time a JVM has to open its socket, ms: it takes milliseconds unless the JVM is stopped or starved. */
const listenWithinMs = 5_000;
const lookAgainMs = 20;
const noAnswer = "The JVM does not answer diagnostic commands.";

/** Version of the attach protocol, and the number of arguments of every command in it. */
const protocol = "1";
const argumentCount = 3;

/**
 * Gives a JVM a diagnostic command over its attach socket, as `jcmd` does, and resolves with its output.
 * Rejects in one line. A process that is no JVM, or that the signal would end, is left alone.
 */
export async function askJvm(
  root: MachineRoot,
  server: ServerProcess,
  command: DiagnosticCommand,
  options: AttachOptions,
): Promise<string> {
  const status = await readProcStatus(root, server.pid);
  const refusal = await whyNotReadable(root, server, status);
  if (refusal !== null) throw new Error(refusal);
  const innerPid = status?.innerPid ?? server.pid;
  const uid = status?.uid ?? -1;
  const socket = procPath(root, server.pid, "root", "tmp", `.java_pid${innerPid}`);
  if (!(await isSocketOf(socket, uid))) await makeListen(root, server, { innerPid, uid, socket }, options);
  return converse(socket, command, options);
}

/** A socket that belongs to another user is not the JVM's. */
async function isSocketOf(path: string, uid: number): Promise<boolean> {
  const found = await lstat(path).catch(nullIfClosed);
  return found !== null && found.isSocket() && found.uid === uid;
}

interface Attaching {
  readonly innerPid: number;
  readonly uid: number;
  readonly socket: string;
}

/** An attempt that fails makes the JVM print its threads to the console, so it is seldom repeated. */
const unansweredAt = new Map<string, number>();
const askAgainAfterMs = 60 * minuteMs;

/** On SIGQUIT, a JVM that finds this file opens its socket; otherwise it prints its threads. */
async function makeListen(
  root: MachineRoot,
  server: ServerProcess,
  { innerPid, uid, socket }: Attaching,
  { signal }: AttachOptions,
): Promise<void> {
  const key = `${server.pid} ${server.startTicks}`;
  const since = performance.now() - (unansweredAt.get(key) ?? Number.NEGATIVE_INFINITY);
  if (since < askAgainAfterMs) throw new Error(noAnswer);
  const name = `.attach_pid${innerPid}`;
  const file =
    (await tryCreate(procPath(root, server.pid, "cwd", name), uid)) ??
    (await tryCreate(procPath(root, server.pid, "root", "tmp", name), uid));
  if (file === null)
    throw new Error("The JVM takes no commands: neither its folder nor its /tmp is writable.");
  try {
    unansweredAt.set(key, performance.now());
    process.kill(server.pid, "SIGQUIT");
    const until = performance.now() + listenWithinMs;
    while (!(await isSocketOf(socket, uid))) {
      if (signal.aborted || performance.now() > until) throw new Error(noAnswer);
      await delay(lookAgainMs);
    }
    unansweredAt.delete(key);
  } finally {
    await rm(file, { force: true });
  }
}

/** Null if no file can be made here, so that another folder is tried; an existing file is not ours. */
const nullIfRefused = (error: unknown): null =>
  ["EROFS", "EEXIST", "ELOOP"].includes(failureCode(error) ?? "") ? null : nullIfClosed(error);

/** The JVM trusts only a file of its own user. */
async function tryCreate(path: string, uid: number): Promise<string | null> {
  const file = await open(path, "wx", 0o600).catch(nullIfRefused);
  if (file === null) return null;
  await file.close();
  if (uid !== process.geteuid?.()) await chown(path, uid, -1);
  return path;
}

function converse(
  path: string,
  command: DiagnosticCommand,
  { signal, most }: AttachOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const parts: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      reject(new Error(`The JVM did not finish the diagnostic command ${command} in time.`));
      socket.destroy();
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.on("data", (part) => {
      parts.push(part);
      length += part.length;
      if (length >= most) socket.destroy();
    });
    socket.on("error", () => reject(new Error("The JVM's attach socket cannot be used.")));
    socket.on("close", () => {
      signal.removeEventListener("abort", stop);
      const answer = Buffer.concat(parts).toString("utf8", 0, most);
      const lineEnd = answer.indexOf("\n");
      if (answer.slice(0, Math.max(lineEnd, 0)).trim() === "0") resolve(answer.slice(lineEnd + 1));
      else if (lineEnd < 0) reject(new Error("The JVM ended its answer early."));
      else reject(new RefusedCommand(`The JVM refused the diagnostic command ${command}.`));
    });
    const filled = ["jcmd", command, ...Array.from({ length: argumentCount - 1 }, () => "")];
    socket.write([protocol, ...filled, ""].join("\0"));
    if (signal.aborted) stop();
  });
}
