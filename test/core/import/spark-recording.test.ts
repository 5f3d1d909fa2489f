import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { profileOfSpark } from "../../../src/core/import/spark-profile.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { sharedData } from "../../support/shared-data.ts";
import { digest, inclusive, samplesOf, sum } from "./reading.ts";

const path = sharedData("spark/uUrbLpnMju.sparkprofile");
const expectedPath = sharedData("spark/expected-uurblpnmju.json");

/** What another program made of the recording: those of its figures that a profile of ours has too. */
const Expected = z.object({
  window: z.object({
    start_ms: z.number(),
    end_ms: z.number(),
    sample_interval_us: z.number(),
    duration_sec: z.number(),
  }),
  platform: z.object({
    loader: z.string(),
    loader_version: z.string(),
    minecraft: z.string(),
    engine: z.string(),
  }),
  mod_catalog: z.record(z.string(), z.object({ name: z.string(), version: z.string() })),
  threads_analyzed: z.array(z.string()),
  capture: z.object({ creator: z.string(), server_configurations: z.record(z.string(), z.string()) }),
  deep: z.object({
    top_methods: z.array(
      z.object({ class: z.string(), method: z.string(), weight: z.number(), pct: z.number() }),
    ),
  }),
});

/** Describes the recording where it is there; who lacks it was told so. */
function recorded(
  named: string,
  tests: (files: { bytes: Uint8Array; expected: z.output<typeof Expected> }) => void,
): void {
  if (path === null || expectedPath === null) {
    describe.skip(named, () => it.todo("the recording"));
    return;
  }
  const bytes = new Uint8Array(readFileSync(path));
  const expected = Expected.parse(JSON.parse(readFileSync(expectedPath, "utf8")));
  describe(named, () => tests({ bytes, expected }));
}

recorded("the recorded profile of a NeoForge server", ({ bytes, expected }) => {
  const read = profileOfSpark(bytes, digest);
  const document = ProfileDocument.parse(read);

  it("[OUR-IMP-02] has 22,464 samples of 4 ms, and those of its tree add up to them", () => {
    expect(document.samples).toMatchObject({ tick: 22_464, total: 22_464 });
    expect(samplesOf(document)).toBe(22_464);
    const roots = document.nodes.flatMap(({ parent }, index) => (parent < 0 ? [index] : []));
    const below = inclusive(document);
    expect(sum(roots.map((index) => below[index] ?? 0))).toBe(22_464);
    const owners = new Map<string, number>();
    for (const { frame, samples } of document.nodes) {
      const owner = document.frames[frame]?.owner ?? "told by the class";
      owners.set(owner, (owners.get(owner) ?? 0) + samples);
    }
    const heaviest = [...owners].toSorted(([, a], [, b]) => b - a).slice(0, 6);
    console.log(
      `recording: ${document.nodes.length} nodes, ${document.frames.length} frames, ${owners.size} owners; heaviest ${heaviest.map(([name, samples]) => `${name} ${samples}`).join(", ")}`,
    );
    expect(sum([...owners.values()])).toBe(22_464);
  });

  it("[OUR-IMP-01] agrees with another program on server, engine, window, mods and thread", () => {
    const { window, platform } = expected;
    expect(document.engine).toBe(platform.engine);
    expect(document.platform.server_type).toBe(platform.loader.toLowerCase());
    expect(document.platform.server_version).toBe(`${platform.minecraft}-${platform.loader_version}`);
    expect(Date.parse(document.capture.window_start ?? "")).toBe(window.start_ms);
    expect(Date.parse(document.capture.window_end ?? "")).toBe(window.end_ms);
    expect(document.capture.window_seconds).toBe(window.duration_sec);
    expect(document.created_at).toBe(document.capture.window_end);
    // Of the 284 it lists the game and NeoForge are no mods.
    expect(Object.keys(expected.mod_catalog)).toHaveLength(284);
    expect(document.platform.plugin_count).toBe(282);
    expect(expected.threads_analyzed).toEqual(["Server thread"]);
    expect(document.jvm).toEqual({
      java_version: "21.0.11",
      java_vendor: "Eclipse Adoptium",
      vm_name: "OpenJDK 64-Bit Server VM",
      available_processors: 8,
    });
  });

  /** Its `pct` are shares of the sum of all calls' times, each counted again in its callers: no shares of samples. */
  it("[OUR-IMP-02] agrees with another program on the time in each of its 30 heaviest calls", () => {
    const below = inclusive(document);
    const heaviest = new Map<string, number>();
    for (const [index, { frame }] of document.nodes.entries()) {
      const name = document.frames[frame]?.frame ?? "";
      heaviest.set(name, Math.max(heaviest.get(name) ?? 0, below[index] ?? 0));
    }
    const perSampleMs = expected.window.sample_interval_us / 1000;
    const methods = expected.deep.top_methods;
    expect(methods).toHaveLength(30);
    for (const { class: className, method, weight } of methods)
      expect(heaviest.get(`${className}.${method}`), method).toBe(weight / perSampleMs);
    const [first] = methods;
    expect(first?.pct).toBe(4.04);
    expect((first?.weight ?? 0) / perSampleMs / 22_464).toBeCloseTo(0.988, 3);
  });

  it("[OUR-IMP-05] names the mods by their classes, and nobody for machine code", () => {
    const ownersOf = (begin: string): unknown[] => {
      const found = document.frames.filter(({ frame }) => frame?.startsWith(begin));
      return [...new Set(found.map(({ owner, plugin }) => `${owner} ${plugin}`))];
    };
    expect(ownersOf("com.simibubi.create.content.redstone.link.RedstoneLinkBlockEntity.")).toEqual([
      "create true",
    ]);
    expect(ownersOf("net.neoforged.neoforge.common.NeoForgeMod.")).toEqual([]);
    for (const native of ["native.", "libjvm.so.", "libc.so.6.", "sable_rapier_x86_64_linux.so."])
      expect(ownersOf(native), native).toEqual(["null false"]);
    expect(document.frames.map(({ frame }) => frame)).toContain("native.sable_rapier_x86_64_linux.so");
    const owners = new Set(document.frames.filter(({ plugin }) => plugin).map(({ owner }) => owner));
    expect(owners.size).toBeGreaterThan(80);
    expect(owners).not.toContain("minecraft");
    expect(owners).not.toContain("neoforge");
  });

  it("[OUR-IMP-09] holds nothing of who recorded it, the configuration, JVM arguments or paths", () => {
    const json = JSON.stringify(read);
    const properties = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(expected.capture.server_configurations["server.properties"] ?? "{}"));
    const keys = Object.keys(properties).filter((key) => /[-.]/.test(key));
    const values = Object.values(properties)
      .map(String)
      .filter((value) => value.length > 9);
    expect(keys).toContain("rcon.port");
    expect(keys).toContain("generator-settings");
    const secret = [
      expected.capture.creator,
      "6ef5772e",
      "server.properties",
      "rcon",
      "level-seed",
      "25575",
      ...keys,
      ...values,
    ];
    const jvm = ["-Xm", "-XX:", "-Dterminal", "/home/", "home/container", "/usr/lib", "AMD Ryzen", "Ubuntu"];
    const raw = Buffer.from(bytes).toString("latin1");
    const there = [...secret, ...jvm].filter((text) => raw.includes(text));
    expect(there.length).toBeGreaterThan(30);
    expect([...secret, ...jvm].filter((text) => json.includes(text))).toEqual([]);
    console.log(
      `hygiene: ${there.length} texts that are in the file, none in ${json.length} bytes made of it`,
    );
  });
});
