import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseLine } from "../../src/agent/sources/log-line.ts";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { dice } from "../support/dice.ts";
import { sharedData } from "../support/shared-data.ts";
import { hostileEntry } from "./hostile-chat.ts";

const folder = sharedData("logs");
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];
const someDay = Date.UTC(2026, 10, 20);

/** All that a log tells; long after its last line, so that nothing is awaited any more. */
function readingOf(lines: readonly string[]) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(someDay, Infinity)) story.take(found);
  return story.reading("now");
}

/** A run of a server that anybody can play on. */
const played = [
  "[10:59:50] [ServerMain/INFO]: Environment: production",
  "[11:00:00] [Server thread/INFO]: Starting minecraft server version 1.21.8",
  '[11:00:05] [Server thread/INFO]: Done (1.430s)! For help, type "help"',
  "[11:00:06] [Server thread/WARN]: Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind",
  "[11:01:00] [Server thread/INFO]: [Anna: Banned Griefer42: griefed spawn]",
  "[11:02:00] [Server thread/ERROR]: Could not pass event EntityDeathEvent to Farm v1.0",
  "java.lang.IllegalStateException: no such farm",
  "\tat farm.Farm.died(Farm.java:1)",
  "[11:03:00] [Server thread/ERROR]: Encountered an unexpected exception",
  "net.minecraft.ReportedException: Ticking entity",
  "\tat net.minecraft.server.MinecraftServer.run(MinecraftServer.java:1)",
  "Caused by: java.lang.NullPointerException",
  "[11:03:01] [Server thread/ERROR]: This crash report has been saved to: /srv/crash-reports/crash-2026-11-20_11.03.01-server.txt",
  "[11:03:01] [Server thread/INFO]: Stopping server",
  "[11:03:20] [Server thread/INFO]: Starting minecraft server version 1.21.8",
  '[11:03:25] [Server thread/INFO]: Done (1.430s)! For help, type "help"',
  "[11:10:00] [Server thread/INFO]: Stopping the server",
];

/** The same log with entries of hostile players between its own. */
function mixed(lines: readonly string[], random: () => number): { lines: string[]; entries: string[] } {
  const entries: string[] = [];
  let last: string | null = null;
  const beside = (line: string): string[] => {
    const count = Math.floor(random() * 4);
    return Array.from({ length: count }, () => hostileEntry(line, random)).flatMap((entry) => {
      if (entry === null) return [];
      entries.push(entry);
      return entry.split("\n");
    });
  };
  const all = lines.flatMap((line) => {
    if (parseLine(line) === null) return [line];
    last = line;
    return [...beside(line), line];
  });
  // After the last line of all there is a whole entry too.
  return { lines: last === null ? all : [...all, ...beside(last)], entries };
}

/** Mixes chat into a log so often, and tells how many readings are other ones than without. */
function differencesIn(lines: readonly string[], seed: number, rounds: number): string[] {
  const random = dice(seed);
  const without = JSON.stringify(readingOf(lines));
  const differences: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { lines: withChat, entries } = mixed(lines, random);
    const found = JSON.stringify(readingOf(withChat));
    if (found !== without) differences.push(`${without}\n${found}\n${entries.join("\n")}`);
  }
  return differences;
}

describe("hostile chat", () => {
  it.skipIf(!folder)(
    "[OUR-AGG-24] mixed into every recorded log, it changes nothing that is reported",
    () => {
      let mixings = 0;
      const different: string[] = [];
      for (const [index, file] of files.entries()) {
        const lines = readFileSync(join(folder ?? "", file), "utf8").split(/\r?\n/);
        const rounds = 3;
        mixings += rounds;
        const differences = differencesIn(lines, index, rounds);
        if (differences.length > 0)
          different.push(`${file}: ${differences.length} of ${rounds}\n${differences[0]?.slice(0, 600)}`);
      }
      console.log(
        `hostile chat: ${different.length} of ${files.length} logs tell something else, ${mixings} mixings`,
      );
      expect(different).toEqual([]);
    },
  );

  it("[OUR-AGG-24] mixed into a run with a crash, a restart and a stop, it changes nothing that is reported", () => {
    expect(readingOf(played).events?.map(({ type }) => type)).toEqual([
      "server_start",
      "lag_spike",
      "ban",
      "server_crash",
      "server_start",
      "server_stop",
    ]);
    const differences = differencesIn(played, 15, 1000);
    console.log(`hostile chat: ${differences.length} of 1000 mixings into one run tell something else`);
    expect(differences.slice(0, 2)).toEqual([]);
  });
});
