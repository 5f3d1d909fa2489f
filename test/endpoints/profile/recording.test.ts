import { selectProfileDocument } from "../../../src/store/profile/profiles.ts";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryComparison } from "../../../src/core/memory-report/comparison.ts";
import { callTree } from "../../../src/core/profile/call-tree.ts";
import { ProfileDetail } from "../../../src/core/profile/profile-detail.ts";
import { ProfileSummary } from "../../../src/core/profile/profile.ts";
import { ownerShares } from "../../../src/core/profile/listed-shares.ts";
import { unpack } from "../../../src/documents/packed.ts";
import { storedProfile } from "../../../src/core/profile/stored-profile.ts";
import { sharedData } from "../../support/shared-data.ts";
import { rowsOf } from "../../support/service.ts";
import { capturing, storedCaptures, storedText, type Uploader } from "./capturing.ts";

const scene = capturing();
const spark = { "content-type": "application/x-spark-sampler" };
const histogram = { "content-type": "text/x-java-class-histogram" };

const recording = sharedData("spark/uUrbLpnMju.sparkprofile");
const expectedPath = sharedData("spark/expected-uurblpnmju.json");
const paper = sharedData("memory/class-histogram-paper.txt");

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What another program made of the recording: those of its figures that an answer of ours tells too. */
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
  system: z.object({ cpu: z.object({ threads: z.number() }) }),
  mod_catalog: z.record(z.string(), z.object({ name: z.string() })),
  mod_rollups: z.array(z.object({ mod_id: z.string() })),
  capture: z.object({ creator: z.string(), server_configurations: z.record(z.string(), z.string()) }),
  deep: z.object({
    top_methods: z.array(z.object({ class: z.string(), method: z.string(), weight: z.number() })),
  }),
});

const toldElsewhere = (): z.output<typeof Expected> =>
  Expected.parse(JSON.parse(readFileSync(expectedPath ?? "/dev/null", "utf8")));

/** Uploads the recording as that uploader, and reads what became of it. */
async function recorded(one: Uploader) {
  const bytes = readFileSync(recording ?? "/dev/null");
  const ids = await one.store("/profiles", bytes, spark);
  const [summaryId, profileId] = [String(ids["summary_id"]), String(ids["profile_id"])];
  const [row] = rowsOf(await one.ofServer("/profiles/summaries?days=365"));
  const answer = await one.ofServer(`/profiles/${profileId}`);
  const { detail, ...profile } = ProfileDetail.parse(answer.json);
  if (detail === null) throw new Error("The recording has no detail.");
  return { bytes, summaryId, profileId, row: ProfileSummary.parse(row), profile, detail, text: answer.text };
}

