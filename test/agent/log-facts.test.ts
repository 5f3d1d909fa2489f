import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factOf } from "../../src/agent/sources/log-facts.ts";
import { parseLine } from "../../src/agent/sources/log-line.ts";
import { moderationOf } from "../../src/agent/sources/log-moderation.ts";
import { withoutAddresses } from "../../src/agent/sources/without-addresses.ts";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { factOfRaw } from "../../src/agent/sources/log-trace.ts";
import { ReportedEvent } from "../../src/core/event/reported-event.ts";
import { toTimestamp } from "../../src/core/time.ts";
import { randomCases } from "../support/long.ts";
import { anyCharacter } from "../support/any-character.ts";

const factsOf = (line: string) => {
  const parsed = parseLine(line);
  return parsed && factOf(parsed);
};

describe("lines", () => {
  it.each([
    ["vanilla", '[11:00:18] [Server thread/INFO]: Done (1.430s)! For help, type "help"'],
    ["Paper's console", '[11:00:18 INFO]: Done (1.430s)! For help, type "help"'],
    ["colours", '\u001b[m[11:00:18 INFO]: Done (1.430s)! For help, type "help"\u001b[m'],
    [
      "Forge",
      '[20Nov2026 11:00:18.311] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer/]: Done (1.430s)! For help, type "help"',
    ],
    [
      "Forge in German",
      '[20Mai2026 11:00:18.311] [Server thread/INFO] [minecraft/DedicatedServer]: Done (1,430s)! For help, type "help"',
    ],
    [
      "Fabric in development",
      '[11:00:18] [Server thread/INFO] (Minecraft) Done (1.430s)! For help, type "help"',
    ],
    ["before 1.7", '2026-11-20 11:00:18 [INFO] Done (1.430s)! For help, type "help" or "?"'],
  ])("[OUR-AGG-20] %s", (_name, line) => {
    expect(factsOf(line)).toEqual({ is: "ready", tookMs: 1430 });
  });

  it("[OUR-AGG-24] what players write is no word of the server", () => {
    for (const line of [
      "[11:00:18] [Server thread/INFO]: <Griefer42> Stopping server",
      "[11:00:18] [Server thread/INFO]: [Not Secure] <Griefer42> Stopping the server",
      "[11:00:18] [Async Chat Thread - #0/INFO]: Banned Alex: because",
      "[11:00:18] [Async Chat Thread - #0/INFO]: Stopping server",
      "[11:00:18] [Server thread/INFO]: * Griefer42 Banned Alex",
      "[11:00:18] [Server thread/INFO]: Griefer42 issued server command: /ban Alex",
      "[11:00:18] [Server thread/INFO]: <Griefer42> joined the game",
      '[11:00:18] [Server thread/INFO]: [SomePlugin] Done (0.1s)! For help, type "help"',
      "[11:00:18] [Server thread/INFO]: Stopping serverless",
    ]) {
      expect(factsOf(line)).toBeNull();
    }
  });

  it.each([
    ["Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind", 4588, 91],
    [
      "Can't keep up! Did the system time change, or is the server overloaded? Running 2897ms behind, skipping 57 tick(s)",
      2897,
      57,
    ],
    ["Can't keep up! Did the system time change, or is the server overloaded?", null, null],
  ])("[OUR-AGG-20] %s", (message, ms, ticks) => {
    expect(factsOf(`[11:00:00] [Server thread/WARN]: ${message}`)).toEqual({ is: "behind", ms, ticks });
  });

  it("[OUR-AGG-25] a crash says what it was about: an exception, the watchdog, a report in the log", () => {
    const whyOf = (lines: readonly string[]) => {
      const reader = logReader();
      for (const line of lines) reader.take(line);
      const story = logStory();
      for (const found of reader.found(Date.UTC(2026, 10, 20, 11), Infinity)) story.take(found);
      const { events = [], announced } = story.reading("now");
      expect(announced).toBeUndefined();
      return events.map(({ type, title }) => `${type}: ${title}`);
    };
    expect(
      whyOf([
        "[11:00:00] [Server thread/ERROR]: Encountered an unexpected exception",
        "net.minecraft.ReportedException: Ticking entity",
        "\tat net.minecraft.server.MinecraftServer.run(MinecraftServer.java:1)",
        "Caused by: java.lang.NullPointerException",
        "[11:00:00] [Server thread/ERROR]: This crash report has been saved to: /home/anna/mc/crash-reports/crash-2026-11-20_11.00.00-server.txt",
        "[11:00:00] [Server thread/INFO]: Stopping server",
      ]),
    ).toEqual(["server_crash: Server crashed: net.minecraft.ReportedException: Ticking entity"]);
    expect(
      whyOf([
        "[11:00:00] [Server Watchdog/ERROR]: A single server tick took 60.00 seconds (should be max 0.05)",
        "[11:00:00] [Server Watchdog/ERROR]: Considering it to be crashed, server will forcibly shutdown.",
        "[11:00:00] [Server Watchdog/ERROR]: Crash report:",
        "---- Minecraft Crash Report ----",
        "Description: Watching Server",
      ]),
    ).toEqual(["server_crash: Server crashed: one tick took too long"]);
    expect(
      whyOf([
        "[11:00:00] [Watchdog Thread/ERROR]: The server has not responded for 10 seconds! Creating thread dump",
        "[11:00:05] [Watchdog Thread/ERROR]: The server has not responded for 15 seconds! Creating thread dump",
        "[11:00:50] [Watchdog Thread/ERROR]: The server has stopped responding! This is (probably) not a Paper bug.",
      ]),
    ).toEqual([
      "server_hang: The main thread has not responded for 10 s",
      "server_crash: Server crashed: the main thread stopped responding",
    ]);
    expect(
      whyOf([
        "[11:00:00] [Server thread/ERROR]: Encountered an unexpected exception",
        "java.lang.OutOfMemoryError: Java heap space",
        "[11:00:00] [Server thread/ERROR]: This crash report has been saved to: C:\\mc\\crash-reports\\crash-1.txt",
      ]),
    ).toEqual([
      "out_of_memory: Out of memory: Java heap space",
      "server_crash: Server crashed: java.lang.OutOfMemoryError: Java heap space",
    ]);
  });

  it.each<[string, unknown]>([
    [
      "[Anna: Banned Griefer42: griefed spawn]",
      { type: "ban", player: "Griefer42", by: "Anna", reason: "griefed spawn" },
    ],
    [
      "Banned Griefer42: Banned by an operator.",
      { type: "ban", player: "Griefer42", by: "Console", reason: "Banned by an operator." },
    ],
    ["Banned player Griefer42", { type: "ban", player: "Griefer42", by: "Console", reason: null }],
    ["Banned IP 203.0.113.7: spam", { type: "ip_ban", player: null, by: "Console", reason: "spam" }],
    [
      "[Rcon: Banned IP address 2001:db8::7 belonging to Griefer42]",
      { type: "ip_ban", player: "Griefer42", by: "Rcon", reason: null },
    ],
    [
      "Kicked Griefer42: Kicked by an operator",
      { type: "kick", player: "Griefer42", by: "Console", reason: "Kicked by an operator" },
    ],
    [
      "Kicked .Bedrock_Kid from the game: 'calm down'",
      { type: "kick", player: ".Bedrock_Kid", by: "Console", reason: "calm down" },
    ],
    ["Unbanned Griefer42", { type: "unban", player: "Griefer42", by: "Console", reason: null }],
    ["Unbanned IP 203.0.113.7", { type: "unban", player: null, by: "Console", reason: null }],
    [
      "Player Anna banned Griefer42 for: x-ray from 203.0.113.7",
      { type: "ban", player: "Griefer42", by: "Anna", reason: "x-ray from [address]" },
    ],
    [
      "Player Anna temporarily banned Griefer42 for 7 days: x-ray",
      { type: "tempban", player: "Griefer42", by: "Anna", reason: "x-ray" },
    ],
    [
      "Griefer42 was banned by Anna for x-ray",
      { type: "ban", player: "Griefer42", by: "Anna", reason: "x-ray" },
    ],
    [
      "[BanManager] Griefer42 has been tempbanned by Anna for x-ray",
      { type: "tempban", player: "Griefer42", by: "Anna", reason: "x-ray" },
    ],
    ["Griefer42 was muted by Anna", { type: "mute", player: "Griefer42", by: "Anna", reason: null }],
    ["Griefer42 was slain by Zombie", null],
    ["Loaded 12 banned players", null],
    ["Banned items reloaded: 12", null],
  ])("[OUR-AGG-26] %s", (message, moderation) => {
    const line = parseLine(`[11:00:18] [Server thread/INFO]: ${message}`);
    const found = line && moderationOf(line);
    expect(found && { type: found.type, player: found.player, by: found.by, reason: found.reason }).toEqual(
      moderation,
    );
  });

  it("[OUR-AGG-27] no address gets through", () => {
    for (const text of [
      "from 203.0.113.7:51234 on",
      "2001:db8:85a3::8a2e:370:7334",
      "/[0:0:0:0:0:0:0:1]:25565",
      "::1.",
      "fe80::1ff:fe23:4567:890a%eth2",
    ]) {
      expect(withoutAddresses(text)).not.toMatch(
        /\d{1,3}(\.\d{1,3}){3}|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,}|::1/,
      );
    }
    for (const text of ["at 12:30:05 he said: no", "Lambda::accept", "a: b", "1.21.4", "::"]) {
      expect(withoutAddresses(text)).toBe(text);
    }
    expect(withoutAddresses("no such file: /home/anna/mc/x")).toBe("no such file: /home/[name]/mc/x");
  });

  it("[OUR-AGG-05] any line is read without an exception, and every event fits the plugin API", () => {
    const words = fc.constantFrom(
      "[12:00:00] ",
      "[Server thread/INFO]: ",
      "[Server thread/ERROR] [x/]: ",
      "2026-02-31 25:61:61 [INFO] ",
      "[99Foo9999 12:00:00.000] ",
      "Done (1s)! For help, type ",
      "Stopping server",
      "Banned ",
      "Banned IP ",
      "Kicked a: ",
      "Can't keep up! Running 1ms or 2 ticks",
      "Encountered an unexpected exception",
      "a.b.Exception: ",
      "This crash report has been saved to: ",
      "---- Minecraft Crash Report ----",
      "Description: ",
      "Server empty for 1 seconds, pausing",
      "x joined the game",
      "OutOfMemoryError",
      "\u0000",
      "\ud800",
      "§c",
      "\u001b[31m",
      "203.0.113.7",
      "Starting minecraft server version ",
      "x".repeat(5000),
    );
    const lines = fc.array(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 200 }),
        fc.array(words, { maxLength: 8 }).map((all) => all.join("")),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 4e12 }), (all, writtenAt) => {
        const reader = logReader();
        for (const line of all) {
          factOfRaw(line);
          reader.take(line);
        }
        const story = logStory();
        for (const found of reader.found(writtenAt, Infinity)) {
          expect(found.at).toBeLessThanOrEqual(writtenAt);
          story.take(found);
        }
        const { events = [], bootedAt = 0 } = story.reading("now");
        expect(() => toTimestamp(bootedAt)).not.toThrow();
        for (const event of events) {
          expect(ReportedEvent.safeParse(event).error).toBeUndefined();
          expect(JSON.stringify(event)).not.toContain("203.0.113.7");
        }
      }),
      { numRuns: randomCases(150) },
    );
  });
});
