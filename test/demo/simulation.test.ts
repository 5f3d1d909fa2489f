import { describe, expect, it, vi } from "vitest";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { scoreReport } from "../../src/core/report/scoring.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { benchmarkPayload } from "../../src/demo/benchmark.ts";
import { lastDay } from "../../src/demo/history.ts";
import { serverSpecs } from "../../src/demo/fleet.ts";
import { simulatedOf, type ServerSpec } from "../../src/demo/server-spec.ts";
import { heartbeatAt, startLiveFleet } from "../../src/demo/live.ts";
import { sampleAt } from "../../src/demo/load-profile.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import * as client from "../../src/outbound/plugin-client.ts";

const start = Date.parse("2026-11-20T12:00:00.000Z");
const hourMs = 3_600_000;

const named = (name: string): ServerSpec => {
  const spec = serverSpecs.find((server) => server.name === name);
  if (!spec) throw new Error(`The fleet has no ${name}.`);
  return spec;
};

/** Every seventh sample of the day before `start`: no rhythm of the simulation has that length. */
const dayOf = (spec: ServerSpec, now = start) =>
  Array.from({ length: 411 }, (_, step) =>
    sampleAt(simulatedOf(spec, now), start - 24 * hourMs + step * 7 * 30_000),
  );

/** Bounds that hold between the fields of any sample; an unknown field breaks none. */
function isConsistent(sample: ReportedSample): boolean {
  const { player_count, tps, mspt, ticks_over_50ms, paused_empty } = sample;
  const upwards = (low: number | null, high: number | null): boolean =>
    low === null || high === null || low <= high;
  return (
    upwards(sample.ram_used_mb, sample.ram_max_mb) &&
    // Written in whole MB and in tenths.
    upwards(sample.heap_after_gc_mb, (sample.ram_used_mb ?? Infinity) + 0.5) &&
    upwards(sample.cpu_usage, sample.cpu_system) &&
    upwards(sample.mspt_p95, sample.worst_tick_ms) &&
    upwards(ticks_over_50ms, 600) &&
    (paused_empty !== true || (player_count === 0 && tps === null && mspt === null))
  );
}

const benchmarks = serverSpecs.flatMap((spec) => {
  const { seed, kind } = spec.profile;
  const server = {
    seed,
    pluginVersion: spec.pluginVersion,
    tellsOutcome: kind !== "old_plugin",
    software: spec.software,
  };
  return spec.runs.map((run) => ({ run, make: () => benchmarkPayload(server, run, start) }));
});

describe("simulated samples", () => {
  it.each(serverSpecs)(
    "[OUR-DEM-09] of $name are accepted by the plugin API and contradict themselves nowhere in a day",
    (spec) => {
      const samples = dayOf(spec).map((sample) => ReportedSample.parse(sample));
      expect(samples.filter((sample) => !isConsistent(sample))).toEqual([]);
    },
  );

  it("[OUR-DEM-08] of the last day come every 30 s but for the outage, in bodies of fewer than 1000", () => {
    const bodies = (name: string) => [
      ...lastDay({ spec: named(name), simulated: simulatedOf(named(name), start) }, start),
    ];
    expect(bodies("Archipelago").flat()).toHaveLength(2880);
    const cut = bodies("Evergreen Survival");
    expect(cut.flat()).toHaveLength(2880 - 42);
    expect(Math.max(...cut.map(({ length }) => length))).toBeLessThan(1000);
    const [first, second] = cut.flat().map(({ sampled_at }) => Date.parse(sampled_at));
    expect([first, second]).toEqual([start - 24 * hourMs, start - 24 * hourMs + 30_000]);
  });

  it("[OUR-DEM-09] are the same for the same server and instant, and differ between servers", () => {
    const [one, two] = [named("Evergreen Survival"), named("Operations")].map((spec) =>
      simulatedOf(spec, start),
    );
    if (!one || !two) throw new Error("unreachable");
    expect(sampleAt(one, start)).toEqual(sampleAt({ ...one }, start));
    expect(sampleAt(one, start)).not.toEqual(sampleAt(two, start));
  });

  it("[OUR-DEM-09] follow the hour: more players in the evening than at dawn, and ticks that cost more", () => {
    const simulated = simulatedOf(named("Evergreen Survival"), start);
    const [dawn, evening] = ["2026-11-20T04:30:00Z", "2026-11-20T19:30:00Z"].map((at) =>
      sampleAt(simulated, Date.parse(at)),
    );
    expect(evening?.player_count).toBeGreaterThan(3 * Number(dawn?.player_count));
    expect(evening?.mspt).toBeGreaterThan(1.5 * Number(dawn?.mspt));
  });

  it("[OUR-DEM-09] of an overloaded server show ticks over 50 ms, lost time and fewer than 20 ticks a second", () => {
    const late = dayOf(named("Foundry SMP"), start - 24 * hourMs).filter(({ mspt }) => Number(mspt) > 60);
    expect(late.length).toBeGreaterThan(20);
    for (const { tps, lag_seconds, ticks_over_50ms } of late) {
      expect(tps).toBeLessThan(18);
      expect(lag_seconds).toBeGreaterThan(0);
      expect(ticks_over_50ms).toBeGreaterThan(0);
    }
  });

  it("[OUR-DEM-09] of an old plugin leave out what it does not know", () => {
    const known = ["sampled_at", "tps", "mspt", "player_count", "ram_used_mb", "ram_max_mb", "cpu_usage"];
    expect(Object.keys(sampleAt(simulatedOf(named("Old Mill"), start), start))).toEqual(known);
  });
});

