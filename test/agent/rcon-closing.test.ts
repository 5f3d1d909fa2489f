import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pingSource } from "../../src/agent/sources/ping.ts";
import { rconSource } from "../../src/agent/sources/rcon.ts";
import { SourceReader } from "../../src/agent/sources/read-source.ts";
import { findServer } from "../../src/agent/install/find-server.ts";
import { freePort } from "../support/free-port.ts";
import { patienceMs } from "../support/patience.ts";
import { closingConsole, type ClosingConsole, type ClosingConsoleOptions } from "./closing-console.ts";
import { installWith } from "./install.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const long = `There are 3 of a max of 20 players online: ${"Alex, ".repeat(400)}`;
const answer = (command: string): string => (command === "list" ? long : "Unknown command, type 'help'.");

/** The clock of the waits stands still but for what a test adds, and the server may become another process. */
async function asked(options: ClosingConsoleOptions) {
  const server: ClosingConsole = await closingConsole(answer, options);
  const at = { ms: 0, pid: 1 };
  const install = installWith({
    rcon: { port: server.port, password: "secret" },
    port: server.port,
    findProcess: async () => ({ pid: at.pid, startTicks: 1, java: false, arguments: [] }),
  });
  const source = rconSource(install, () => at.ms);
  closing.push(
    () => source.close(),
    () => server.close(),
  );
  return {
    server,
    source,
    install,
    at,
    read: () => source.read(Date.now(), AbortSignal.timeout(patienceMs)),
  };
}

describe("a remote console that closes on what it does not know", () => {
  it("[OUR-AGT-290] confirms each command first, as Cuberite: it never gets the mark of an end", async () => {
    const { server, source, read } = await asked({ confirms: true });
    const reading = await read();
    expect(reading.measured).toEqual({ player_count: 3 });
    // The empty packet comes from its network; only the answer shows a tick.
    expect(reading.lastTickAgeMs).toBeGreaterThanOrEqual(45);
    expect((await read()).measured).toEqual({ player_count: 3 });
    expect(server.types).not.toContain(0);
    expect(server.connections()).toBe(1);
    expect(await source.check(AbortSignal.timeout(patienceMs))).toMatchObject([{ able: true }]);
  });

  it("[OUR-AGT-290] closes on the mark: the answer counts, and the mark is sent once for all time", async () => {
    const { server, read } = await asked({});
    expect((await read()).measured).toEqual({ player_count: 3 });
    expect((await read()).measured).toEqual({ player_count: 3 });
    expect(server.types.filter((type) => type === 0)).toHaveLength(1);
    expect(server.connections()).toBe(2);
  });

  it("[OUR-AGT-290] a console that opens before its commands are loaded is asked for them again", async () => {
    let isLoaded = false;
    const server = await closingConsole((command) => (isLoaded ? answer(command) : ""), {
      confirms: true,
      tickMs: 1,
    });
    const source = rconSource(installWith({ rcon: { port: server.port, password: "secret" } }));
    closing.push(
      () => source.close(),
      () => server.close(),
    );
    const read = () => source.read(Date.now(), AbortSignal.timeout(patienceMs));
    expect((await read()).measured).toEqual({});
    isLoaded = true;
    expect((await read()).measured).toEqual({ player_count: 3 });
    expect(server.connections()).toBe(1);
  });

  it("[OUR-AGT-290] Cuberite is not asked before it listens for players", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tickmark-early-"));
    const port = await freePort();
    const server = await closingConsole(answer, { confirms: true });
    writeFileSync(
      join(folder, "settings.ini"),
      `[Server]\nPorts=${port}\n[RCON]\nEnabled=1\nPassword=secret\nPorts=${server.port}\n`,
    );
    const source = rconSource(await findServer({ directory: folder }));
    closing.push(
      () => source.close(),
      () => server.close(),
    );
    const read = () => source.read(Date.now(), AbortSignal.timeout(patienceMs));
    for (let turn = 0; turn < 4; turn += 1) await expect(read()).rejects.toThrow("not take players yet");
    expect(server.connections()).toBe(0);
    const game = createServer().listen(port, "127.0.0.1");
    closing.push(async () => void game.close());
    await once(game, "listening");
    expect((await read()).measured).toEqual({ player_count: 3 });
  });

  it("[OUR-AGT-291] after three equal failures it is asked every five minutes, which is told once", async () => {
    const { server, source, at } = await asked({ refusesCommands: true });
    const told: string[] = [];
    const reader = new SourceReader([source], (line) => told.push(line));
    for (let turn = 0; turn < 10; turn += 1) await reader.read(Date.now());
    expect(server.connections()).toBe(3);
    at.ms += 5 * 60_000;
    for (let turn = 0; turn < 3; turn += 1) await reader.read(Date.now());
    expect(server.connections()).toBe(4);
    expect(told).toEqual([
      "RCON: cannot be read (RCON closed the connection.).",
      "RCON: fails in the same way again and again, so it is tried every five minutes.",
    ]);
    // A server that was started again is another one.
    at.pid = 2;
    await reader.read(Date.now());
    expect(server.connections()).toBe(5);
  });

  it("[OUR-AGT-291] a ping that is refused three times in the same way waits too; a closed port does not", async () => {
    const { server, install, at } = await asked({ refusesCommands: true });
    const source = pingSource(install, () => at.ms);
    const read = () => source.read(Date.now(), AbortSignal.timeout(patienceMs));
    for (let turn = 0; turn < 6; turn += 1) await expect(read()).rejects.toThrow();
    // Each ping tries both forms of the request.
    expect(server.connections()).toBe(6);
    await server.close();
    at.ms += 5 * 60_000;
    for (let turn = 0; turn < 6; turn += 1) await expect(read()).rejects.toThrow("No server answers");
  });
});
