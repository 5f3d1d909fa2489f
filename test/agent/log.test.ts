import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logSource } from "../../src/agent/sources/log.ts";
import { FollowedFile } from "../../src/agent/files/followed-file.ts";
import type { Source } from "../../src/agent/sources/source.ts";
import { installWith } from "./install.ts";
import { patienceMs } from "../support/patience.ts";

let folder = "";
let log = "";
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-"));
  log = join(folder, "latest.log");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

const signal = () => AbortSignal.timeout(patienceMs);
const read = (source: Source) => source.read(Date.now(), signal());

function sourceOf(path = log): Source {
  const source = logSource(installWith({ log: path }));
  closing.push(() => source.close());
  return source;
}

const levelOf = (message: string): string =>
  message.startsWith("Can't keep up!") ? "WARN" : message.includes("crash report") ? "ERROR" : "INFO";

/** Appends lines as a server does, at a time: what the stamp says is when the file is written. */
function write(at: string, ...messages: string[]): void {
  const when = new Date(at);
  const clock = when.toISOString().slice(11, 19);
  const lines = messages.map((message) => `[${clock}] [Server thread/${levelOf(message)}]: ${message}\n`);
  appendFileSync(log, lines.join(""));
  utimesSync(log, when, when);
}

const started = ["Starting minecraft server version 1.21.4", 'Done (2.500s)! For help, type "help"'];

describe("the tail of a log", () => {
  function tailed() {
    const file = new FollowedFile(16 * 1024 * 1024);
    closing.push(() => file.close());
    const lines: string[] = [];
    return { lines, read: () => file.read(log, (line) => lines.push(line), signal()) };
  }

  it("[OUR-AGG-28] nothing is lost or reported twice: absent, half written, truncated, rotated, deleted", async () => {
    const { lines, read } = tailed();
    expect(await read()).toMatchObject({ writtenAt: null });
    writeFileSync(log, "one\ntw");
    expect(await read()).toMatchObject({ isPast: false });
    expect(lines).toEqual(["one"]);
    appendFileSync(log, "o\r\nthree\n");
    await read();
    expect(lines.splice(0)).toEqual(["one", "two", "three"]);
    // Emptied in place.
    truncateSync(log);
    appendFileSync(log, "four\n");
    expect((await read()).isAnew).toBe(true);
    expect(lines.splice(0)).toEqual(["four"]);
    // Renamed, with a last line that came after the last look, and begun anew.
    appendFileSync(log, "five\n");
    renameSync(log, `${log}.1`);
    writeFileSync(log, "six\n");
    expect((await read()).isAnew).toBe(true);
    expect(lines.splice(0)).toEqual(["five", "six"]);
    unlinkSync(log);
    await read();
    writeFileSync(log, "seven\n");
    await read();
    await read();
    expect(lines).toEqual(["seven"]);
  });

  it("[OUR-AGG-28] bytes that are no UTF-8, lines without end, and a folder in its place", async () => {
    const { lines, read } = tailed();
    writeFileSync(log, Buffer.concat([Buffer.of(0xff, 0xc3), Buffer.from("ä"), Buffer.of(10)]));
    await read();
    expect(lines.splice(0)).toEqual(["\ufffd\ufffdä"]);
    for (let part = 0; part < 40; part += 1) {
      appendFileSync(log, "x".repeat(50_000));
      await read();
    }
    appendFileSync(log, "\nnext\n");
    await read();
    expect(lines.length).toBe(2);
    expect(lines[0]?.length).toBeLessThanOrEqual(64 * 1024);
    expect(lines[1]).toBe("next");
    const other = new FollowedFile(1024);
    expect(await other.read(folder, () => undefined, signal())).toMatchObject({ writtenAt: null });
  });

  it("[OUR-AGG-28] a long log is read from where it matters, in whole lines", async () => {
    const { lines, read } = tailed();
    const line = `${"y".repeat(99)}\n`;
    writeFileSync(log, line.repeat(200_000));
    expect(await read()).toMatchObject({ isPast: true });
    expect(lines.length * 100).toBeGreaterThan(16 * 1024 * 1024 - 200);
    expect(lines.length * 100).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(new Set(lines).size).toBe(1);
  });
});

