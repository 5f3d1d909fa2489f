import { javaServer, type ServerKind } from "../../src/agent/install/server-kind.ts";
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { readStat } from "../../src/linux/proc.ts";
import type { ServerProcess } from "../../src/agent/install/server-install.ts";
import { until } from "../support/service-process.ts";

const run = promisify(execFile);

/** Holds some memory, makes as much garbage as it reads from its input, and waits in between, so that its figures stand still. */
const source = `
import java.io.*;
import java.util.*;
public class Heap {
  static final List<byte[]> kept = new ArrayList<>();
  static volatile Object sink;
  static long cpuMs() {
    return ProcessHandle.current().info().totalCpuDuration().get().toMillis();
  }
  public static void main(String[] args) throws IOException {
    for (int i = 0; i < 200; i++) kept.add(new byte[100 * 1024]);
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("ready");
    for (String line; (line = input.readLine()) != null; System.out.println("done")) {
      if (line.equals("gc")) { System.gc(); continue; }
      if (line.equals("cpu")) { System.out.println(cpuMs()); continue; }
      for (int i = Integer.parseInt(line) * 100; i > 0; i--) sink = new byte[10 * 1024];
    }
  }
}
`;

/** The tools of the JDK in a folder, or of the one on the path. */
const tool = (name: string, jdk?: string): string => (jdk === undefined ? name : join(jdk, "bin", name));

/** A folder with the compiled program, or null where there is no JDK: then the tests are skipped, and this says so. */
export function compiledProgram(): string | null {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-jvm-")));
  writeFileSync(join(folder, "Heap.java"), source);
  try {
    execFileSync("javac", ["Heap.java"], { cwd: folder, stdio: "ignore" });
    for (const tool of ["java", "jcmd", "jstat"]) execFileSync("which", [tool], { stdio: "ignore" });
    return folder;
  } catch {
    console.warn(
      "*** SKIPPED: no JDK (java, javac, jcmd, jstat) on this machine: no real JVM is looked at ***",
    );
    return null;
  }
}

export interface TestJvm {
  readonly child: ChildProcess;
  readonly server: ServerProcess;
  readonly install: {
    readonly gcLog: null;
    readonly kind: ServerKind;
    findProcess(): Promise<ServerProcess>;
  };
  /** A number makes so many MB of garbage, \`gc\` collects; resolves when it stands still again. */
  tell(what: string): Promise<void>;
  /** CPU time that it says it used, ms. */
  usedCpuMs(): Promise<number>;
}

/** `group`: a file that takes the number of a process into a control group. */
export async function startJvm(
  folder: string,
  options: readonly string[],
  { jdk, group }: { readonly jdk?: string; readonly group?: string } = {},
): Promise<TestJvm> {
  const argumentList = ["-Xmx128m", "-Xms128m", "-Xshare:auto", ...options, "-cp", folder, "Heap"];
  const java = tool("java", jdk);
  const enter = group === undefined ? "" : `echo $$ > '${group}' && `;
  const child = spawn("sh", ["-c", `${enter}exec "$@"`, "sh", java, ...argumentList], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const until = async (word: string): Promise<void> => {
    for (let line = await lines.next(); line.value !== word; line = await lines.next()) {
      if (line.done) throw new Error("The JVM ended.");
    }
  };
  await until("ready");
  const pid = child.pid ?? 0;
  const { startTicks } = (await readStat("/", pid)) ?? { startTicks: 0 };
  const server = { pid, startTicks, java: true, arguments: ["java", ...argumentList] };
  return {
    child,
    server,
    install: { gcLog: null, kind: javaServer, findProcess: async () => server },
    tell: async (what) => {
      child.stdin.write(`${what}\n`);
      await until("done");
    },
    usedCpuMs: async () => {
      child.stdin.write("cpu\n");
      const { value } = await lines.next();
      await until("done");
      return Number(value);
    },
  };
}

/** The figures of `jstat -gc PID` by the heads of its columns: KB, and seconds. */
export async function jstat(pid: number, jdk?: string): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await run(tool("jstat", jdk), ["-J-XX:+UseSerialGC", "-gc", String(pid)]);
  const [heads = [], values = []] = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return new Map(heads.map((head, index) => [head, Number(values[index])]));
}

export async function jcmd(pid: number, command: string, jdk?: string): Promise<string> {
  return (await run(tool("jcmd", jdk), ["-J-XX:+UseSerialGC", String(pid), command])).stdout;
}

/** Stops every thread of a process; the signal alone is sent before the last of them has stopped. */
export async function stopThreads(child: ChildProcess): Promise<void> {
  child.kill("SIGSTOP");
  const tasks = `/proc/${child.pid}/task`;
  const hasStopped = (thread: string): boolean =>
    /^State:\tT/m.test(readFileSync(join(tasks, thread, "status"), "utf8"));
  await until("every thread stops", () => readdirSync(tasks).every(hasStopped));
}
