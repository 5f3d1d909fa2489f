import { once } from "node:events";
import { realpathSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { findProcess, stillRuns } from "../../src/agent/process/find-process.ts";
import { findServer } from "../../src/agent/install/find-server.ts";
import { parseListening } from "../../src/agent/process/listening.ts";
import { metricValue } from "../../src/agent/install/metrics-url.ts";
import { installFindings } from "../../src/agent/install/install-findings.ts";
import { anyText, machineTree, put, socketLine, statLine, statusText, type Link } from "./machine-tree.ts";

const folder = (files: Readonly<Record<string, string>> = {}): string => realpathSync(machineTree(files));

/** A machine on which these processes run. */
function machine(
  processes: readonly {
    readonly pid: number;
    readonly name?: string;
    readonly uid?: number;
    readonly cwd?: string;
    readonly socket?: number;
    readonly state?: string;
    readonly line?: readonly string[];
  }[],
  sockets: string,
): string {
  const files: Record<string, string | Link> = { "proc/net/tcp": `  sl  local_address\n${sockets}` };
  for (const { pid, name = "java", uid = process.geteuid?.() ?? 0, cwd, socket, state, line } of processes) {
    files[`proc/${pid}/stat`] = statLine(pid, {
      name,
      startTicks: pid,
      ...(state !== undefined && { state }),
    });
    files[`proc/${pid}/status`] = statusText(pid, { uid });
    files[`proc/${pid}/cmdline`] = (line ?? [name, "-jar", "server.jar"]).join("\0");
    if (cwd !== undefined) files[`proc/${pid}/cwd`] = { to: cwd };
    if (socket !== undefined) files[`proc/${pid}/fd/7`] = { to: `socket:[${socket}]` };
  }
  return machineTree(files);
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A real process in `cwd` that listens on a port it prints, as another user where `uid` says so. */
async function listeningChild(
  cwd: string,
  uid = process.getuid?.() ?? 0,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const script = `process.setuid(${uid});
    const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ["-e", script], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [text] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return { child, port: Number(String(text).trim()) };
}

describe("the server's process", () => {
  it("[OUR-AGH-03] is the one that listens on its port, on this machine", async () => {
    const directory = folder();
    const { child, port } = await listeningChild(directory);
    const found = await findProcess("/", { port, directory });
    expect(found).toMatchObject({ pid: child.pid, java: false });
    expect(found?.arguments[1]).toBe("-e");
    expect(found && (await stillRuns("/", found))).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(found && (await stillRuns("/", found))).toBe(false);
    expect(await findProcess("/", { port, directory })).toBe(null);
  });

  it("[OUR-AGH-03] is not the proxy that holds the port for a container, but the JVM in the folder", async () => {
    const directory = folder();
    const root = machine(
      [
        { pid: 10, name: "docker-proxy", cwd: folder(), socket: 900 },
        { pid: 11, cwd: folder() },
        { pid: 12, cwd: directory },
      ],
      socketLine(25_565, 900),
    );
    expect(await findProcess(root, { port: 25_565, directory })).toMatchObject({ pid: 12, java: true });
  });

  it("[OUR-AGH-03] is none of another folder, no zombie, and no one that merely talks to the port", async () => {
    const directory = folder();
    const other = { pid: 11, cwd: folder(), socket: 900 };
    expect(await findProcess(machine([other], socketLine(25_565, 900)), { port: 25_565, directory })).toBe(
      null,
    );
    const dead = { pid: 12, cwd: directory, state: "Z" };
    expect(await findProcess(machine([dead], ""), { port: 25_565, directory })).toBe(null);
    const client = { pid: 13, name: "bot", cwd: directory, socket: 901 };
    const sockets = socketLine(25_565, 901, { state: "01" });
    expect(await findProcess(machine([client], sockets), { port: 25_565, directory })).toBe(null);
  });

  it("[OUR-AGH-03] of another user is the only JVM of the user whose socket it is", async () => {
    const directory = folder();
    const sockets = socketLine(25_565, 900, { uid: 1234 });
    const hidden = { uid: 1234 };
    const one = machine(
      [
        { pid: 20, ...hidden },
        { pid: 21, uid: 99 },
      ],
      sockets,
    );
    expect(await findProcess(one, { port: 25_565, directory })).toMatchObject({ pid: 20 });
    const two = machine(
      [
        { pid: 20, ...hidden },
        { pid: 22, ...hidden },
      ],
      sockets,
    );
    expect(await findProcess(two, { port: 25_565, directory })).toBe(null);
  });

  it("[OUR-AGH-03] is not guessed when this user may see nothing of it", async () => {
    if (process.geteuid?.() !== 0) {
      console.warn("*** SKIPPED: only root can give up its rights for a while ***");
      return;
    }
    const directory = folder();
    // A user with no JVM, whatever other tests run meanwhile.
    const { port } = await listeningChild(directory, 54_321);
    process.seteuid?.(65_534);
    try {
      expect(await findProcess("/", { port, directory })).toBe(null);
    } finally {
      process.seteuid?.(0);
    }
  });

  it("[OUR-AGH-04] is looked for again when its number belongs to another process", async () => {
    const directory = folder({ "server.properties": "server-port=25565" });
    const root = machine([{ pid: 30, cwd: directory, line: ["java", "old"] }], "");
    const install = await findServer({ directory, root });
    expect(await install.findProcess()).toMatchObject({ pid: 30, startTicks: 30 });
    put(root, "proc/30/stat", statLine(30, { startTicks: 999 }));
    put(root, "proc/30/cmdline", "java\0new");
    expect(await install.findProcess()).toMatchObject({ startTicks: 999, arguments: ["java", "new"] });
  });
});

describe("the server's folder", () => {
  const settings = { "server.properties": "server-port=25570\nenable-rcon=true\nrcon.password=hunter2" };

  it("[OUR-AGH-01] is the given folder, or the working directory", async () => {
    const directory = folder(settings);
    expect(await findServer({ directory })).toMatchObject({
      directory,
      port: 25_570,
      rcon: { port: 25_575, password: "hunter2" },
      log: join(directory, "logs", "latest.log"),
    });
    expect((await findServer({ from: directory, root: machine([], "") })).directory).toBe(directory);
    await expect(findServer({ directory: join(directory, "none") })).rejects.toThrow("does not exist");
  });

  it("[OUR-AGH-01] is that of the process on the port, on this machine", async () => {
    const directory = folder(settings);
    const { port } = await listeningChild(directory);
    const found = await findServer({ from: folder(), port });
    expect(found).toMatchObject({ directory, port });
  });

  it("[OUR-AGH-01] is that of the only JVM with settings; several are named, and none is chosen", async () => {
    const [one, two] = [folder(settings), folder(settings)];
    const from = folder();
    const root = machine(
      [
        { pid: 5, cwd: one },
        { pid: 6, cwd: folder() },
      ],
      "",
    );
    expect((await findServer({ from, root })).directory).toBe(one);
    const both = machine(
      [
        { pid: 5, cwd: one },
        { pid: 6, cwd: two },
      ],
      "",
    );
    await expect(findServer({ from, root: both })).rejects.toThrow([one, two].sort().join(", "));
    await expect(findServer({ from, root: machine([], "") })).rejects.toThrow("--directory");
  });

  it("[OUR-AGH-01] of a server in a container is not guessed", async () => {
    const root = machine([{ pid: 5 }], "");
    // A link of /proc gives the name it has in there, which here belongs to nothing.
    put(root, "data/server.properties", "");
    put(root, "proc/5/cwd", { to: "../../data" });
    await expect(findServer({ from: folder(), root })).rejects.toThrow("in a container");
  });

  it.each([
    ["plugins/PrometheusExporter/config.yml", "host: localhost\nport: 9941 # of this server\n", 9941],
    [
      "plugins/UnifiedMetrics/driver/prometheus.yml",
      "mode: HTTP\nhttp:\n  host: 0.0.0.0\n  port: 9101\n",
      9101,
    ],
    ["plugins/UnifiedMetrics/driver/prometheus.yml", "mode: HTTP\n", 9100],
  ])("finds the exporter of %s", async (file, text, port) => {
    const install = await findServer({ directory: folder({ ...settings, [file]: text }) });
    expect(install.metricsUrl).toBe(`http://127.0.0.1:${port}/metrics`);
  });
});

