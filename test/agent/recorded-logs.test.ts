import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { parseLine } from "../../src/agent/sources/log-line.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";
import { ReportedEvent } from "../../src/core/event/reported-event.ts";
import { looksLikeOurs } from "../../src/core/event/server-event.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { sharedData } from "../support/shared-data.ts";

const folder = sharedData("logs");
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];
/** Where no line says a date, it is this one, and the server lives in UTC. */
const someDay = Date.UTC(2026, 10, 20);
const lastWritten = (lines: readonly string[]): number => {
  const last = lines
    .toReversed()
    .map(parseLine)
    .find((line) => line !== null);
  return last ? (last.dateMs ?? someDay) + last.clockMs : someDay;
};

const linesOf = (file: string): string[] => readFileSync(join(folder ?? "", file), "utf8").split(/\r?\n/);

/** All that one log tells, as somebody would read it who listened from its first line on. */
function eventsIn(lines: readonly string[]) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const facts = reader.found(lastWritten(lines), Infinity);
  const story = logStory();
  for (const found of facts) story.take(found);
  return { facts, reading: story.reading("now") };
}

it.skipIf(!folder)("[OUR-AGG-20] 86 logs of real servers: what is found in them, reviewed", async () => {
  const found = files.map((file) => {
    const { facts, reading } = eventsIn(linesOf(file));
    const events = (reading.events ?? []).map((event) => {
      const read = ReportedEvent.parse(event);
      expect(looksLikeOurs(read)).toBe(false);
      expect(read.source).toBe("tickmark-agent");
      return `  ${event.timestamp} ${event.type} (${event.severity}): ${event.title}${event.metadata ? ` ${JSON.stringify(event.metadata)}` : ""}`;
    });
    const sample = ReportedSample.parse({ ...reading.measured, sampled_at: "2026-11-20T23:59:59Z" });
    const state = [
      reading.announced?.what ?? "no word",
      ...(reading.bootedAt === undefined ? [] : [`up since ${new Date(reading.bootedAt).toISOString()}`]),
      ...(sample.lag_seconds === null ? [] : [`${sample.lag_seconds} s lost`]),
    ];
    const kinds = facts.map(({ fact }) => fact.is).join(" ");
    return [`${file}: ${state.join(", ")}`, `  [${kinds}]`, ...events].join("\n");
  });
  expect(files.length).toBe(86);
  await expect(`${found.join("\n")}\n`).toMatchFileSnapshot("recorded-logs.txt");
});

/** CPU time of this process, ms: what a log may cost, however busy the machine is. */
const allowedPerMb = 100;

it.skipIf(!folder)("[OUR-AGG-21] no log costs more than 100 ms per MB", () => {
  const slow: string[] = [];
  let worst = 0;
  for (const file of files) {
    const text = readFileSync(join(folder ?? "", file), "utf8");
    const times = Math.ceil(1_000_000 / text.length);
    const lines = `${text}\n`.repeat(times).split("\n");
    const mb = (text.length * times) / 1_000_000;
    let best = Infinity;
    // One run within the limit is proof enough: what else runs on the machine costs caches.
    for (let run = 0; run < 5 && best > allowedPerMb; run += 1) {
      const from = process.cpuUsage();
      const reader = logReader();
      for (const line of lines) reader.take(line);
      reader.found(someDay, Infinity);
      const { user, system } = process.cpuUsage(from);
      best = Math.min(best, (user + system) / 1000 / mb);
    }
    worst = Math.max(worst, best);
    if (best > allowedPerMb) slow.push(`${file}: ${best.toFixed(1)} ms/MB`);
  }
  console.log(`logs: the slowest of ${files.length} costs ${worst.toFixed(1)} ms/MB`);
  expect(slow).toEqual([]);
});
