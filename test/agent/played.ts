import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Monitor } from "../../src/agent/monitor.ts";
import type { Monitored } from "../../src/agent/monitored.ts";
import type { ServerProcess } from "../../src/agent/install/server-install.ts";
import { Queue, type QueueLimits } from "../../src/agent/send/queue.ts";
import type { Steady } from "../../src/agent/send/steady.ts";
import type { Reading, Source } from "../../src/agent/sources/source.ts";
import { softwareFolder } from "../../src/agent/software/software-folder.ts";
import { AgentState } from "../../src/agent/state/state.ts";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { handClock, type HandClock } from "../support/clock.ts";
import type { Json } from "../support/payload.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type LinkedServer,
  type TestService,
} from "../support/service.ts";
import { installWith } from "./install.ts";
import { startWire, type Wire } from "./wire.ts";

/** A source whose reading stands in a file as JSON; it fails while there is none. */
export const fileSource = (path: string, name: string): Source => ({
  name,
  check: async () => [],
  read: async () => JSON.parse(readFileSync(path, "utf8")) as Reading,
  close: async () => {},
});

/** An agent beside a game server that is played, a service, and one clock for both. */
export interface Played {
  readonly service: TestService;
  readonly server: LinkedServer;
  readonly clock: HandClock;
  readonly wire: Wire;
  readonly state: AgentState;
  readonly lines: string[];
  /** What the figures' source and the watched one read; null: they cannot be read. */
  figures(reading: Reading | null): void;
  watched(reading: Reading | null): void;
  /** The process that is to be seen. */
  process(pid: number | null): void;
  /** The agent that runs; another one once it was killed. */
  agent(): Monitor;
  /** So many seconds pass, with a tick in each. */
  pass(seconds: number): Promise<void>;
  /** The agent is gone without a word, and another one starts on its folder. */
  restart(limits?: QueueLimits): Promise<void>;
  status(): Promise<Json>;
  series(): Promise<{ readonly points: number; readonly gaps: unknown[] }>;
  events(): Promise<Json[]>;
  close(): Promise<void>;
}

const iso = (at: number): string => new Date(at).toISOString();

const alive: Reading = { measured: { tps: 20, mspt: 12.5, player_count: 3 } };

type Parts = Partial<Monitored>;
type Made = Pick<Monitored, "client" | "clock" | "elapsed" | "tell"> & { readonly directory: string };

/** `parts` stand in place of the usual ones; a function gets those that they may be made of. */
export async function play(parts: Parts | ((made: Made) => Parts) = {}): Promise<Played> {
  const clock = handClock();
  const from = clock.now();
  const service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("enterprise");
  const token = await service.token(owner);
  const server = await service.server(owner);
  const wire = await startWire(service.port);
  const folder = mkdtempSync(join(tmpdir(), "tickmark-played-"));
  const state = new AgentState(folder);
  await state.prepare();
  const lines: string[] = [];
  const files = { figures: join(folder, "figures.json"), watched: join(folder, "watched.json") };
  const write = (path: string, reading: Reading | null): void =>
    reading === null ? rmSync(path, { force: true }) : writeFileSync(path, JSON.stringify(reading));
  write(files.figures, alive);
  write(files.watched, {});
  let process: ServerProcess | null = null;
  let queue: Queue | null = null;
  const tell = (line: string): void => void lines.push(line);
  const steady = (): Steady => ({ boot: "played", up: clock.now() - from });
  const begin = async (limits?: QueueLimits): Promise<Monitor> => {
    queue = await Queue.open(state.queueFolder, { limits, steady, tell });
    const client = pluginClient(wire.url, server.credential, { gzip: true });
    const made = { client, clock: clock.now, elapsed: clock.now, tell, directory: folder };
    return new Monitor({
      install: { findProcess: async () => process },
      sources: [fileSource(files.figures, "figures")],
      watched: [fileSource(files.watched, "log")],
      software: softwareFolder(installWith({ directory: folder })),
      client,
      queue,
      version: "tickmark-agent 0",
      pause: {
        isOn: () => state.isPaused(),
        isAnnounced: async () => (await state.pause())?.announced ?? false,
        announced: () => state.keepPause(clock.now(), true),
      },
      collect: async () => null,
      console: null,
      lagCapture: null,
      clock: clock.now,
      elapsed: clock.now,
      steady,
      tell,
      everyMs: null,
      ...(typeof parts === "function" ? parts(made) : parts),
    });
  };
  let agent = await begin();
  const get = async (path: string) =>
    service.request("GET", `/api/v1/servers/${server.id}${path}`, { token });
  return {
    service,
    server,
    clock,
    wire,
    state,
    lines,
    figures: (reading) => write(files.figures, reading),
    watched: (reading) => write(files.watched, reading),
    process: (pid) => {
      process = pid === null ? null : { pid, startTicks: pid, java: false, arguments: [] };
    },
    agent: () => agent,
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        await agent.tick();
        await agent.settled();
        clock.advance(1000);
      }
    },
    restart: async (limits) => {
      await queue?.close();
      agent = await begin(limits);
    },
    status: async () => (await get("/status")).json,
    series: async () => {
      const { json } = await get(`/metrics?from=${iso(from)}&to=${iso(clock.now())}&fields=tps`);
      return { points: Number(json["points_total"]), gaps: json["gaps"] as unknown[] };
    },
    events: async () => rowsOf(await get("/events?limit=100")),
    close: async () => {
      await queue?.close();
      await wire.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
