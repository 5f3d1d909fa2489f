import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { AgentState } from "../../src/agent/state/state.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import type { Reading } from "../../src/agent/sources/source.ts";
import { installWith } from "./install.ts";
import { isLong } from "../support/long.ts";
import { anyCharacter } from "../support/any-character.ts";
import { patienceMs } from "../support/patience.ts";

const zone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = "UTC"));
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

let folder = "";
let log = "";
let state: AgentState;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "log-away-"));
  log = join(folder, "latest.log");
  state = new AgentState(join(folder, "state"));
  await state.prepare();
});
afterEach(() => rmSync(folder, { recursive: true }));

const lineAt = (at: string, message: string): string =>
  `[${at.slice(11, 19)}] [Server thread/INFO]: ${message}\n`;
function write(at: string, ...messages: string[]): void {
  appendFileSync(log, messages.map((message) => lineAt(at, message)).join(""));
  utimesSync(log, new Date(at), new Date(at));
}
/** What log4j does at a start and at midnight; `at` is when, which may be days after the last line. */
function putAside(name: string, at: string): void {
  writeFileSync(join(folder, name), gzipSync(readFileSync(log)));
  utimesSync(join(folder, name), new Date(at), new Date(at));
  rmSync(log);
}

/** An agent that runs for a moment at this time; the number of readings it takes, and the events it read from the log. */
async function agent(at: string, readings = 3): Promise<Reading[]> {
  const memories = { load: () => state.logMemory(), keep: state.keepLogMemory.bind(state) };
  const source = logSource(installWith({ log }), { memories });
  const all: Reading[] = [];
  for (let nth = 0; nth < readings; nth += 1) {
    const reading = await source.read(Date.parse(at) + nth * 1000, AbortSignal.timeout(patienceMs));
    await reading.settle?.();
    all.push(reading);
  }
  await source.close();
  return all;
}
const eventsBy = async (at: string, readings?: number): Promise<string[]> =>
  (await agent(at, readings)).flatMap(({ events = [] }) =>
    events.map(({ timestamp, type }) => `${timestamp} ${type}`),
  );

const started = ["Starting minecraft server version 1.21.4", 'Done (2.500s)! For help, type "help"'];

it("[OUR-AGG-33] events of the time the agent was away are reported on its return, once", async () => {
  write("2026-11-20T08:00:00Z", ...started, "Banned Old: before anybody listened");
  expect(await eventsBy("2026-11-20T08:00:10Z")).toEqual([]);
  write("2026-11-20T09:00:00Z", "Banned Griefer42: x-ray");
  write("2026-11-20T09:30:00Z", "Stopping the server");
  const missed = ["2026-11-20T09:00:00.000Z ban", "2026-11-20T09:30:00.000Z server_stop"];
  expect(await eventsBy("2026-11-20T10:00:00Z")).toEqual(missed);
  expect(await eventsBy("2026-11-20T10:01:00Z")).toEqual([]);
});

it("[OUR-AGG-33] logs that were put aside at midnight and at starts are read on, each with its own days", async () => {
  write("2026-11-17T21:59:00Z", ...started);
  expect(await eventsBy("2026-11-17T22:00:00Z")).toEqual([]);
  write("2026-11-17T23:00:00Z", "Banned One: x-ray");
  // An offset from UTC that whole quarters explain must not be made of when it was packed.
  putAside("2026-11-17-1.log.gz", "2026-11-18T07:15:00Z");
  write("2026-11-18T07:15:05Z", ...started);
  write("2026-11-18T12:00:00Z", "Kicked Two: spam", "Stopping the server");
  putAside("2026-11-18-1.log.gz", "2026-11-18T12:00:01Z");
  write("2026-11-18T20:00:00Z", ...started, "Unbanned One", "Stopping the server");
  putAside("2026-11-18-2.log.gz", "2026-11-20T06:00:00Z");
  write("2026-11-20T06:00:00Z", ...started);
  expect(await eventsBy("2026-11-20T06:30:00Z", 6)).toEqual([
    "2026-11-17T23:00:00.000Z ban",
    "2026-11-17T23:00:00.000Z server_crash",
    "2026-11-18T07:15:05.000Z server_start",
    "2026-11-18T12:00:00.000Z kick",
    "2026-11-18T12:00:00.000Z server_stop",
    "2026-11-18T20:00:00.000Z server_start",
    "2026-11-18T20:00:00.000Z unban",
    "2026-11-18T20:00:00.000Z server_stop",
    "2026-11-20T06:00:00.000Z server_start",
  ]);
  expect(await eventsBy("2026-11-20T06:31:00Z", 6)).toEqual([]);
});

