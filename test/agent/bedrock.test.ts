import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { checkSources } from "../../src/agent/install/check.ts";
import { findServer } from "../../src/agent/install/find-server.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import { sourcesOf } from "../../src/agent/sources/open-sources.ts";
import { readUnconnectedPong } from "../../src/agent/sources/raknet-packets.ts";
import { raknetPingSource } from "../../src/agent/sources/raknet-ping.ts";
import { readServerSoftware } from "../../src/agent/software/server-software.ts";
import { patienceMs } from "../support/patience.ts";
import { randomCases } from "../support/long.ts";
import { bedrockServer, listedText, type BedrockServer } from "./bedrock-server.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function running(lost = 0): Promise<BedrockServer> {
  const server = await bedrockServer(lost);
  closing.push(() => server.close());
  return server;
}

const find = ({ folder }: BedrockServer) => findServer({ directory: folder });
const signal = () => AbortSignal.timeout(patienceMs);

describe("a Bedrock server", () => {
  it("[OUR-AGT-293] tells its server list edition, version, players and name, also if a packet is lost", async () => {
    const server = await running(1);
    server.list(listedText(7));
    const install = await find(server);
    expect(install).toMatchObject({ port: server.port, rcon: null });
    const source = raknetPingSource(install);
    expect(await source.read(Date.now(), signal())).toEqual({ measured: { player_count: 7 } });
    const [finding] = await source.check(signal());
    expect(finding).toEqual({
      able: true,
      about: "server list ping",
      says: `Answers on UDP port ${server.port}: Bedrock Edition 1.21.80, 7 of 10 players, named "Home of Ada". It names port 19132 and 19133 too.`,
    });
    // As PocketMine: no level, no ports.
    server.list("MCPE;x;800;1.21.80;3;20");
    expect(await source.read(Date.now(), signal())).toEqual({ measured: { player_count: 3 } });
    server.list("MCPE;x;800;1.21.80;;20;");
    expect(await source.read(Date.now(), signal())).toEqual({});
    const child = await server.start();
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect(source.read(Date.now(), signal())).rejects.toThrow("No server answers on UDP port");
  });

  it("[OUR-AGT-294] is found by its folder and its socket; what only Java servers have is not measured", async () => {
    const server = await running();
    const install = await find(server);
    const child = await server.start();
    expect(await install.findProcess()).toMatchObject({ pid: child.pid, java: false });
    // Without any settings, the socket shows the edition.
    const elsewhere = mkdtempSync(join(tmpdir(), "tickmark-bare-"));
    expect((await findServer({ directory: elsewhere, port: server.port })).kind.edition).toBe("bedrock");
    const { findings, alive } = await checkSources(install, sourcesOf(install), Date.now());
    expect(alive).toBe(true);
    const says = Object.fromEntries(findings.map((one) => [one.about, one.says]));
    expect(says["RCON"]).toBe(
      "Bedrock Dedicated Server has no RCON, so TPS and tick times are not measured.",
    );
    expect(says["JVM"]).toContain("is no Java program");
    expect(says["Dedicated_Server.log"]).toContain("tee -a Dedicated_Server.log");
    expect(JSON.stringify(findings)).not.toMatch(/enable-rcon|enable-status/);
  });

  it("[OUR-AGT-295] its log tells start, stop, a taken port and its version; a killed one is an end", async () => {
    const server = await running();
    const install = await find(server);
    const source = logSource(install);
    closing.push(() => void source.close());
    const told: string[] = [];
    const look = async (): Promise<void> => {
      const { events = [] } = await source.read(Date.now(), signal());
      told.push(...events.map(({ type, title }) => `${type}: ${title}`));
    };
    server.log("Starting Server");
    await look();
    server.log("Version: 1.21.80.3");
    server.log("Server started.");
    server.log("Player connected: Ada Byron, xuid: 2535");
    server.log("Player Spawned: Server stop requested. xuid: 2535, pfid: 1");
    await look();
    expect(told).toEqual(["server_start: Server started"]);
    expect(await readServerSoftware(install, [])).toMatchObject({ version: "1.21.80.3" });
    server.log("Server stop requested.");
    server.log("Stopping server...");
    await look();
    expect(told.slice(1)).toEqual(["server_stop: Server stopped"]);
    server.log("Version: 1.21.80.3");
    server.log("Server started.");
    await look();
    const child = await server.start();
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(async () => (await look(), told.length), { timeout: patienceMs }).toBeGreaterThan(3);
    expect(told.slice(2)).toEqual(["server_start: Server started", expect.stringMatching(/^server_crash: /)]);
  });

  it("[OUR-AGT-293] no packet of a stranger is a server's answer, or more than a missing figure", () => {
    const time = 4711n;
    const packet = (text: Buffer): Buffer => {
      const head = Buffer.alloc(35);
      head[0] = 0x1c;
      head.writeBigUInt64BE(time, 1);
      Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex").copy(head, 17);
      head.writeUInt16BE(text.length, 33);
      return Buffer.concat([head, text]);
    };
    expect(readUnconnectedPong(packet(Buffer.from(listedText(2))), time)).toMatchObject({ online: 2 });
    expect(readUnconnectedPong(packet(Buffer.from(listedText(2))), 4712n)).toBe(null);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(bytes);
        const found = readUnconnectedPong(packet(Buffer.concat([Buffer.from("MCPE;"), text])), time);
        expect(found?.online ?? 0).toBeGreaterThanOrEqual(0);
        expect(found?.name ?? "").not.toMatch(/\p{Cc}/u);
        readUnconnectedPong(text, time);
      }),
      { numRuns: randomCases(300) },
    );
  });
});

