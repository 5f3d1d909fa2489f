import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A program that answers a client's server list by UDP, as a Bedrock server does, and nothing else. */
const source = `
const socket = require("node:dgram").createSocket("udp4");
const magic = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");
let lost = Number(process.argv[3] ?? 0);
socket.on("message", (asked, from) => {
  if (asked[0] !== 1 || asked.length !== 33 || !asked.subarray(9, 25).equals(magic)) return;
  if (lost-- > 0) return;
  const text = Buffer.from(require("node:fs").readFileSync("listed.txt"));
  const head = Buffer.alloc(35);
  head[0] = 0x1c;
  asked.copy(head, 1, 1, 9);
  magic.copy(head, 17);
  head.writeUInt16BE(text.length, 33);
  socket.send(Buffer.concat([head, text]), from.port, from.address);
});
socket.bind(Number(process.argv[2]), "127.0.0.1", () => console.log(socket.address().port));
`;

export interface BedrockServer {
  readonly folder: string;
  readonly port: number;
  /** What it tells a server list. */
  list(text: string): void;
  log(line: string): void;
  start(): Promise<ChildProcess>;
  close(): void;
}

export const listedText = (players: number): string =>
  `MCPE;§lHome of Ada;800;1.21.80;${players};10;1234567;Bedrock level;Survival;1;19132;19133;`;

/** A folder and a process as the Bedrock Dedicated Server has them; it does not answer the first `lost` pings. */
export async function bedrockServer(lost = 0): Promise<BedrockServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-bedrock-")));
  writeFileSync(join(folder, "server.cjs"), source);
  const list = (text: string): void => writeFileSync(join(folder, "listed.txt"), text);
  list(listedText(0));
  let child: ChildProcess | null = null;
  const begin = async (port: number): Promise<number> => {
    const stdio = ["ignore", "pipe", "inherit"] as const;
    child = spawn(process.execPath, ["server.cjs", String(port), String(lost)], {
      cwd: folder,
      stdio: [...stdio],
    });
    if (!child.stdout) throw new Error("No output.");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return Number(line);
  };
  const port = await begin(0);
  writeFileSync(
    join(folder, "server.properties"),
    `server-name=Home\nserver-ip=127.0.0.1\nserver-port=${port}\nserver-portv6=19133\n`,
  );
  return {
    folder,
    port,
    list,
    log: (line) => {
      const now = new Date();
      const time = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
      const stamp = `${time.slice(0, 10)} ${time.slice(11, 19)}:${time.slice(20, 23)}`;
      appendFileSync(join(folder, "Dedicated_Server.log"), `[${stamp} INFO] ${line}\n`);
    },
    start: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) await begin(port);
      if (child === null) throw new Error("It did not start.");
      return child;
    },
    close: () => {
      child?.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