it("[OUR-AGG-33] a log that was renamed, emptied or replaced is noticed", async () => {
  write("2026-11-20T08:00:00Z", ...started);
  await agent("2026-11-20T08:00:10Z");
  write("2026-11-20T08:10:00Z", "Banned One: x-ray");
  renameSync(log, `${log}.1`);
  write("2026-11-20T08:20:00Z", "Banned Two: x-ray");
  expect(await eventsBy("2026-11-20T08:30:00Z", 4)).toEqual([
    "2026-11-20T08:10:00.000Z ban",
    "2026-11-20T08:20:00.000Z ban",
  ]);
  rmSync(`${log}.1`);
  // Emptied in place, and longer than before by now; what it said before the last line that was read is known.
  writeFileSync(log, lineAt("2026-11-20T08:15:00Z", "Banned Known: x-ray"));
  write("2026-11-20T08:40:00Z", ...Array.from({ length: 40 }, (_, nth) => `Banned N${nth}: x-ray`));
  expect(await eventsBy("2026-11-20T08:50:00Z")).toHaveLength(40);
});

it("[OUR-AGG-33] the newest 5,000 events of a week at most are reported, and the number of the others", async () => {
  write("2026-11-01T08:00:00Z", ...started);
  await agent("2026-11-01T08:00:10Z");
  write("2026-11-02T08:00:00Z", "Banned Old: x-ray");
  putAside("2026-11-01-1.log.gz", "2026-11-02T09:00:00Z");
  write("2026-11-19T08:00:00Z", ...Array.from({ length: 6200 }, (_, nth) => `Banned N${nth}: x-ray`));
  const events = (await agent("2026-11-20T08:00:00Z")).flatMap((reading) => reading.events ?? []);
  expect(events).toHaveLength(5001);
  expect(events[0]).toMatchObject({ type: "agent_gap", metadata: { events: 1200 } });
  expect(events.at(-1)?.title).toBe("N6199 was banned");
  expect(events[1]?.title).toBe("N1200 was banned");
});

it("[OUR-AGG-33] what was not safe on disk is read again, and is the same events", async () => {
  write("2026-11-20T08:00:00Z", ...started);
  await agent("2026-11-20T08:00:10Z");
  write("2026-11-20T09:00:00Z", "Banned One: x-ray", "Banned One: x-ray");
  const memories = { load: () => state.logMemory(), keep: async () => {} };
  const ids = async (): Promise<string[]> => {
    const source = logSource(installWith({ log }), { memories });
    const { events = [] } = await source.read(
      Date.parse("2026-11-20T09:10:00Z"),
      AbortSignal.timeout(patienceMs),
    );
    await source.close();
    return events.map(({ local_id }) => local_id);
  };
  const first = await ids();
  expect(new Set(first).size).toBe(2);
  expect(await ids()).toEqual(first);
});

it("[OUR-AGG-34] no file beside the log, and no position that was kept, ends the agent", async () => {
  write("2026-11-20T08:00:00Z", ...started);
  await agent("2026-11-20T08:00:10Z");
  const kept = readFileSync(join(state.folder, "log.json"), "utf8");
  // Hundreds of times as long as its file, and longer than any log of a day.
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 10), { level: 1 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all)),
    fc.uint8Array({ maxLength: 300 }).map((all) => gzipSync(all)),
    fc.string({ unit: anyCharacter, maxLength: 300 }).map((text) => Buffer.from(text)),
    fc.constant(gzipSync('[99:99:99] [Server thread/INFO]: Stopping server\nException in thread "main" x\n')),
  );
  const name = fc.constantFrom(
    "2026-11-20-1.log.gz",
    "2026-11-20-1.log",
    "9999-99-99-999999.log.gz",
    "latest.log.1",
  );
  await fc.assert(
    fc.asyncProperty(name, bytes, bytes, fc.boolean(), async (aside, one, other, isKept) => {
      writeFileSync(join(folder, aside), one);
      writeFileSync(log, other.length > 1000 ? "x" : other);
      writeFileSync(join(state.folder, "log.json"), isKept ? kept : other.subarray(0, 1000));
      for (const { events = [] } of await agent("2026-11-20T09:00:00Z")) {
        for (const { timestamp } of events) expect(Date.parse(timestamp ?? "")).not.toBeNaN();
      }
      rmSync(join(folder, aside));
    }),
    { numRuns: isLong ? 30 : 8, examples: [["2026-11-20-1.log.gz", bomb, Buffer.from("x"), true]] },
  );
});