describe.skipIf(recording === null || expectedPath === null)(
  "the recorded profile of a NeoForge server",
  () => {
    it("[OUR-IMP-13] is one profile, raw, gzipped, or gzipped for the way", async () => {
      const { mine } = scene;
      const { bytes, summaryId, profileId } = await recorded(mine);
      const zipped = gzipSync(bytes);
      for (const [body, headers] of [
        [bytes, spark],
        [zipped, spark],
        [bytes, { ...spark, "content-encoding": "identity" }],
        [zipped, { ...spark, "content-encoding": "gzip" }],
      ] as const) {
        const again = await mine.upload("/profiles", body, headers);
        expect([again.status, again.json]).toEqual([200, { summary_id: summaryId, profile_id: profileId }]);
      }
      const other = await scene.beside(mine);
      const first = await other.upload("/profiles", zipped, { ...spark, "content-encoding": "gzip" });
      expect(first.status).toBe(201);
      const [raw] = rowsOf(await mine.ofServer("/profiles/summaries"));
      const [packed] = rowsOf(await other.ofServer("/profiles/summaries"));
      expect(packed?.["summary"]).toEqual(raw?.["summary"]);
      console.log(`recording: ${bytes.length} bytes raw, ${zipped.length} gzipped: the same summary`);
    });

    it("[OUR-IMP-02] [OUR-PRO-08] [PRO-15] has 22,464 samples, and its owners, methods and categories add up", async () => {
      const { profileId, row, profile, detail } = await recorded(scene.mine);
      const { summary } = row;
      for (const samples of [summary.samples, detail.samples])
        expect(samples).toMatchObject({ tick: 22_464, total: 22_464 });
      expect([profile.tick_samples, profile.total_samples]).toEqual([22_464, 22_464]);
      const stored = await scene.service.app.db.read(selectProfileDocument, profileId);
      const document = stored && unpack(stored, storedProfile);
      if (document === null) throw new Error("The document is gone.");
      const owners = ownerShares(callTree(document));
      const own = sum(owners.map(({ selfPct }) => selfPct));
      expect(Math.abs(own - 100)).toBeLessThanOrEqual(0.1);
      expect(sum(owners.map(({ self }) => self))).toBe(22_464);
      expect(detail.owners.map(({ owner, self_pct, total_pct }) => [owner, self_pct, total_pct])).toEqual(
        owners.slice(0, 30).map(({ owner, selfPct, totalPct }) => [owner, selfPct, totalPct]),
      );
      expect([detail.owners_truncated, summary.owners_complete]).toEqual([true, false]);
      expect(summary.owners.map(({ owner, self_pct }) => [owner, self_pct])).toEqual(
        detail.owners.slice(0, 10).map(({ owner, self_pct }) => [owner, self_pct]),
      );
      const categories = sum(summary.categories.map(({ pct }) => pct));
      const methods = sum(detail.methods.map(({ self_pct }) => self_pct ?? 0));
      expect(categories).toBeLessThanOrEqual(100.000_001);
      expect(categories).toBeGreaterThan(99);
      expect(methods).toBeLessThanOrEqual(100);
      for (const { owner, self_pct, top_methods } of detail.owners)
        expect(sum(top_methods.map(({ pct }) => pct)), owner).toBeLessThanOrEqual(self_pct + 0.021);
      expect(sum(detail.paths.map(({ ends_pct }) => ends_pct))).toBeLessThanOrEqual(methods + 0.1);
      console.log(
        `${owners.length} owners: own shares ${own.toFixed(2)} %; 30 of them ${sum(detail.owners.map(({ self_pct }) => self_pct)).toFixed(2)} %; ` +
          `${summary.categories.length} categories ${categories.toFixed(2)} %; 30 methods ${methods.toFixed(2)} %; ` +
          `heaviest ${summary.owners.map(({ owner, self_pct }) => `${owner} ${self_pct}`).join(", ")}; key points ${summary.key_points.map(({ code, owner, category, pct }) => `${code} ${owner ?? category ?? ""} ${pct}`).join(", ")}`,
      );
    });

    it("[OUR-IMP-01] [PRO-26] [PRO-27] agrees with the other program on window, interval, engine, versions, mods and heavy calls", async () => {
      const { row, profile, detail } = await recorded(scene.mine);
      const expected = toldElsewhere();
      const { window, platform } = expected;
      const [start, end] = [window.start_ms, window.end_ms].map((ms) => new Date(ms).toISOString());
      expect(detail.capture).toMatchObject({
        window_start: start,
        window_end: end,
        window_seconds: window.duration_sec,
      });
      expect(row.summary.window).toEqual({ start, end, seconds: window.duration_sec });
      expect([profile.captured_at, profile.window_seconds]).toEqual([end, 90.354]);
      expect(detail.engine).toBe(platform.engine);
      expect(profile.server_type).toBe(platform.loader.toLowerCase());
      expect(profile.server_version).toBe(`${platform.minecraft}-${platform.loader_version}`);
      expect(detail.jvm.available_processors).toBe(expected.system.cpu.threads);
      // The game and its loader are in its catalogue of mods, and no mods.
      expect(detail.platform.plugin_count).toBe(Object.keys(expected.mod_catalog).length - 2);
      expect([profile.trigger, detail.lag, detail.samples.truncated_tick]).toEqual(["import", null, null]);
      const perSampleMs = window.sample_interval_us / 1000;
      expect((detail.samples.tick ?? 0) * perSampleMs).toBe(89_856);
      const heavy = new Map(
        expected.deep.top_methods.map(({ class: name, method, weight }) => [
          `${name}.${method}`,
          (100 * weight) / perSampleMs / 22_464,
        ]),
      );
      const shown = new Set(detail.paths.flatMap(({ frames }) => frames.map(({ frame }) => frame)));
      const agreed = [...heavy.keys()].filter((name) => shown.has(name));
      expect(agreed.length).toBeGreaterThanOrEqual(5);
      const told = detail.methods.filter(({ method }) => heavy.has(method));
      for (const { method, total_pct } of told)
        expect(total_pct ?? 0).toBeGreaterThanOrEqual((heavy.get(method) ?? 0) - 0.01);
      const mods = new Set([
        ...Object.entries(expected.mod_catalog).flatMap(([id, { name }]) => [id, name]),
        ...expected.mod_rollups.map(({ mod_id }) => mod_id),
      ]);
      const plugins = detail.owners.filter(({ plugin }) => plugin).map(({ owner }) => owner);
      expect(plugins.length).toBeGreaterThan(10);
      expect(plugins.filter((owner) => !mods.has(owner))).toEqual([]);
      console.log(
        `agrees with expected-uurblpnmju.json on window start, end and ${window.duration_sec} s, interval (${detail.samples.tick} samples of ${perSampleMs} ms), engine, loader, ` +
          `game and loader version, processors, mods (284 less the game and the loader), names of ${plugins.length} mods; ${agreed.length} of its 30 heavy calls stand in the heaviest stacks, ${told.length} in the methods`,
      );
    });

    it("[OUR-IMP-09] leaves nobody's name, id, address or setting in a row, a document or an answer", async () => {
      const { bytes, summaryId, row, text } = await recorded(scene.mine);
      const expected = toldElsewhere();
      const json = expected.capture.server_configurations["server.properties"] ?? "{}";
      const properties = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
      const keys = Object.keys(properties).filter((key) => /[-.]/.test(key));
      const values = Object.values(properties)
        .map(String)
        .filter((value) => value.length > 9);
      const fixed = [
        "6ef5772e",
        "server.properties",
        "rcon",
        "25575",
        "-Xm",
        "-XX:",
        "/home/",
        "AMD Ryzen",
        "Ubuntu",
      ];
      const secrets = [expected.capture.creator, ...fixed, ...keys, ...values];
      const file = bytes.toString("latin1");
      const there = secrets.filter((secret) => file.includes(secret));
      expect(there.length).toBeGreaterThan(30);
      expect(there).toEqual(expect.arrayContaining([expected.capture.creator, "rcon", "server.properties"]));
      const places = {
        stored: await storedText(scene.service, "/profiles", summaryId),
        row: JSON.stringify(row),
        detail: text,
        account: (await scene.mine.get("/monitoring/profiles")).text,
      };
      for (const [place, found] of Object.entries(places)) {
        expect([place, secrets.filter((secret) => found.includes(secret))]).toEqual([place, []]);
        expect([place, /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/.exec(found)]).toEqual([
          place,
          null,
        ]);
      }
      const lengths = Object.entries(places).map(([place, found]) => `${place} ${found.length}`);
      console.log(`hygiene: ${there.length} texts of the file in none of ${lengths.join(", ")} characters`);
    });
  },
);

