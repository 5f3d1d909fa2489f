import fc from "fast-check";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { longestStatus, readLegacyStatus, readStatus, varInt } from "../../src/agent/sources/ping-packets.ts";
import { pingSource } from "../../src/agent/sources/ping.ts";
import { installWith } from "./install.ts";
import { freePort } from "../support/free-port.ts";
import { serverThatLists } from "../support/listed-server.ts";
import { randomCases } from "../support/long.ts";
import { patienceMs } from "../support/patience.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const read = (port: number, withinMs = patienceMs) => {
  const source = pingSource(installWith({ port }));
  return source.read(Date.now(), AbortSignal.timeout(withinMs));
};

async function listedServer(status: unknown): Promise<{ port: number; handshake: number[] }> {
  const handshake: number[] = [];
  const server = await serverThatLists(status, (read) => handshake.push(...read));
  closing.push(() => server.close());
  return { port: server.port, handshake };
}

async function answering(onData: (socket: Socket, bytes: Buffer) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => onData(socket, bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const status = (players: unknown) => ({
  version: { name: "Paper 1.21.4", protocol: 769 },
  players,
  description: "x",
});

describe("server list ping", () => {
  it("[OUR-AGG-12] [OUR-AGT-292] asks a server of another make, and tells how many are on", async () => {
    const { port, handshake } = await listedServer(
      status({ online: 7, max: 20, sample: [{ name: "Griefer42", id: "x" }] }),
    );
    const reading = await read(port);
    expect(reading).toEqual({ measured: { player_count: 7 } });
    // The handshake it decoded: a protocol that exists, the host's length, the port, and the state that is the status.
    expect(handshake).toEqual([47, "127.0.0.1".length, port, 1]);
  });

  it.each([
    ["no players", {}],
    ["null", status(null)],
    ["text", status({ online: "7" })],
    ["negative", status({ online: -1 })],
    ["absurd", status({ online: 1e300 })],
    ["half a player", status({ online: 2.5 })],
    ["a prototype", JSON.parse('{"__proto__":{"players":{"online":9}}}')],
    ["a list", [1, 2]],
  ])("[OUR-AGG-12] hostile JSON tells nothing: %s", async (_name, given) => {
    const { port } = await listedServer(given);
    expect(await read(port)).toEqual({});
  });

  it("[OUR-AGG-13] a server before 1.7 gets the legacy request, and that form is remembered", async () => {
    const questions: number[] = [];
    const port = await answering((socket, bytes) => {
      questions.push(bytes[0] ?? -1);
      if (bytes[0] !== 0xfe) return void socket.destroy();
      const text = Buffer.from(["§1", "78", "1.6.4", "A server", "4", "20"].join("\0"), "utf16le").swap16();
      const head = Buffer.of(0xff, 0, text.length / 2);
      // Cut in the middle of a character.
      socket.write(Buffer.concat([head, text.subarray(0, 9)]));
      setImmediate(() => socket.end(text.subarray(9)));
    });
    const source = pingSource(installWith({ port }));
    const reading = await source.read(Date.now(), AbortSignal.timeout(patienceMs));
    expect(reading).toEqual({ measured: { player_count: 4 } });
    await source.read(Date.now(), AbortSignal.timeout(patienceMs));
    expect(questions.map((first) => first === 0xfe)).toEqual([false, true, true]);
    const [finding] = await source.check(AbortSignal.timeout(patienceMs));
    expect(finding?.able).toBe(true);
  });

  it("[OUR-AGG-13] the oldest servers part their answer by §", () => {
    const text = Buffer.from("My server§2§10", "utf16le").swap16();
    const answer = Buffer.concat([Buffer.of(0xff, 0, text.length / 2), text]);
    expect(readLegacyStatus(answer)).toEqual({ online: 2, version: null });
  });

  it("[OUR-AGG-14] nobody there, silence, garbage and an endless answer each fail in one line", async () => {
    await expect(read(await freePort())).rejects.toThrow(
      /^No server answers on port \d+ \(ECONNREFUSED\)\.$/,
    );
    await expect(read(await answering(() => undefined), 200)).rejects.toThrow("does not answer");
    const http = await answering((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await expect(read(http)).rejects.toThrow(/not a Minecraft server|closed the connection|too long/);
    const endless = await answering((socket) => {
      socket.write(varInt(longestStatus));
      const more = (): void => {
        if (!socket.destroyed) socket.write(Buffer.alloc(65_536, 1), more);
      };
      more();
    });
    await expect(read(endless)).rejects.toThrow(/too long|not a Minecraft server/);
    const [finding] = await pingSource(installWith({ port: await freePort() })).check(
      AbortSignal.timeout(patienceMs),
    );
    expect(finding?.able).toBe(false);
  });

  it("[OUR-AGG-05] garbage never gets past its reader", () => {
    const json = fc.json().map((text) => {
      const body = Buffer.concat([varInt(0), varInt(Buffer.byteLength(text)), Buffer.from(text)]);
      return Buffer.concat([varInt(body.length), body]);
    });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
      json,
    );
    fc.assert(
      fc.property(bytes, (given) => {
        for (const reader of [readStatus, readLegacyStatus]) {
          try {
            const { online } = reader(given) ?? { online: null };
            expect(online === null || (Number.isInteger(online) && online >= 0)).toBe(true);
          } catch (error) {
            expect((error as Error).message).toBe("The program that answers is not a Minecraft server.");
          }
        }
      }),
      { numRuns: randomCases(1000) },
    );
    const deep = Buffer.from("[".repeat(100_000));
    const body = Buffer.concat([varInt(0), varInt(deep.length), deep]);
    expect(() => readStatus(Buffer.concat([varInt(body.length), body]))).toThrow("not a Minecraft server");
  });
});