describe("what the log tells", () => {
  it("[OUR-AGG-29] a log that is there already is the past: its last start is found, its events are no news", async () => {
    write("2026-11-20T08:00:00Z", ...started);
    write(
      "2026-11-20T08:30:00Z",
      "Banned Griefer42: x-ray",
      "Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind",
    );
    write("2026-11-20T09:00:00Z", "Stopping the server");
    write("2026-11-20T09:05:00Z", ...started);
    const source = sourceOf();
    const first = await read(source);
    expect(first).toMatchObject({
      measured: {},
      bootedAt: Date.parse("2026-11-20T09:05:00Z"),
      announced: { what: "started", at: Date.parse("2026-11-20T09:05:00Z") },
    });
    // Nothing new was written: no event, and the server still runs.
    const next = await read(source);
    expect(next).toMatchObject({ measured: {}, bootedAt: first.bootedAt });
    expect([first.events, next.events, next.announced]).toEqual([undefined, undefined, undefined]);
    expect((await source.check(signal()))[0]).toMatchObject({ able: true, about: "latest.log" });
  });

  it("[OUR-AGG-29] start, lost time, ban, stop, as they are written", async () => {
    const source = sourceOf();
    await read(source);
    write("2026-11-20T23:59:50Z", ...started);
    const start = await read(source);
    expect(start.announced).toEqual({ what: "started", at: Date.parse("2026-11-20T23:59:50Z") });
    expect(start.events).toMatchObject([
      {
        type: "server_start",
        category: "lifecycle",
        source: "tickmark-agent",
        duration_ms: 2500,
        timestamp: "2026-11-20T23:59:50.000Z",
      },
    ]);
    write(
      "2026-11-20T23:59:59Z",
      "Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind",
    );
    write(
      "2026-11-21T00:00:14Z",
      "Can't keep up! Is the server overloaded? Running 2412ms or 48 ticks behind",
    );
    const lag = await read(source);
    expect(lag.measured).toEqual({ lag_seconds: 7 });
    // One entry for a bad stretch, not one every few seconds.
    expect(lag.events).toMatchObject([
      {
        type: "lag_spike",
        timestamp: "2026-11-20T23:59:59.000Z",
        metadata: { behind_ms: 4588, ticks_behind: 91 },
      },
    ]);
    expect((await read(source)).measured).toEqual({});
    write(
      "2026-11-21T00:10:00Z",
      "[Anna: Banned Griefer42: x-ray]",
      "Griefer42 lost connection: You are banned from this server",
    );
    expect((await read(source)).events).toMatchObject([
      {
        type: "ban",
        category: "moderation",
        title: "Griefer42 was banned",
        description: "x-ray",
        metadata: { player: "Griefer42", by: "Anna" },
      },
    ]);
    write("2026-11-21T00:20:00Z", "Stopping the server", "Stopping server");
    const stop = await read(source);
    expect(stop.announced).toEqual({ what: "stopping", at: Date.parse("2026-11-21T00:20:00Z") });
    expect(stop.events).toMatchObject([{ type: "server_stop", metadata: { uptime_seconds: 1210 } }]);
    expect(stop.bootedAt).toBeUndefined();
  });

  it("[OUR-AGG-30] the same line read twice is the same event; two alike in one second are two", async () => {
    const twice = ["Kicked Alex: spam", "Kicked Alex: spam"];
    const source = sourceOf();
    await read(source);
    write("2026-11-20T10:00:00Z", ...twice);
    const first = await read(source);
    const ids = first.events?.map(({ local_id }) => local_id) ?? [];
    expect(new Set(ids).size).toBe(2);
    // The file was saved anew, as an editor does it.
    unlinkSync(log);
    write("2026-11-20T10:00:00Z", ...twice);
    expect((await read(source)).events?.map(({ local_id }) => local_id)).toEqual(ids);
  });

  it("[OUR-AGG-31] paused because empty, since when, and until somebody comes", async () => {
    write("2026-11-20T10:00:00Z", ...started);
    const source = sourceOf();
    expect((await read(source)).measured).toEqual({});
    write("2026-11-20T10:05:00Z", "Server empty for 60 seconds, pausing");
    const paused = await read(source);
    expect(paused).toMatchObject({
      measured: { paused_empty: true },
      pausedSince: Date.parse("2026-11-20T10:05:00Z"),
      events: [{ type: "server_paused", title: "Paused: no player has been online for 60 seconds" }],
    });
    expect((await read(source)).pausedSince).toBe(paused.pausedSince);
    write(
      "2026-11-20T10:30:00Z",
      "Alex[/203.0.113.7:51234] logged in with entity id 171 at (0.5, 64.0, 0.5)",
      "Alex joined the game",
    );
    const resumed = await read(source);
    expect(resumed.measured).toEqual({ paused_empty: false });
    expect(JSON.stringify(resumed)).not.toMatch(/Alex|203\.0/);
  });

  it("[OUR-AGG-25] a crash is reported, and is no announced stop", async () => {
    write("2026-11-20T10:00:00Z", ...started);
    const source = sourceOf();
    await read(source);
    write(
      "2026-11-20T10:05:00Z",
      "This crash report has been saved to: /home/anna/crash-reports/crash-1-server.txt",
      "Stopping server",
    );
    const crash = await read(source);
    expect(crash.announced).toBeUndefined();
    expect(crash.bootedAt).toBeUndefined();
    expect(crash.events).toMatchObject([
      { type: "server_crash", severity: "error", metadata: { crash_report: "crash-1-server.txt" } },
    ]);
    expect(JSON.stringify(crash)).not.toContain("anna");
    write("2026-11-20T10:06:00Z", ...started);
    expect((await read(source)).announced?.what).toBe("started");
  });

  it("[OUR-AGG-29] without a log", async () => {
    const source = sourceOf(join(folder, "nothing", "latest.log"));
    const { settle: _settle, ...reading } = await read(source);
    expect(reading).toEqual({ measured: {} });
    expect((await source.check(signal()))[0]).toMatchObject({ able: false, about: "latest.log" });
  });
});
