import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { findServer } from "../../../src/agent/install/find-server.ts";
import { jvmSource } from "../../../src/agent/sources/jvm.ts";
import { logSource } from "../../../src/agent/sources/log.ts";
import type { LogMemory } from "../../../src/agent/state/log-memory.ts";
import type { EventBody } from "../../../src/outbound/plugin-client.ts";
import { startServer, type LogForm } from "./ending-server.ts";
import { wrongIn, type Way } from "./ways.ts";

export interface EndRun {
  readonly way: Way;
  readonly form: LogForm;
  readonly isAway: boolean;
  readonly jdk: string;
  readonly classes: string;
  /** The time between two looks, ms; the agent looks every second. */
  readonly everyMs: number;
}

export interface EndResult {
  /** Null if it was told right; else what is wrong. */
  readonly wrong: string | null;
  /** From the end of the process, or the return of the agent, s. */
  readonly seconds: number | null;
  readonly told: readonly string[];
}

const patienceMs = 16_000;
/** Nothing more is told so many looks after an end. */
const settledLooks = 6;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** An agent's log source with its memory, which may go away and return. */
function agentOn(folder: string, port: number) {
  let memory: LogMemory | null = null;
  const memories = { load: async () => memory, keep: async (kept: LogMemory) => void (memory = kept) };
  let source: ReturnType<typeof logSource> | null = null;
  const events: { readonly event: EventBody; readonly at: number }[] = [];
  return {
    events,
    begin: async () => {
      source = logSource(await findServer({ directory: folder, port }), { memories });
    },
    /** The agent asks the JVM with every sample, which makes the JVM open its socket. */
    askJvm: async () => {
      const jvm = jvmSource(await findServer({ directory: folder, port }));
      await jvm.read(Date.now(), AbortSignal.timeout(10_000));
      await jvm.close();
    },
    look: async () => {
      const reading = await source?.read(Date.now(), AbortSignal.timeout(10_000));
      for (const event of reading?.events ?? []) events.push({ event, at: performance.now() });
      await reading?.settle?.();
      return reading;
    },
    keeps: () => memory?.process?.ended ?? null,
    leave: async () => {
      await source?.close();
      source = null;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const groupRoot = "/sys/fs/cgroup/memory";

/** Null where no group of a few MB can be made here. */
export function smallGroup(): string | null {
  if (process.geteuid?.() !== 0 || !existsSync(groupRoot)) return null;
  const path = join(groupRoot, `tickmark-ends-${process.pid}-${Math.round(performance.now())}`);
  try {
    mkdirSync(path);
    writeFileSync(join(path, "memory.limit_in_bytes"), String(100 * 1024 * 1024));
    return path;
  } catch (error) {
    console.warn(`No control group can be made here: ${String(error)}`);
    return null;
  }
}

/** Lets a real server end in this way, and says what an agent told of it. */
export async function endRun({ way, form, isAway, jdk, classes, everyMs }: EndRun): Promise<EndResult> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-end-")));
  const port = await freePort();
  writeFileSync(join(folder, "server.properties"), `server-port=${port}\n`);
  const group = way.group ? smallGroup() : null;
  const agent = agentOn(folder, port);
  const children: ChildProcess[] = [];
  const begin = async (fails?: string): Promise<ChildProcess> => {
    const child = await startServer({
      jdk,
      classes,
      folder,
      port,
      form,
      ...(way.options && fails !== "second" && { options: way.options }),
      ...(fails !== undefined && { fails }),
      ...(group !== null && { group }),
    });
    children.push(child);
    return child;
  };
  try {
    const child = await begin(way.fails);
    await agent.begin();
    await agent.askJvm();
    // Until the server is known as an agent knows it.
    const known = (): boolean =>
      agent.keeps() !== null && (way.fails !== undefined || agent.keeps()?.was_up === true);
    for (let left = 40; left > 0 && !known(); left -= 1) {
      await agent.look();
      await rest(everyMs);
    }
    if (isAway) await agent.leave();
    if (way.second) await once(await begin("second"), "exit");
    if (way.second && !isAway)
      for (let looks = 0; looks < 4; looks += 1) {
        await agent.look();
        await rest(everyMs);
      }
    if (way.fails === undefined) way.end?.(child);
    else child.stdin?.write("now\n");
    if (isAway) {
      if (!hasEnded(child)) await once(child, "exit");
      await agent.begin();
    }
    let from: number | null = isAway ? performance.now() : null;
    for (const until = performance.now() + patienceMs; performance.now() < until;) {
      await agent.look();
      if (hasEnded(child)) from ??= performance.now();
      if (from !== null && performance.now() - from > settledLooks * everyMs) break;
      await rest(everyMs);
    }
    return resultOf({ way, form, isAway }, agent.events, from);
  } finally {
    await agent.leave();
    for (const one of children) one.kill("SIGKILL");
    await Promise.all(children.map((one) => (hasEnded(one) ? null : once(one, "exit"))));
    if (group !== null) rmdirSync(group);
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(
  { way, form, isAway }: Pick<EndRun, "way" | "form" | "isAway">,
  events: readonly { readonly event: EventBody; readonly at: number }[],
  from: number | null,
): EndResult {
  const all = events.map(({ event }) => event);
  const isSecondTold = way.second === true && form === "known";
  // Where both processes are gone, the second start is one that failed like any other.
  const told = all.filter(({ type }) => !(isAway && isSecondTold && type === "server_start_failed"));
  const wrong = wrongIn(told, way.told(form), isSecondTold && !isAway);
  const last = events.findLast(({ event }) => event.type !== "server_start");
  return {
    wrong,
    seconds: last && from !== null ? Math.max(0, (last.at - from) / 1000) : null,
    told: all.map(({ type, title }) => `${type}: ${title}${isAway ? " (away)" : ""}`),
  };
}
