import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { sharedData } from "../support/shared-data.ts";

const folder = sharedData("public");

function eventsOf(lines: readonly string[]) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(Date.UTC(2026, 10, 27, 17), Infinity)) story.take(found);
  return story.reading("now").events ?? [];
}
const fileOf = (name: string) => eventsOf(readFileSync(join(folder ?? "", name), "utf8").split(/\r?\n/));
const line = (message: string, level = "ERROR", thread = "main"): string =>
  `[17:00:00] [${thread}/${level}]: ${message}`;

it.skipIf(!folder).each([
  [
    "start-failed-fabric-mods.log",
    "mods do not fit together: friendlybeasts requires any version of fabric, which is missing",
  ],
  ["start-failed-world-in-use.log", "another server has its world open (session.lock)"],
  ["bind-no-such-address.log", "the address to listen on (server-ip) is none of this machine"],
  ["proxy-cannot-listen-bungee.log", "its port is taken"],
])("[OUR-AGT-237] [OUR-AGT-239] %s", (name, why) => {
  expect(fileOf(name).filter(({ type }) => type !== "server_start")).toMatchObject([
    { type: "server_start_failed", title: `Server could not start: ${why}` },
  ]);
});

it.skipIf(!folder).each([
  ["oom-network-thread.log", "Out of memory: Java heap space"],
  ["oom-plugin-scheduler.log", "Out of memory: unable to create native thread"],
])("[OUR-AGT-238] %s", (name, title) => {
  expect(fileOf(name)).toMatchObject([{ type: "server_start" }, { type: "out_of_memory", title }]);
});

it("[OUR-AGT-238] a player's words about memory are no error of the JVM", () => {
  const done = line('Done (9.0s)! For help, type "help"', "INFO", "Server thread");
  for (const entry of [
    [
      line("<Eve> java.lang.OutOfMemoryError: Java heap space", "INFO", "Server thread"),
      "\tat a.B.c(D.java:1)",
    ],
    [line("<Eve> look", "INFO", "Server thread"), "java.lang.OutOfMemoryError: Java heap space", "and so on"],
    [line("An exception 'java.lang.OutOfMemoryError: x'", "INFO", "Netty Server IO #1")],
    [
      line(
        "Eve: An exception 'java.lang.OutOfMemoryError: x' [enable DEBUG level",
        "WARN",
        "Netty Server IO #1",
      ),
    ],
  ])
    expect(eventsOf([done, ...entry]).map(({ type }) => type)).toEqual(["server_start"]);
});

it("[OUR-AGT-237] [OUR-AGG-202] a failed start that prints its report is one event with its name, and none of the report's lines", () => {
  const events = eventsOf([
    line("Failed to start the minecraft server"),
    "java.lang.IllegalStateException: broken",
    "---- Minecraft Crash Report ----",
    "// Oops.",
    "Description: Exception in server tick loop",
    "-- Head --",
    "Thread: Server thread",
    line("This crash report has been saved to: /srv/mc/crash-reports/crash-2026-11-20_12.00.00-server.txt"),
  ]);
  expect(events).toHaveLength(1);
  const [event] = events;
  expect(event?.type).toBe("server_start_failed");
  expect(event?.metadata).toEqual({ crash_report: "crash-2026-11-20_12.00.00-server.txt" });
  expect(event?.description).toContain("java.lang.IllegalStateException: broken");
  expect(event?.description).not.toContain("Head");
});

it("[OUR-AGT-237] the lines behind a failed start are its description, without folders, frames and addresses", () => {
  const [event] = eventsOf([
    line("Failed to start the minecraft server"),
    `java.lang.IllegalStateException: ${"m".repeat(700)} in /home/alex/server/world/level.dat from 203.0.113.7`,
    "\tat net.minecraft.server.Main.main(Main.java:1)",
    "Caused by: java.io.IOException: broken",
  ]);
  expect(event?.title).toContain("an error while starting: java.lang.IllegalStateException: mmm");
  expect(event?.description).toContain("in level.dat from [address]");
  expect(event?.description).toContain("Caused by: java.io.IOException: broken");
  expect(event?.description).not.toMatch(/alex|203\.0|Main\.java/);
});

it.each([
  [
    "Caused by: java.lang.RuntimeException: Server attempted to load chunk saved with newer version of minecraft! 4671 > 3465",
    "its world was saved by a newer version of the game",
  ],
  ["java.net.BindException: Permission denied", "its user may not use this port"],
  ["java.io.IOException: No space left on device", "the disk is full"],
  [
    "java.lang.RuntimeException: Could not execute entrypoint stage 'main' due to errors, provided by 'examplemod'!",
    "an error while starting: examplemod failed in its entrypoint main",
  ],
])("[OUR-AGT-237] [OUR-AGT-239] %s", (raw, why) => {
  const [event] = eventsOf([line("Failed to start the minecraft server"), raw]);
  expect(event?.title).toBe(`Server could not start: ${why}`);
});

it("[OUR-AGT-235] a server that stops before it was ready could not start; one that became ready after an error did", () => {
  const starting = line("Starting minecraft server version 1.21.8", "INFO", "Server thread");
  const done = line('Done (9.0s)! For help, type "help"', "INFO", "Server thread");
  const stopping = line("Stopping server", "INFO", "Server thread");
  const types = (lines: readonly string[]): string[] => eventsOf(lines).map(({ type }) => type);
  expect(types([starting, stopping])).toEqual(["server_start_failed"]);
  expect(types([starting, line("A critical error occurred"), done, stopping])).toEqual([
    "server_start",
    "server_stop",
  ]);
});
