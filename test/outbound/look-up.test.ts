import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { lookUp } from "../../src/outbound/reach.ts";
import { ownMsOf } from "../support/own-time.ts";
import { patienceMs } from "../support/patience.ts";

const types = { A: 1, AAAA: 28 };
let server: Socket | null = null;
afterEach(() => void server?.close());

/** A name server of one zone: per type the raw addresses it answers with, or null for no answer at all. */
async function nameServer(zone: { A: Buffer[]; AAAA: Buffer[] | null }): Promise<string> {
  const socket = createSocket("udp4");
  server = socket;
  socket.on("message", (query, from) => {
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    const found = type === types.A ? zone.A : zone.AAAA;
    if (found === null) return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const records = found.map((address) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]), address]),
    );
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return `127.0.0.1:${socket.address().port}`;
}

const short = Buffer.from([93, 184, 215, 14]);
const inner = Buffer.from([127, 0, 0, 1]);
const long = Buffer.from([...Buffer.alloc(15), 1]);

describe("looking up a webhook's name", () => {
  it("[OUR-DLV-05] finds every address of both kinds", async () => {
    const resolve = lookUp([await nameServer({ A: [short, inner], AAAA: [long] })]);
    const found = await resolve("hooks.test.example", AbortSignal.timeout(patienceMs));
    expect([...found].toSorted()).toEqual(["127.0.0.1", "93.184.215.14", "::1"]);
  });

  it("[OUR-DLV-05] finds none where there is none, and those of one kind where the other has none", async () => {
    const none = lookUp([await nameServer({ A: [], AAAA: [] })]);
    expect(await none("hooks.test.example", AbortSignal.timeout(patienceMs))).toEqual([]);
    server?.close();
    const one = lookUp([await nameServer({ A: [short], AAAA: [] })]);
    expect(await one("hooks.test.example", AbortSignal.timeout(patienceMs))).toEqual(["93.184.215.14"]);
  });

  it("[OUR-DLV-08] ends with the exchange it is for", async () => {
    const silent = lookUp([await nameServer({ A: [short], AAAA: null })]);
    const ms = await ownMsOf(() => silent("hooks.test.example", AbortSignal.timeout(200)));
    expect(ms).toBeLessThan(2_000);
    await expect(silent("hooks.test.example", AbortSignal.abort())).rejects.toThrow("abort");
  });
});