const tools = { java: "java", jcmd: "jcmd" };
const missingJava = Object.values(tools).filter((tool) => spawnSync(tool, ["-help"]).error !== undefined);
if (missingJava.length > 0)
  console.warn(`*** SKIPPED: no ${missingJava.join(" and ")} here: no live class histogram is uploaded ***`);

/** What jcmd prints of a JVM that this starts and ends. */
async function liveHistogram(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-jvm-"));
  const file = join(folder, "Nap.java");
  const main = 'System.out.println("up"); Thread.sleep(120000);';
  writeFileSync(file, `class Nap { public static void main(String[] a) throws Exception { ${main} } }`);
  const java = spawn(tools.java, ["-Xmx64m", file], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await Promise.race([once(java.stdout, "data"), once(java, "exit")]);
    expect(java.exitCode).toBeNull();
    return execFileSync(tools.jcmd, [String(java.pid), "GC.class_histogram"]);
  } finally {
    if (java.exitCode === null && java.kill()) await once(java, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("class histograms", () => {
  it.skipIf(paper === null || missingJava.length > 0)(
    "[OUR-IMP-11] [MEM-03] [MEM-20] a recorded one of Paper and one of a JVM that runs here are reports, and compare",
    async () => {
      const { mine } = scene;
      const printed = await liveHistogram();
      const [, bytes] = /^Total +\d+ +(\d+)$/m.exec(printed.toString()) ?? [];
      const base = await mine.store("/memory-reports", readFileSync(paper ?? "/dev/null"), histogram);
      const live = await mine.store("/memory-reports", gzipSync(printed), histogram);
      const again = await mine.upload("/memory-reports", printed, histogram);
      expect([again.status, again.json]).toEqual([200, live]);
      expect(await storedCaptures(scene.service)).toMatchObject({ memory_report: 2, memory_document: 2 });
      const shown = await mine.ofServer(`/memory-reports/${String(live["id"])}`);
      expect(shown.json).toMatchObject({ heap_bytes: Number(bytes), diagnosis: { measure: "shallow" } });
      const pair = await mine.ofServer(
        `/memory-reports/compare?base=${String(live["id"])}&target=${String(base["id"])}`,
      );
      const compared = MemoryComparison.parse(pair.json);
      expect([compared.base.id, compared.target.id]).toEqual([base["id"], live["id"]]);
      expect(compared.total.target_bytes).toBe(Number(bytes));
      const { level, issues } = compared.comparability;
      console.log(
        `live histogram: ${printed.length} characters, ${bytes} bytes; beside the recorded one ${level} (${issues.map(({ code }) => code).join(", ")}), ` +
          `${compared.owners.length} owners, ${compared.classes.length} classes, the first ${JSON.stringify(compared.classes[0])}`,
      );
      expect(level).not.toBe("not-comparable");
      expect(compared.classes.length).toBeGreaterThan(0);
    },
  );
});