describe("what was found", () => {
  it("[OUR-AGH-15] lists missing sources with how to switch them on, and without the password", async () => {
    const able = async (files: Readonly<Record<string, string>>) => {
      const findings = await installFindings(await findServer({ directory: folder(files) }));
      expect(JSON.stringify(findings)).not.toContain("hunter2");
      return Object.fromEntries(findings.map(({ about, able, says }) => [about, able || says]));
    };
    expect(
      await able({
        "server.properties": "enable-rcon=true\nrcon.password=hunter2",
        "logs/latest.log": "",
        "plugins/PrometheusExporter/config.yml": "",
      }),
    ).toEqual({ "server.properties": true, RCON: true, "latest.log": true, Prometheus: true });
    const nothing = await able({});
    expect(nothing["server.properties"]).toContain("There is none");
    expect(nothing["RCON"]).toContain("enable-rcon=true");
    expect(nothing["latest.log"]).toContain("--log");
    expect(nothing["Prometheus"]).toContain("--metrics-url");
    expect((await able({ "server.properties": "enable-rcon=true" }))["RCON"]).toContain("rcon.password");
  });
});

describe("texts of the kernel", () => {
  it("[OUR-AGH-16] are read whatever they hold", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        parseListening(text);
        parseListening(`0: 00000000:${text} 0 0A 0 0 0 0 0 ${text}`);
        metricValue(text, "port");
      }),
    );
  });
});
