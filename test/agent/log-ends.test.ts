import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EndWitness } from "../../src/agent/process/end-witness.ts";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { sharedData } from "../support/shared-data.ts";

const at = (clock: string): number => Date.parse(`2026-11-27T${clock}Z`);

/** The events of a log, and of the end of its process one second after its last line. */
function readWithEnd(text: string, witness: EndWitness | null = null) {
  const lines = text.split("\n");
  const last = lines.findLast((line) => /^\[\d\d:/.test(line)) ?? "";
  const writtenAt = at(last.slice(1, 9));
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(writtenAt, Infinity)) story.take(found);
  story.sawEnd({
    startedAt: null,
    lastSeenAt: writtenAt,
    at: writtenAt + 1000,
    wasUp: true,
    isServer: true,
    witness,
    successorAt: null,
    look: () => Promise.resolve(witness),
  });
  story.settleEnd(writtenAt);
  const { events = [], announced } = story.reading("now");
  return { events, types: events.map(({ type }) => type), announced };
}

const started = `[17:00:00] [ServerMain/INFO]: Starting minecraft server version 1.21.8
[17:00:09] [Server thread/INFO]: Done (9.016s)! For help, type "help"`;
const stops = (...lines: string[]): string =>
  [started, ...lines.map((line) => `[17:30:00] ${line}`)].join("\n");

describe("an orderly end", () => {
  it.each([
    ["Folia by a signal", stops("[Region shutdown thread/INFO]: Stopping server")],
    ["Folia by a command", stops("[Folia Region Scheduler Thread #1/INFO]: Stopping the server")],
    ["a thread that no server had before", stops("[Fork of Folia halting #3/INFO]: Stopping server")],
    ["a handler of signals", stops("[SIGTERM handler/INFO]: Stopping server")],
  ])("[OUR-AGG-201] %s is a stop that is announced", (_, text) => {
    const { types, announced } = readWithEnd(text);
    expect(types).toEqual(["server_start", "server_stop"]);
    expect(announced).toEqual({ what: "stopping", at: at("17:30:00") });
  });

  it.each([
    ["Async Chat Thread - #0"],
    ["Netty Epoll Server IO #1"],
    ["RCON Client /203.0.113.7 #4"],
    ["Craft Scheduler Thread - 7 - VentureChat"],
    ["pool-12-thread-1"],
    ["DiscordSRV - JDA Callback 1"],
    ["Server console handler"],
  ])("[OUR-AGG-201] on the thread %s these words end nothing", (thread) => {
    const { types } = readWithEnd(stops(`[${thread}/INFO]: Stopping server`, "[Server thread/INFO]: Hi"));
    expect(types).toEqual(["server_start", "server_crash"]);
  });

  const closing = stops(
    "[Region shutdown thread/INFO]: [RegionShutdownThread] Saving players",
    "[Region shutdown thread/INFO]: Closing Server",
  );
  it("[OUR-AGG-201] an end right after lines of a shutdown is a stop, whoever said so first", () => {
    const { types, announced, events } = readWithEnd(closing);
    expect(types).toEqual(["server_start", "server_stop"]);
    expect(announced?.what).toBe("stopping");
    expect(events[1]?.timestamp).toBe("2026-11-27T17:30:00.000Z");
  });

  it.each([
    [{ is: "killed", by: "kernel for memory" }],
    [{ is: "killed", by: "signal" }],
    [{ is: "jvm_crashed", what: "SIGSEGV", file: "hs_err_pid7.log" }],
  ] as const)("[OUR-AGG-201] what was seen of the end outweighs them: %j", (witness) => {
    expect(readWithEnd(closing, witness).types).toEqual(["server_start", "server_crash"]);
  });

  it.each([[{ is: "orderly" }], [{ is: "exited", status: 143 }]] as const)(
    "[OUR-AGG-201] an end of this kind is that of the shutdown: %j",
    (witness) => {
      expect(readWithEnd(closing, witness).types).toEqual(["server_start", "server_stop"]);
    },
  );

  it("[OUR-AGG-201] without them the end is unexplained", () => {
    expect(readWithEnd(started).types).toEqual(["server_start", "server_crash"]);
  });
});

describe("a crash with its report", () => {
  const watchdog = [
    started,
    "[17:10:29] [Server Watchdog/FATAL]: A single server tick took 60.00 seconds (should be max 0.05)",
    "[17:10:29] [Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.",
    "[17:10:30] [Server Watchdog/ERROR]: This crash report has been saved to: /srv/mc/./crash-reports/crash-2026-11-27_17.10.29-server.txt",
    "[17:10:30] [Server Shutdown Thread/INFO]: Stopping server",
  ];
  it("[OUR-AGG-202] the watchdog's crash keeps its cause and the name of its report", () => {
    const { events } = readWithEnd(watchdog.join("\n"));
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: "server_crash",
      title: "Server crashed: one tick took too long",
      metadata: { crash_report: "crash-2026-11-27_17.10.29-server.txt" },
    });
  });

  it("[OUR-AGG-202] without a report, and with the threads that it prints, it is a crash all the same", () => {
    const dump = `[17:10:29] [Server Watchdog/ERROR]: ------------------------------`;
    const { events } = readWithEnd([...watchdog.slice(0, 3), dump, watchdog[4]].join("\n"));
    expect(events[1]).toMatchObject({
      type: "server_crash",
      title: "Server crashed: one tick took too long",
    });
    expect(events).toHaveLength(2);
  });

  it("[OUR-AGG-202] a region of Folia that cannot go on is a crash with its exception, and no stop", () => {
    const { events, announced } = readWithEnd(
      [
        started,
        "[17:20:15] [Folia Region Scheduler Thread #0/ERROR]: [io.papermc.paper.threadedregions.TickRegionScheduler] Region #7 centered at chunk [3, -1] in world 'world' failed to tick:",
        "java.lang.IllegalStateException: list is empty",
        "\tat net.example.Thing.tick(Thing.java:10) ~[?:?]",
        "[17:20:15] [Region shutdown thread/INFO]: [RegionShutdownThread] Awaiting scheduler termination for 60s",
        "[17:20:15] [Region shutdown thread/INFO]: Stopping server",
      ].join("\n"),
    );
    expect(events.map(({ title }) => title)).toEqual([
      "Server started in 9 s",
      "Server crashed: java.lang.IllegalStateException: list is empty",
    ]);
    expect(announced?.what).toBe("started");
  });
});

const recorded: readonly (readonly [string, readonly string[]])[] = [
  ["folia-stop.log", ["server_start", "server_stop"]],
  ["folia-stop-by-command.log", ["server_start", "server_stop"]],
  ["folia-region-failed.log", ["server_start", "server_crash"]],
  ["watchdog-report-name.log", ["server_start", "server_crash"]],
];
it.skipIf(sharedData("public/folia-stop.log") === null).each(recorded)(
  "[OUR-AGG-201] [OUR-AGG-202] the recorded log %s ends as its server did",
  (name, types) => {
    const { events, types: found } = readWithEnd(readFileSync(sharedData(`public/${name}`) ?? "", "utf8"));
    expect(found).toEqual(types);
    if (name.startsWith("watchdog"))
      expect(events[1]?.metadata).toEqual({ crash_report: "crash-2026-11-27_17.10.29-server.txt" });
    if (name.includes("failed")) expect(events[1]?.title).toContain("NullPointerException");
  },
);
