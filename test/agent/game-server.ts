import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** What of a game server is not its console: a JVM that listens on the server's port, and fills some of its heap. */
const javaSource = `
import java.net.*;
public class Game {
  static final byte[][] kept = new byte[256][];
  public static void main(String[] args) throws Exception {
    ServerSocket listening = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress());
    for (int i = 0; i < kept.length; i++) kept[i] = new byte[64 * 1024];
    System.out.println(listening.getLocalPort());
    while (true) listening.accept().close();
  }
}
`;

/** The same without a JVM. */
const nodeSource = `
const server = require("node:net").createServer((socket) => socket.destroy());
server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log(server.address().port));
`;

export interface GameServer {
  readonly folder: string;
  readonly port: number;
  /** Whether it is a JVM; said aloud where it is none. */
  readonly java: boolean;
  /** With a heap of this size where it starts anew and is a JVM, MB; 64 where none is given. */
  start(heapMb?: number): Promise<ChildProcess>;
  log(line: string): void;
  /** Puts a copy of a file there that was finished a minute ago. */
  keep(file: string, path: string): void;
  /** Writes server.properties with this console, switched on or off. */
  configure(rconPort: number, password: string, isOn?: boolean): void;
  close(): void;
}

/** A folder and a process as a game server has them. \`start\` may be called again after the process ended. */
export async function gameServer(): Promise<GameServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-game-")));
  mkdirSync(join(folder, "logs"));
  writeFileSync(join(folder, "Game.java"), javaSource);
  writeFileSync(join(folder, "game.cjs"), nodeSource);
  const java = compiles(folder);
  let child: ChildProcess | null = null;
  const begin = async (port: number, heapMb = 64): Promise<number> => {
    const heap = [`-Xmx${heapMb}m`, `-Xms${heapMb}m`];
    const command = java
      ? ["java", ...heap, "-XX:+UseSerialGC", "-cp", folder, "Game", String(port)]
      : [process.execPath, join(folder, "game.cjs"), String(port)];
    child = spawn(command[0] ?? "", command.slice(1), { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    if (!child.stdout) throw new Error("No output.");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return Number(line);
  };
  const port = await begin(0);
  return {
    folder,
    port,
    java,
    start: async (heapMb) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) await begin(port, heapMb);
      if (child === null) throw new Error("It did not start.");
      return child;
    },
    log: (line) => {
      const time = new Date().toTimeString().slice(0, 8);
      appendFileSync(join(folder, "logs", "latest.log"), `[${time}] [Server thread/INFO]: ${line}\n`);
    },
    keep: (file, path) => {
      const to = join(folder, path);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(file, to);
      const minuteAgo = Date.now() / 1000 - 60;
      utimesSync(to, minuteAgo, minuteAgo);
    },
    configure: (rconPort, password, isOn = true) => {
      writeFileSync(
        join(folder, "server.properties"),
        `server-ip=127.0.0.1\nserver-port=${port}\nenable-rcon=${isOn}\nrcon.port=${rconPort}\nrcon.password=${password}\n`,
      );
    },
    close: () => {
      child?.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function compiles(folder: string): boolean {
  try {
    execFileSync("javac", ["Game.java"], { cwd: folder, stdio: "ignore" });
    return true;
  } catch {
    console.warn("*** SKIPPED: no JDK on this machine: the game server has no JVM to look into ***");
    return false;
  }
}