describe("simulated benchmark runs", () => {
  it("[OUR-DEM-10] are accepted by the plugin API, each with a local id of its own", () => {
    const payloads = benchmarks.map(({ make }) => ReportPayload.parse(make()));
    const modes = new Set(payloads.map(({ benchmark_mode }) => benchmark_mode));
    expect(modes).toEqual(new Set(["standard", "stresslimit", "custom"]));
    for (const { account, name, runs, profile, software, pluginVersion } of serverSpecs) {
      const server = { seed: profile.seed, pluginVersion, tellsOutcome: true, software };
      const ids = runs.map((run) => benchmarkPayload(server, run, start).local_id);
      expect([account, name, new Set(ids).size]).toEqual([account, name, runs.length]);
    }
  });

  it("[OUR-DEM-10] are the same for the same server, run and instant", () => {
    for (const { make } of benchmarks) expect(make()).toEqual(make());
  });

  it("[OUR-DEM-10] score a good host above a throttled one, and tuned settings above default ones", () => {
    const total = (host: string, settings: string): number => {
      const found = benchmarks.find(
        ({ run }) => run.host === host && run.settings === settings && run.mode === "standard",
      );
      if (!found) throw new Error(`No standard run on ${host} with ${settings} settings.`);
      return scoreReport(ReportPayload.parse(found.make())).scores.total ?? 0;
    };
    expect(total("good", "ordinary")).toBeGreaterThan(2 * total("throttled", "ordinary"));
    expect(total("good", "after")).toBeGreaterThan(1.05 * total("good", "before"));
  });

  it("[OUR-DEM-10] keep custom runs out of the public list", () => {
    const custom = benchmarks.filter(({ run }) => run.mode === "custom");
    expect(custom.map(({ run }) => run.visibility)).not.toContain("public");
  });
});

describe("the live fleet", () => {
  const deadServer = (name: string) => {
    const spec = named(name);
    // Port 1 answers nobody.
    const plugin = client.pluginClient("http://127.0.0.1:1", "tks_none");
    return { spec, id: name, authToken: "tks_none", plugin, simulated: simulatedOf(spec, start) };
  };

  it("[OUR-DEM-12] goes on after heartbeats that failed, and not after its end", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const failed: string[] = [];
    const servers = ["Harbour", "Evergreen Creative", "Spare Blade"].map(deadServer);
    const fleet = await startLiveFleet(
      servers,
      () => start,
      (_error, name) => failed.push(name),
    );
    expect(failed.toSorted()).toEqual(["Evergreen Creative", "Harbour"]);
    vi.advanceTimersByTime(30_000);
    await fleet.stop();
    expect(failed).toHaveLength(3);
    vi.advanceTimersByTime(90_000);
    await fleet.stop();
    expect(failed).toHaveLength(3);
    vi.useRealTimers();
  });

  it("[OUR-DEM-12] says once that a server stopped, and sends nothing measured with it", () => {
    const spec = named("Evergreen Creative");
    const body = heartbeatAt({ spec, simulated: simulatedOf(spec, start) }, start);
    expect(body).toMatchObject({ announce: "stopping", sample: null });
  });
});

describe("the plugin's client", () => {
  const answers = {
    "link_codes.request": client.LinkCodeAnswer,
    "link_codes.claim": client.ClaimAnswer,
    "heartbeat.send": client.HeartbeatAnswer,
    "samples.send": client.SamplesAnswer,
    "events.send": client.EventsAnswer,
    "reports.upload": client.ReportAnswer,
  };

  it.each(Object.entries(answers))("reads the answer of %s as the service documents it", (id, answer) => {
    const endpoint = pluginEndpoints.find((candidate) => candidate.id === id);
    expect(answer.parse(endpoint?.example.output)).toEqual(endpoint?.example.output);
  });

  it.each(serverSpecs)("sends heartbeats of $name that the service reads", (spec) => {
    const endpoint = pluginEndpoints.find(({ id }) => id === "heartbeat.send");
    expect(
      endpoint?.input.safeParse(heartbeatAt({ spec, simulated: simulatedOf(spec, start) }, start)).error,
    ).toBeUndefined();
  });
});
