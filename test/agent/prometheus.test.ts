import fc from "fast-check";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readExposition, ticksBetween, type Counters } from "../../src/agent/sources/prometheus-figures.ts";
import { readMetrics } from "../../src/agent/sources/prometheus-text.ts";
import { prometheusSource } from "../../src/agent/sources/prometheus.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { installWith } from "./install.ts";
import { randomCases } from "../support/long.ts";
import { anyCharacter } from "../support/any-character.ts";
import { patienceMs } from "../support/patience.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const address = { host: "127.0.0.1", port: 25_565 };
const measured = (text: string, now = 0) => readExposition(text, address, now).measured;

const sladkoff = `# HELP mc_tps Server TPS (ticks per second)
# TYPE mc_tps gauge
mc_tps 19.734
mc_tick_duration_average 2.35178E7
mc_tick_duration_max 1.8E8
mc_players_online_total{world="world",} 3.0
mc_players_online_total{world="world_nether",} 1.0
mc_players_total 512.0
mc_loaded_chunks_total{world="world",} 625.0
mc_loaded_chunks_total{world="world_nether",} 441.0
mc_entities_total{world="world",type="zombie",alive="true",spawnable="true",} 42.0
mc_entities_total{world="world",type="item \\"}\\\\",alive="false",spawnable="false",} 8.0
mc_jvm_memory{type="max",} 4.294967296E9
mc_jvm_memory{type="free",} 1.073741824E9
mc_jvm_memory{type="allocated",} 2.147483648E9
`;

const histogram = (count: number, sum: number, within: number): string => `minecraft_players_count 5.0
minecraft_world_loaded_chunks{world="world",} 100.0
minecraft_tick_duration_seconds_bucket{le="0.025",} ${within - 10}
minecraft_tick_duration_seconds_bucket{le="0.05",} ${within}
minecraft_tick_duration_seconds_bucket{le="+Inf",} ${count}
minecraft_tick_duration_seconds_count ${count}
minecraft_tick_duration_seconds_sum ${sum}
jvm_memory_bytes_used{area="heap",} 1.048576E9
jvm_memory_bytes_used{area="nonheap",} 9.9E9
jvm_memory_bytes_max{area="heap",} 4.294967296E9
process_resident_memory_bytes 5.36870912E9
`;

const monitored = (healthy: number, players: number, port = 25_565): string =>
  `minecraft_status_healthy{server_host="mc",server_port="${port}",server_edition="java"} ${healthy}
minecraft_status_players_online_count{server_host="mc",server_port="${port}",server_edition="java"} ${players}
minecraft_status_response_time_seconds{server_host="mc",server_port="${port}"} 0.03
`;

