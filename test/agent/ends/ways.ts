import type { ChildProcess } from "node:child_process";
import type { EventBody } from "../../../src/outbound/plugin-client.ts";
import type { LogForm } from "./ending-server.ts";

/** One way in which a server ends, and what is to be told of it. */
export interface Way {
  readonly name: string;
  readonly options?: readonly string[];
  /** The start fails so; all others run first. */
  readonly fails?: string;
  readonly second?: true;
  /** In a control group with little memory. */
  readonly group?: true;
  end?(child: ChildProcess): void;
  /** What has to be among the events; for a log that does not tell, and for one that does. */
  readonly told: (form: LogForm) => Expected;
}

export interface Expected {
  readonly type: string;
  readonly reason?: string;
  readonly words?: RegExp;
}

const say =
  (word: string) =>
  (child: ChildProcess): void =>
    void child.stdin?.write(`${word}\n`);
const send =
  (signal: NodeJS.Signals) =>
  (child: ChildProcess): void =>
    void child.kill(signal);

const stops = (form: LogForm): Expected =>
  form === "known" ? { type: "server_stop" } : { type: "server_stop", reason: "process_ended" };
const always = (expected: Expected) => (): Expected => expected;
const failsWith =
  (words: RegExp) =>
  (form: LogForm): Expected => ({ type: "server_start_failed", ...(form === "known" && { words }) });

export const ways: readonly Way[] = [
  { name: "stop by command", end: say("stop"), told: stops },
  { name: "stop by signal", end: send("SIGTERM"), told: stops },
  { name: "stop by a panel (SIGINT)", end: send("SIGINT"), told: stops },
  {
    name: "crash",
    end: say("crash"),
    told: (form) => ({
      type: "server_crash",
      words: form === "known" ? /no such block/ : /Exception in server tick loop/,
    }),
  },
  {
    name: "watchdog",
    end: say("watchdog"),
    told: (form) => ({
      type: "server_crash",
      words: form === "known" ? /one tick took too long/ : /Watching Server/,
    }),
  },
  {
    name: "OutOfMemoryError, no exit flag",
    options: ["-XX:+HeapDumpOnOutOfMemoryError"],
    end: say("memory"),
    told: (form) =>
      form === "known"
        ? { type: "server_crash", words: /OutOfMemoryError/ }
        : { type: "server_crash", reason: "out_of_memory" },
  },
  {
    name: "OutOfMemoryError, exit flag",
    options: ["-XX:+ExitOnOutOfMemoryError"],
    end: say("memory"),
    told: always({ type: "server_crash", reason: "out_of_memory" }),
  },
  {
    name: "OutOfMemoryError, exit flag and heap dump",
    options: [
      "-XX:+ExitOnOutOfMemoryError",
      "-XX:+HeapDumpOnOutOfMemoryError",
      "-XX:HeapDumpPath=dumps.hprof",
    ],
    end: say("memory"),
    told: always({ type: "server_crash", reason: "out_of_memory" }),
  },
  {
    name: "the kernel's memory kill",
    options: ["-Xmx512m", "-Xms16m"],
    group: true,
    end: say("memory"),
    told: always({ type: "server_crash", reason: "killed", words: /kernel/ }),
  },
  { name: "kill -9", end: send("SIGKILL"), told: always({ type: "server_crash", reason: "killed" }) },
  {
    name: "segmentation fault",
    end: send("SIGSEGV"),
    told: always({ type: "server_crash", reason: "jvm_crashed", words: /SIGSEGV/ }),
  },
  { name: "failed start: port", fails: "port", told: failsWith(/its port is taken/) },
  { name: "failed start: address", fails: "address", told: failsWith(/server-ip/) },
  { name: "failed start: world", fails: "world", told: failsWith(/session\.lock/) },
  { name: "failed start: EULA", fails: "eula", told: failsWith(/EULA/) },
  {
    name: "failed start: mods",
    fails: "mods",
    told: failsWith(/friendlybeasts requires any version of fabric/),
  },
  { name: "failed start: newer world", fails: "newer", told: failsWith(/newer version/) },
  { name: "second start beside it, then stop", second: true, end: say("stop"), told: stops },
];

const factOf = (event: EventBody, name: string): unknown =>
  (event.metadata as Readonly<Record<string, unknown>> | null | undefined)?.[name];

const lifecycle = new Set(["server_stop", "server_crash", "server_start_failed", "restart"]);

/** Null if exactly that was told; else what is wrong. */
export function wrongIn(
  events: readonly EventBody[],
  expected: Expected,
  isSecondTold: boolean,
): string | null {
  const told = events.filter(({ type }) => lifecycle.has(type));
  const second = told.filter((event) => factOf(event, "second_start") === true);
  const ends = told.filter((event) => !second.includes(event));
  const line = (event: EventBody): string => `${event.type} (${event.title})`;
  if (ends.length !== 1) return ends.length === 0 ? "nothing told" : ends.map(line).join(", ");
  const [end] = ends;
  if (!end || end.type !== expected.type) return end ? line(end) : "nothing told";
  if (expected.reason !== undefined && factOf(end, "reason") !== expected.reason) return line(end);
  if (expected.words && !expected.words.test(end.title)) return line(end);
  return second.length === (isSecondTold ? 1 : 0) ? null : `${second.length} second starts`;
}
