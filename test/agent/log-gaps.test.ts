import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logSource } from "../../src/agent/sources/log.ts";
import { folderMark } from "../../src/agent/software/folder-mark.ts";
import { AgentState } from "../../src/agent/state/state.ts";
import type { EventBody } from "../../src/outbound/plugin-client.ts";
import { installWith } from "./install.ts";
import { unprivileged } from "../support/unprivileged.ts";

let folder = "";
let log = "";
let state: AgentState;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "log-gaps-"));
  log = join(folder, "latest.log");
  state = new AgentState(join(folder, "state"));
  await state.prepare();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, at: string, message: string): void => {
  writeFileSync(path, `[${at.slice(11, 19)}] [Server thread/INFO]: ${message}\n`);
  utimesSync(path, new Date(at), new Date(at));
};

/** The events of an agent that runs for a moment at this time. */
async function agent(at: string): Promise<readonly EventBody[]> {
  const memories = { load: () => state.logMemory(), keep: state.keepLogMemory.bind(state) };
  const source = logSource(installWith({ log }), { memories });
  const events: EventBody[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const reading = await source.read(Date.parse(at) + nth * 1000, AbortSignal.timeout(10_000));
    events.push(...(reading.events ?? []));
    await reading.settle?.();
  }
  await source.close();
  return events;
}

it("[OUR-AGT-241] a position that nobody can understand is a gap since then, told once", async () => {
  put(log, "2026-11-20T08:00:00Z", 'Done (2.500s)! For help, type "help"');
  const kept = join(state.folder, "log.json");
  writeFileSync(kept, '{"file":');
  utimesSync(kept, new Date("2026-11-20T07:00:00Z"), new Date("2026-11-20T07:00:00Z"));
  expect(await agent("2026-11-20T08:00:10Z")).toMatchObject([
    {
      type: "agent_gap",
      metadata: { from: "2026-11-20T07:00:00.000Z", to: "2026-11-20T08:00:10.000Z" },
      duration_ms: 3_610_000,
    },
  ]);
  expect(await agent("2026-11-20T08:01:00Z")).toEqual([]);
});

it("[OUR-AGT-241] what is older than a week is a gap with its span, though nobody counts it", async () => {
  put(log, "2026-11-01T08:00:00Z", 'Done (2.500s)! For help, type "help"');
  await agent("2026-11-01T08:00:10Z");
  put(`${log}.1`, "2026-11-05T08:00:00Z", "Banned Old: x-ray");
  rmSync(log);
  put(log, "2026-11-20T08:00:00Z", "Banned New: x-ray");
  expect(await agent("2026-11-20T08:00:10Z")).toMatchObject([
    {
      type: "agent_gap",
      metadata: { events: 0, from: "2026-11-01T08:00:00.000Z", to: "2026-11-20T08:00:00.000Z" },
    },
    { type: "ban" },
  ]);
});

it("[OUR-AGT-241] a log put aside that is too long to read is a gap, and those beyond a hundred are one", async () => {
  put(log, "2026-11-20T08:00:00Z", 'Done (2.500s)! For help, type "help"');
  await agent("2026-11-20T08:00:10Z");
  const long = join(folder, "2026-11-20-1.log");
  writeFileSync(long, Buffer.alloc(65 * 1024 * 1024));
  utimesSync(long, new Date("2026-11-20T09:00:00Z"), new Date("2026-11-20T09:00:00Z"));
  rmSync(log);
  put(log, "2026-11-20T10:00:00Z", "Banned New: x-ray");
  const events = await agent("2026-11-20T10:00:10Z");
  expect(events.map(({ title }) => title)).toEqual([
    "2026-11-20-1.log cannot be read: its events are not known",
    "New was banned",
  ]);
  rmSync(long);
  rmSync(log);
  for (let nth = 1; nth <= 103; nth += 1)
    put(join(folder, `2026-11-21-${nth}.log`), "2026-11-21T09:00:00Z", "Saving the game");
  put(log, "2026-11-21T10:00:00Z", "Banned Next: x-ray");
  expect((await agentUntilRead("2026-11-21T10:00:10Z"))[0]).toMatchObject({
    type: "agent_gap",
    metadata: { events: 0, logs: 3, from: "2026-11-20T10:00:00.000Z" },
  });
});

/** Each reading takes one log that was put aside. */
async function agentUntilRead(at: string): Promise<readonly EventBody[]> {
  const source = logSource(installWith({ log }), {
    memories: { load: () => state.logMemory(), keep: async () => {} },
  });
  let events: readonly EventBody[] = [];
  for (let nth = 0; nth < 200 && events.length === 0; nth += 1)
    events = (await source.read(Date.parse(at), AbortSignal.timeout(10_000))).events ?? [];
  await source.close();
  return events;
}

it.skipIf(process.geteuid?.() !== 0)(
  "[OUR-AGT-242] a folder that is closed is marked as such, and not as an absent one",
  async () => {
    const absent = await folderMark(folder);
    const server = join(folder, "server");
    mkdirSync(server);
    const before = await folderMark(server);
    expect(before).toBe(absent);
    chmodSync(folder, 0o755);
    chmodSync(server, 0);
    await unprivileged(async () => {
      expect(await folderMark(server)).not.toBe(before);
    });
    chmodSync(server, 0o755);
    expect(await folderMark(server)).toBe(before);
  },
);
