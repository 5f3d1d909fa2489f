import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  forgeAnswer,
  gameTimeAnswer,
  listAnswer,
  msptAnswer,
  sparkAnswer,
  tickQueryAnswer,
  tpsAnswer,
} from "../../src/agent/sources/rcon-answers.ts";
import { chosenFigures, type ServerAnswer } from "../../src/agent/sources/rcon-figures.ts";
import { rconPacket, rconPackets } from "../../src/agent/sources/rcon-packets.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { sharedData } from "../support/shared-data.ts";
import { randomCases } from "../support/long.ts";
import { anyCharacter } from "../support/any-character.ts";

const readers = {
  tpsAnswer,
  msptAnswer,
  sparkAnswer,
  tickQueryAnswer,
  forgeAnswer,
  listAnswer,
  gameTimeAnswer,
};

/** What is believed of an answer: the figure of the window that fits a sample. */
const figuresOf = (answer: ServerAnswer | null) => {
  const figures = (["tps", "mspt", "mspt_p95", "worst_tick_ms"] as const).flatMap((field) => {
    const value = answer ? chosenFigures(answer.figures, field)?.value : undefined;
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(figures);
};

it("[OUR-AGG-01] Cuberite's own words give the number of players, and the slowest of its worlds", () => {
  expect(listAnswer("Players (2): Ada, Grace")?.playerCount).toBe(2);
  const answer = 'Global TPS: -nan\nWorld "world": 18.92 TPS\nWorld "nether": 1000 TPS\n';
  expect(tpsAnswer(answer)?.figures).toEqual([{ field: "tps", value: 18.92, windowMs: 500 }]);
  expect(tpsAnswer("Global TPS: -nan")).toBe(null);
});

describe("answers of real servers", () => {
  const recorded = sharedData("rcon/answers.txt");
  it.skipIf(!recorded)("[OUR-AGG-01] recorded answers of Paper, byte for byte", () => {
    const [mspt1 = "", tps1 = "", mspt2 = "", tps2 = ""] = readFileSync(recorded ?? "", "utf8").split("\n");
    expect(figuresOf(msptAnswer(mspt1))).toEqual({ mspt: 7.7, worst_tick_ms: 720.7 });
    expect(figuresOf(tpsAnswer(tps1))).toEqual({ tps: 18.6 });
    expect(figuresOf(msptAnswer(mspt2))).toEqual({ mspt: 8.6, worst_tick_ms: 2717.1 });
    expect(figuresOf(tpsAnswer(tps2))).toEqual({ tps: 18.5 });
    expect(tpsAnswer(mspt1)).toBeNull();
    expect(msptAnswer(tps1)).toBeNull();
  });

  const series = sharedData("rcon/paper-worldgen.tsv");
  it.skipIf(!series)(
    "[OUR-AGG-01] every row of a recorded run, put back into an answer, keeps its figures",
    () => {
      const rows = readFileSync(series ?? "", "utf8")
        .trim()
        .split("\n")
        .slice(1);
      for (const row of rows) {
        const [, average, least, most, tps5, tps1m, tps5m, tps15m] = row.split("\t");
        const tps = tpsAnswer(
          `§6TPS from last 5s, 1m, 5m, 15m: §a${tps5}§r, §a${tps1m}§r, §a*${tps5m}§r, §a${tps15m}\n`,
        );
        expect(chosenFigures(tps?.figures ?? [], "tps")).toEqual({
          field: "tps",
          value: Number(tps1m),
          windowMs: 60_000,
        });
        const mspt = msptAnswer(
          `Server tick times (avg/min/max) from last 5s:\n◴ ${average}/${least}/${most}\n`,
        );
        expect(chosenFigures(mspt?.figures ?? [], "mspt")?.value).toBe(Number(average));
        // Five seconds say nothing of the slowest tick of thirty.
        expect(chosenFigures(mspt?.figures ?? [], "worst_tick_ms")).toBeUndefined();
      }
      expect(rows.length).toBe(39);
    },
  );

  it.each<[string, (text: string) => ServerAnswer | null, string, Record<string, number>]>([
    ["Paper", tpsAnswer, "§6TPS from last 1m, 5m, 15m: §a*20.0, §a19.98, §a20.0\n", { tps: 20 }],
    ["Purpur, over 20", tpsAnswer, "TPS from last 5s, 1m, 5m, 15m: 20.1, 20.1, 20.0, 20.0", { tps: 20 }],
    ["a German locale", tpsAnswer, "TPS from last 1m, 5m, 15m: *20,0, 19,87, 19,9", { tps: 20 }],
    [
      "ANSI colours",
      tpsAnswer,
      "\u001b[33mTPS from last 1m, 5m, 15m: \u001b[32m18.04\u001b[m, 19.0, 20.0",
      { tps: 18.04 },
    ],
    [
      "§ that is no UTF-8",
      tpsAnswer,
      "\ufffd6TPS from last 1m, 5m, 15m: \ufffda17.5, \ufffda19.0, \ufffda20.0",
      { tps: 17.5 },
    ],
    ["lines cut", tpsAnswer, "TPS from last\n 1m, 5m,\n 15m:\n 19.0,\n 19.5,\n 20.0\n", { tps: 19 }],
    [
      "memory below",
      tpsAnswer,
      "TPS from last 1m, 5m, 15m: 19.0, 19.5, 20.0\nCurrent Memory Usage: 711/1024 mb (Max: 4096 mb)",
      { tps: 19 },
    ],
    [
      "German mspt",
      msptAnswer,
      "Server tick times (avg/min/max) from last 5s, 10s, 1m:\n◴ 1,2/0,5/3,4, 1,3/0,5/9,9, 1,4/0,4/12,5",
      { mspt: 1.4, worst_tick_ms: 12.5 },
    ],
    [
      "spark",
      sparkAnswer,
      "[⚡] TPS from last 5s, 10s, 1m, 5m, 15m:\n[⚡]  *20.0, 19.9, 19.8, 20.0, 20.0\n[⚡] \n[⚡] Tick durations (min/med/95%ile/max ms) from last 10s, 1m:\n[⚡]  0.6/0.7/1.0/1.6;  0.6/0.8/1.1/2.8\n[⚡] CPU usage from last 10s, 1m, 15m:\n[⚡]  2%, 1%, 1%  (system)",
      { tps: 19.8, mspt_p95: 1.1, worst_tick_ms: 2.8 },
    ],
    [
      "1.20.3, lines",
      tickQueryAnswer,
      "The game is running normally\nTarget tick rate: 20.0 per second.\nAverage time per tick: 1.2ms (Target: 50.0ms)\nPercentiles: P50: 0.9ms P95: 2.0ms P99: 3.4ms, sample: 100",
      { mspt: 1.2, mspt_p95: 2 },
    ],
    [
      "1.20.3, no line feeds",
      tickQueryAnswer,
      "The game is running, but can't keep up with the target tick rateTarget tick rate: 20.0 per second.\nAverage time per tick: 81.0ms (Target: 50.0ms)Percentiles: P50: 79.9ms P95: 120.5ms P99: 133.4ms, sample: 100",
      { mspt: 81, mspt_p95: 120.5 },
    ],
    [
      "Forge 1.20",
      forgeAnswer,
      "Dim minecraft:overworld (minecraft:overworld): Mean tick time: 12.0 ms. Mean TPS: 20.000Dim minecraft:the_nether: Mean tick time: 1.0 ms. Mean TPS: 20.000Overall: Mean tick time: 14.519 ms. Mean TPS: 19.200",
      { mspt: 14.519 },
    ],
    [
      "Forge 1.12",
      forgeAnswer,
      "Dim  0 : Mean tick time: 0,512 ms. Mean TPS: 20,000\nOverall : Mean tick time: 0,735 ms. Mean TPS: 20,000",
      { mspt: 0.735 },
    ],
    [
      "NeoForge",
      forgeAnswer,
      "minecraft:overworld: 20.000 TPS (0.812 ms/tick)\nOverall: 18.500 TPS (54.054 ms/tick)",
      { mspt: 54.054 },
    ],
  ])("[OUR-AGG-01] %s", (_name, read, text, figures) => {
    expect(figuresOf(read(text))).toEqual(figures);
  });

  it("[OUR-AGG-02] the rate of Forge is reported as computed; a frozen or sprinting game says so", () => {
    expect(forgeAnswer("Overall: Mean tick time: 14.519 ms. Mean TPS: 19.200")?.computedTps).toBe(19.2);
    expect(forgeAnswer("Overall: 18.500 TPS (54.054 ms/tick)")?.computedTps).toBe(18.5);
    const sprinting =
      "The game is sprintingTarget tick rate: 40.0 per second (ignored, reference only).\nAverage time per tick: 3.1msPercentiles: P50: 3.0ms P95: 3.9ms P99: 4.4ms, sample: 100";
    expect(tickQueryAnswer(sprinting)).toMatchObject({ pace: "sprinting", targetTps: 40 });
    const frozen =
      "The game is frozenTarget tick rate: 20.0 per second.\nAverage time per tick: 0.2ms (Target: 50.0ms)Percentiles: P50: 0.1ms P95: 0.2ms P99: 0.4ms, sample: 100";
    expect(tickQueryAnswer(frozen)).toMatchObject({ pace: "frozen", targetTps: 20 });
  });

  it("[OUR-AGG-04] [STA-31] [STA-32] [STA-33] Folia: the slowest region is the server, and the busiest are listed", () => {
    const report =
      "Server Health Report\n - Online Players: 2\n - Total regions: 2\n - Utilisation: 36.0% / 100.0%\n - Load rate: 0.13, Gen rate: 41.67\n - Lowest Region TPS: 17.11\n - Median Region TPS: 17.44\n - Highest Region TPS: 17.78\nHighest 3 utilisation regions\n - Region around block [w:'world_the_end',-25,80,23]:\n    10.8% util at 11.92 MSPT at 17.78 TPS\n    Chunks: 376 Players: 1 Entities: 82\n - Region around block [w:'world',7,80,-9]:\n    23.3% util at 15.97 MSPT at 17.11 TPS\n    Chunks: 251 Players: 1 Entities: 135\n";
    const answer = tpsAnswer(report);
    expect(figuresOf(answer)).toEqual({ tps: 17.11, mspt: 15.97 });
    expect(answer?.regions).toMatchObject({
      region_count: 2,
      region_source: "folia_regions",
      regions_omitted: 0,
      regions: [
        { world: "world", center_x: 7, center_z: -9, tps: 17.11, mspt: 15.97, chunks: 251, entities: 135 },
        { world: "world_the_end", center_x: -25, center_z: 23, tps: 17.78, mspt: 11.92, players: 1 },
      ],
    });
    // Of nine regions two are listed: the slowest ticks may be in another.
    const nine = tpsAnswer(report.replace("regions: 2", "regions: 9"));
    expect(figuresOf(nine)).toEqual({ tps: 17.11 });
    expect(nine?.regions).toMatchObject({ region_count: 9, regions_omitted: 7 });
    const sample = { sampled_at: "2026-11-20T07:34:00Z", ...answer?.regions };
    expect(ReportedSample.safeParse(sample).success).toBe(true);
  });

  it.each([
    "",
    "Unknown or incomplete command, see below for errortps<--[HERE]",
    'Unknown command. Type "/help" for help.',
    "TPS from last",
    "TPS from last 1m, 5m, 15m: 20.0",
    "Overall",
    "There are many players",
    "Average time per tick: 1ms",
  ])("[OUR-AGG-02] no figure comes from what is no answer: %s", (text) => {
    for (const read of Object.values(readers)) expect(read(text)).toBeNull();
  });

  it("[OUR-AGG-05] any text is read without an exception, and the figures fit the plugin API", () => {
    const words = fc.constantFrom(
      "TPS from last",
      "5s, 1m",
      ":",
      "20.0",
      "*",
      "§a",
      "◴",
      "1/2/3",
      "avg/min/max",
      "Overall",
      "ms/tick",
      "Mean TPS: ",
      "tick time: ",
      "P95: ",
      "Target tick rate: ",
      "Average time per tick: ",
      "Lowest Region TPS: ",
      "Total regions: ",
      "Region around block [w:'a',99999999,1,-99999999]",
      "Region around block [x,1,2,3]",
      "Chunks: ",
      "1,5",
      "99999.9",
      "1.2 MSPT",
      "3.4 TPS",
      "There are ",
      " of a max of ",
      "\u0000",
      "\ud800",
      "\n",
    );
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.array(words, { maxLength: 30 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const read of Object.values(readers)) {
          const answer = read(text);
          const sample = { sampled_at: "2026-11-20T07:34:00Z", ...figuresOf(answer), ...answer?.regions };
          expect(ReportedSample.safeParse(sample).error).toBeUndefined();
        }
      }),
      { numRuns: randomCases(500) },
    );
  });
});

describe("packets", () => {
  it("are the same however the stream is cut, and bytes that are none end it", () => {
    const sent = [rconPacket(7, 0, "§6TPS"), rconPacket(7, 0, ""), rconPacket(8, 2, "x".repeat(4096))];
    const stream = Buffer.concat(sent);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 40 }), (cuts) => {
        const read = rconPackets();
        const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
        const packets = edges.slice(1).flatMap((edge, index) => read(stream.subarray(edges[index], edge)));
        expect(packets.map(({ id, type, body }) => [id, type, body.toString().length])).toEqual([
          [7, 0, 5],
          [7, 0, 0],
          [8, 2, 4096],
        ]);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const { body } of rconPackets()(Buffer.from(bytes))) expect(body.length).toBeLessThan(65_536);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