describe("other servers with settings of their own", () => {
  const folderWith = (files: Readonly<Record<string, string>>): string => {
    const folder = mkdtempSync(join(tmpdir(), "tickmark-kind-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it.each([
    [
      "Cuberite",
      { "settings.ini": "[Server]\nPorts=25566\n[RCON]\nEnabled=1\nPassword=a=b\nPorts=25576,1\n" },
      { port: 25_566, rcon: { port: 25_576, password: "a=b" } },
    ],
    ["Cuberite", { "settings.ini": "[Server]\r\nPorts=25566\r\n[RCON]\r\nEnabled=0\r\n" }, { rcon: null }],
    [
      "Geyser",
      { "config.yml": "# port: 1\nbedrock:\n  address: 0.0.0.0\n  port: 19140\nremote:\n  port: 25565\n" },
      { port: 19_140 },
    ],
    ["PocketMine-MP", { "server.properties": "server-port=19150\n", "pocketmine.yml": "" }, { port: 19_150 }],
    [
      "Nukkit",
      { "server.properties": "enable-rcon=on\nenable-rcon=true\nrcon.password=x\n", "nukkit.yml": "" },
      { port: 19_132, rcon: { port: 25_575, password: "x" } },
    ],
    ["Bedrock Dedicated Server", { "server.properties": "server-portv6=19133\n" }, { port: 19_132 }],
  ])("[OUR-AGT-296] %s is known by its files", async (name, files, settings) => {
    const install = await findServer({ directory: folderWith(files) });
    expect(install.kind.name).toBe(name);
    expect(install).toMatchObject(settings);
    const here = await findServer({ from: install.directory });
    expect(here.directory).toBe(install.directory);
  });

  it("[OUR-AGT-295] [OUR-AGT-296] lines of PocketMine, of Geyser alone and of a server whose port is taken are told", async () => {
    const { logReader } = await import("../../src/agent/sources/log-reader.ts");
    const factsOf = (lines: readonly string[]): string[] => {
      const reader = logReader();
      for (const line of lines) reader.take(line);
      return reader.found(Date.now(), Date.now()).map(({ fact }) => fact.is);
    };
    const pocketMine = (text: string): string => `2026-11-20 [12:00:00.123] [Server thread/INFO]: ${text}`;
    expect(
      factsOf([
        pocketMine("Starting Minecraft: Bedrock Edition server version v1.21.80"),
        pocketMine('Done (1.234s)! For help, type "help" or "?"'),
        pocketMine("<Ada> Stopping the server"),
        pocketMine("Stopping the server"),
      ]),
    ).toEqual(["starting", "ready", "stopping"]);
    const geyser = (text: string): string => `[12:00:00 INFO] ${text}`;
    expect(
      factsOf([
        geyser("Loading Geyser version 2.7.0-SNAPSHOT (git-master-1a2b3c4)"),
        geyser("Done (2.345s)! Run /geyser help for help!"),
        geyser("Shutting down Geyser."),
      ]),
    ).toEqual(["starting", "ready", "stopping"]);
    const dedicated = (text: string): string => `NO LOG FILE! - [2026-11-20 12:00:00:123 ${text}`;
    const taken = dedicated("ERROR] Network port occupied, can't start server.");
    expect(factsOf([dedicated("INFO] Version: 1.21.80.3"), taken, "Quit correctly"])).toEqual([
      "starting",
      "failed",
    ]);
    // The plugin on a game server is a part of that.
    expect(factsOf(["[12:00:00] [Server thread/INFO]: Shutting down Geyser."])).toEqual([]);
  });
});
