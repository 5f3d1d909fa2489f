import { request } from "node:http";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import { parsedJson } from "../../core/parsed-json.ts";
import { procPath, readOrNull, type MachineRoot } from "../../linux/proc.ts";

/** How a container ended, as Docker counts it. */
export interface ContainerEnd {
  /** 128 and the signal's number where a signal ended it. */
  readonly exitCode: number;
  readonly forMemory: boolean;
}

/** The last part of a container's control group. */
const named = /^(?:[a-z-]{1,20}-)?([0-9a-f]{64})(?:\.scope)?$/;
const answerMs = 1500;
const largestAnswer = 1024 * 1024;

/** The id of the container around a process; null for none. */
export async function containerOf(root: MachineRoot, pid: number): Promise<string | null> {
  const groups = await readOrNull(procPath(root, pid, "cgroup"));
  for (const line of (groups ?? "").split("\n")) {
    const id = named.exec(line.slice(line.lastIndexOf("/") + 1))?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

/** Null while the container runs, and where Docker may not be asked or does not answer. */
export async function containerEnd(root: MachineRoot, id: string): Promise<ContainerEnd | null> {
  const socketPath = join(root, "var/run/docker.sock");
  if (!(await stat(socketPath).catch(nullIfClosed))?.isSocket()) return null;
  const answer = parsedJson(await textFrom(socketPath, `/containers/${id}/json`));
  const state = member(answer, "State");
  const exitCode = member(state, "ExitCode");
  if (member(state, "Running") !== false || typeof exitCode !== "number") return null;
  return { exitCode, forMemory: member(state, "OOMKilled") === true };
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Empty where nothing readable is answered: a supervisor that cannot be asked is no witness. */
const textFrom = (socketPath: string, path: string): Promise<string> =>
  new Promise((resolve) => {
    const none = (): void => resolve("");
    const asked = request({ socketPath, path, timeout: answerMs, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      let length = 0;
      answer.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length > largestAnswer) asked.destroy();
        else pieces.push(piece);
      });
      answer.on("end", () =>
        resolve(answer.statusCode === 200 ? Buffer.concat(pieces).toString("utf8") : ""),
      );
      answer.on("error", none);
      answer.on("close", none);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", none);
    asked.end();
  });