describe("exporters", () => {
  it("[OUR-AGG-15] the exporter of sladkoff: nanoseconds, sums over worlds, no slowest tick of five seconds", () => {
    expect(measured(sladkoff)).toEqual({
      tps: 19.734,
      mspt: 23.5178,
      player_count: 4,
      loaded_chunks: 1066,
      entity_count: 50,
      ram_used_mb: 1024,
      ram_max_mb: 4096,
    });
    expect(
      measured('mc_tick_duration_average -1.0\nmc_tps NaN\nmc_players_online_total{world="w"} +Inf'),
    ).toEqual({});
  });

  it("UnifiedMetrics: what was counted between two readings, and a reset starts anew", () => {
    const first = readExposition(histogram(1000, 20, 990), address, 0);
    expect(first.measured).toEqual({
      player_count: 5,
      loaded_chunks: 100,
      ram_used_mb: 1000,
      ram_max_mb: 4096,
      rss_mb: 5120,
    });
    const between = (before: Counters | null, text: string, now: number) => {
      const { counters } = readExposition(text, address, now);
      return before && counters ? ticksBetween(before, counters) : null;
    };
    expect(between(first.counters, histogram(1570, 35.96, 1553), 30_000)).toEqual({
      mspt: 28,
      tps: 19,
      ticks_over_50ms: 7,
    });
    expect(between(first.counters, histogram(12, 0.3, 12), 30_000)).toEqual({});
    expect(between(first.counters, histogram(1000, 20, 990), 30_000)).toEqual({});
    expect(between(first.counters, histogram(1010, 20.2, 1000), 1000)).toEqual({});
  });

  it("[OUR-AGG-17] mc-monitor: a server that does not answer has no players to tell of", () => {
    expect(measured(monitored(1, 6))).toEqual({ player_count: 6 });
    expect(measured(monitored(1, 0))).toEqual({ player_count: 0 });
    expect(measured(monitored(0, 0))).toEqual({});
    // Of several servers the one on our port.
    expect(measured(monitored(1, 6) + monitored(1, 2, 25_566))).toEqual({ player_count: 6 });
    expect(measured(monitored(1, 6, 25_570) + monitored(1, 2, 25_566))).toEqual({});
  });

  it("[OUR-AGG-05] any text is read without an exception, and the figures fit the plugin API", () => {
    const words = fc.constantFrom(
      "mc_tps",
      "mc_jvm_memory",
      "minecraft_players_count",
      "minecraft_status_healthy",
      "{",
      "}",
      'type="',
      '"',
      "\\",
      ",",
      "=",
      " ",
      "\n",
      "1e308",
      "-5",
      "NaN",
      "+Inf",
      "12.5",
      "#",
      'le="0.05"',
      "process_resident_memory_bytes",
      "mc_entities_total",
    );
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.array(words, { maxLength: 60 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const sample = { sampled_at: "2026-11-20T07:34:00Z", ...measured(text) };
        expect(ReportedSample.safeParse(sample).error).toBeUndefined();
      }),
      { numRuns: randomCases(1000) },
    );
  });

  it("[OUR-AGG-05] a large exposition is read in linear time", () => {
    const line = 'mc_entities_total{world="world",type="zombie",alive="true",} 1.0\n';
    const cpuMs = (lines: number): number => {
      const text = line.repeat(lines);
      const from = process.cpuUsage();
      expect(measured(text)).toEqual({ entity_count: lines });
      return process.cpuUsage(from).user / 1000;
    };
    cpuMs(1000);
    const [small, large] = [Math.max(1, cpuMs(5000)), cpuMs(50_000)];
    expect(large / small).toBeLessThan(60);
    expect(readMetrics("mc_a{".repeat(10_000), () => true)).toEqual([]);
  });
});

describe("over HTTP", () => {
  async function exporter(
    answer: () => { status?: number; text: string | Iterable<string> },
  ): Promise<string> {
    const server = createServer((_request, response) => {
      const { status = 200, text } = answer();
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4" });
      if (typeof text === "string") return void response.end(text);
      const pieces = text[Symbol.iterator]();
      const more = (): void => {
        const { value, done } = pieces.next();
        if (!done && !response.destroyed) response.write(value, more);
      };
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  }
  const read = (metricsUrl: string | null) =>
    prometheusSource(installWith({ metricsUrl })).read(Date.now(), AbortSignal.timeout(patienceMs));

  it("[OUR-AGG-18] reads what is there, and fails in one line where nothing of use is", async () => {
    expect((await read(await exporter(() => ({ text: sladkoff })))).measured).toMatchObject({ tps: 19.734 });
    expect(await read(null)).toEqual({ measured: {} });
    await expect(read("http://127.0.0.1:1/metrics")).rejects.toThrow("The exporter cannot be reached.");
    await expect(read(await exporter(() => ({ status: 503, text: "no" })))).rejects.toThrow("answers 503");
    function* endless() {
      for (;;) yield "x".repeat(65_536);
    }
    await expect(read(await exporter(() => ({ text: endless() })))).rejects.toThrow("too long");
    const foreign = prometheusSource(
      installWith({ metricsUrl: await exporter(() => ({ text: "go_threads 9\n" })) }),
    );
    expect((await foreign.check(AbortSignal.timeout(patienceMs)))[0]).toMatchObject({ able: false });
    const good = prometheusSource(
      installWith({ metricsUrl: await exporter(() => ({ text: histogram(10, 1, 10) })) }),
    );
    expect((await good.check(AbortSignal.timeout(patienceMs)))[0]).toMatchObject({ able: true });
  });
});
