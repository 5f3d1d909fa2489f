import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { isLong } from "../support/long.ts";
import { sharedData } from "../support/shared-data.ts";
import { installedJdks } from "../support/jdks.ts";
import { monthNamesOf, recordedMonths } from "./month-names.ts";

const english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The events of a log whose file was last written when its last line was, in the zone of UTC. */
function eventsOf(text: string, writtenAt: number) {
  const reader = logReader();
  for (const line of text.split("\n")) reader.take(line);
  const story = logStory();
  for (const found of reader.found(writtenAt, Infinity)) story.take(found);
  const { events = [] } = story.reading("now");
  // Ids differ, since they come from the lines.
  for (const event of events) event.local_id = "";
  return events;
}

/** A whole session of a modded server, with this month's name and year in its heads. */
const session = (month: string, year = 2026): string =>
  [
    `[23${month}${year} 01:24:14.180] [main/INFO] [net.minecraft.server.Main/]: Starting minecraft server version 1.20.1`,
    `[23${month}${year} 01:24:24.828] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer/]: Done (10.648s)! For help, type "help"`,
    `[23${month}${year} 02:00:00.000] [Server thread/WARN] [net.minecraft.server.MinecraftServer/]: Can't keep up! Is the server overloaded? Running 5012ms or 100 ticks behind`,
    `[23${month}${year} 02:10:00.000] [Server thread/INFO] [minecraft/MinecraftServer]: [Anna: Banned Kim: griefing]`,
    `[23${month}${year} 03:00:00.000] [Server thread/INFO] [net.minecraft.server.MinecraftServer/]: Stopping server`,
  ].join("\n");

const endOf = (index: number): number => Date.UTC(2026, index, 23, 3);

/** Names whose whole log does not read as the English one. */
function unlike(names: readonly string[], index: number): readonly string[] {
  const right = JSON.stringify(eventsOf(session(english[index] ?? ""), endOf(index)));
  return names.filter((name) => JSON.stringify(eventsOf(session(name), endOf(index))) !== right);
}

it("[OUR-AGG-200] a log is read alike whatever the language of its months, with the same times", () => {
  const months = recordedMonths();
  expect(months).toHaveLength(12);
  const read = eventsOf(session("Jul"), endOf(6));
  expect(read.map(({ type, timestamp }) => [type, timestamp])).toEqual([
    ["server_start", "2026-07-23T01:24:24.828Z"],
    ["lag_spike", "2026-07-23T02:00:00.000Z"],
    ["ban", "2026-07-23T02:10:00.000Z"],
    ["server_stop", "2026-07-23T03:00:00.000Z"],
  ]);
  const wrong = months.flatMap((names, index) => unlike(names, index).map((name) => [index + 1, name]));
  const count = months.flat().length;
  console.log(`month heads: ${count} names of Java 17 and 25, ${wrong.length} logs unlike the English one`);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(2000);
});

it("[OUR-AGG-200] years of other calendars, broken bytes and other text before the time hide no line", () => {
  const right = eventsOf(session("Jul"), endOf(6));
  expect(eventsOf(session("ก.ค.", 2569), endOf(6))).toEqual(right);
  expect(eventsOf(session("Jul", 2569), endOf(6))).toEqual(right);
  expect(eventsOf(session("juil\ufffd"), endOf(6))).toEqual(right);
  expect(eventsOf(session("").replaceAll("[232026 ", "[Thu 23 de julho "), endOf(6))).toEqual(right);
});

it("[OUR-AGG-200] a month's name in English dates a log that was copied later", () => {
  const [, lag] = eventsOf(session("Mar"), Date.UTC(2026, 10, 3, 12, 34, 56));
  expect(lag?.timestamp?.slice(0, 10)).toBe("2026-03-23");
});

it("[OUR-AGG-200] Finnish November, written on its day, is never in March", () => {
  const [start] = eventsOf(session("marrask."), Date.UTC(2026, 10, 23, 3));
  expect(start?.timestamp).toBe("2026-11-23T01:24:24.828Z");
});

const jdks = installedJdks();
if (jdks.length === 0)
  console.warn(
    "*** SKIPPED: no JDK in /usr/lib/jvm: the recorded names of months are not compared with it ***",
  );

/** Every language of a JVM costs seconds of CPU, so the short form asks for these. */
const languages = [
  "zh",
  "ja",
  "ko",
  "vi",
  "th",
  "ca",
  "fa",
  "hi",
  "he",
  "ar",
  "fi",
  "mn",
  "de",
  "fr",
  "ru",
  "pl",
];

describe.skipIf(jdks.length === 0)("the JVMs of this machine", () => {
  it.each(jdks)("[OUR-AGG-200] Java $version writes no month that is not recorded", ({ home }) => {
    const recorded = recordedMonths();
    const written = monthNamesOf(home, isLong ? [] : languages);
    expect(written).toHaveLength(12);
    const unknown = written.flatMap((names, index) =>
      names.filter((name) => !recorded[index]?.includes(name)),
    );
    // A newer JVM may bring new names: they have to be read all the same.
    console.log(`months: ${written.flat().length} names, ${unknown.length} of them not recorded`);
    expect(written.flatMap((names, index) => unlike(names, index))).toEqual([]);
  });
});

const recordedLog = (name: string): string => {
  const path = sharedData(`public/${name}`);
  return path === null ? "" : readFileSync(path, "utf8");
};

it.skipIf(sharedData("public/forge-month-number-and-sign.log") === null)(
  "[OUR-AGG-200] the recorded log of July is read whole",
  () => {
    const found = eventsOf(recordedLog("forge-month-number-and-sign.log"), endOf(6));
    expect(found.map(({ type, timestamp }) => [type, timestamp])).toEqual([
      ["server_start", "2026-07-23T01:24:24.828Z"],
      ["lag_spike", "2026-07-23T02:00:00.000Z"],
      ["server_stop", "2026-07-23T03:00:00.000Z"],
    ]);
    expect(found[0]).toMatchObject({ duration_ms: 10_648, metadata: { game_version: "1.20.1" } });
  },
);

it
  .skipIf(sharedData("public/forge-month-korean.log") === null)
  .each(["forge-month-korean.log", "forge-month-two-signs.log", "forge-month-finnish-november.log"])(
  "[OUR-AGG-200] the recorded log %s has its start and its stop",
  (name) => {
    const found = eventsOf(recordedLog(name), Date.UTC(2026, 10, 23, 13, 50, 13));
    expect(found.map(({ type }) => type)).toEqual(["server_start", "server_stop"]);
    expect(found[0]?.timestamp?.slice(0, 7)).toBe("2026-11");
  },
);
