import { describe, expect, it } from "vitest";
import { reportedStrings } from "../../support/hostile-names.ts";
import {
  concat,
  double,
  int,
  message,
  packedDoubles,
  packedInts,
  text,
} from "../../support/protobuf-writer.ts";
import { deepThread, source, type Call, type SparkFile } from "../../support/spark-file.ts";
import { digest, imported, paths, refusalOf, samplesOf } from "./reading.ts";

const call = (method: string, ms: Call["ms"], ...calls: readonly Call[]): Call => ({ method, ms, calls });

describe("a profile of spark", () => {
  it("[OUR-IMP-01] is an upload with the server, its JVM and the window as the file tells them", () => {
    const platform = message(
      7,
      text(2, "Bukkit"),
      text(3, "1.21.4-123-main@abc (MC: 1.21.4)"),
      text(4, "1.21.4"),
    );
    const system = message(
      9,
      message(1, int(1, 8)),
      message(6, text(1, "Azul"), text(2, "21.0.5"), text(4, "-Dtoken=x")),
      message(9, text(1, "OpenJDK")),
    );
    const metadata = [platform, message(7, text(8, "Purpur")), system, source("shop", "Shop"), int(16, 1)];
    const document = imported({ metadata, startMs: 1_780_000_000_000, endMs: 1_780_000_090_354 });
    expect({ ...document, frames: [], nodes: [] }).toEqual({
      schema: "service-profile/1",
      local_id: `spark-${digest}`,
      plugin_version: null,
      engine: "async",
      trigger: "import",
      created_at: "2026-05-28T20:28:10.354Z",
      capture: {
        window_start: "2026-05-28T20:26:40.000Z",
        window_end: "2026-05-28T20:28:10.354Z",
        window_seconds: 90.354,
        requested_seconds: null,
        stack_depth: null,
      },
      lag: null,
      measured: null,
      platform: {
        server_type: "purpur",
        server_version: "1.21.4-123-main@abc",
        bukkit_version: null,
        plugin_count: 1,
        service_version: null,
      },
      jvm: { java_version: "21.0.5", java_vendor: "Azul", vm_name: "OpenJDK", available_processors: 8 },
      samples: { tick: 10, total: 10, truncated_tick: null, capped_tick: null, distinct_stacks: 1 },
      warnings: [],
      frames: [],
      nodes: [],
    });
  });

  it("[OUR-IMP-01] tells null where the file tells nothing, or what cannot be", () => {
    const bare = imported({ startMs: 0, endMs: 0 });
    expect(bare.created_at).toBeNull();
    expect(bare.capture).toMatchObject({ window_start: null, window_end: null, window_seconds: null });
    expect(bare.platform).toMatchObject({ server_type: null, server_version: null, plugin_count: null });
    expect(Object.values(bare.jvm)).toEqual([null, null, null, null]);
    expect(bare.engine).toBe("java");
    const impossible = imported({
      startMs: 2 ** 62,
      endMs: 1000,
      metadata: [message(9, message(1, int(1, -1)))],
    });
    expect(impossible.capture).toMatchObject({ window_start: null, window_seconds: null });
    expect(impossible.jvm.available_processors).toBeNull();
    expect(imported({ startMs: 5000, endMs: 1000 }).capture.window_seconds).toBeNull();
    expect(imported({ startMs: 5000, endMs: 0 }).created_at).toBe("1970-01-01T00:00:05.000Z");
  });

  it("[OUR-IMP-02] samples are time by interval, summed over the windows, and add up", () => {
    const tree = call(
      "a.A.tick",
      [40, 24],
      call("b.B.run", [12, 0]),
      call("c.C.run", [0, 20], call("d.D.x", 4)),
    );
    for (const unpacked of [false, true]) {
      const document = imported({ threads: [{ calls: [tree] }], unpacked });
      expect(paths(document)).toEqual({
        "a.A.tick": 8,
        "a.A.tick > c.C.run": 4,
        "a.A.tick > c.C.run > d.D.x": 1,
        "a.A.tick > b.B.run": 3,
      });
      expect(document.samples).toMatchObject({ tick: 16, total: 16, distinct_stacks: 4 });
    }
  });

  it("[OUR-IMP-02] fractions of a sample are carried on, none is lost or negative", () => {
    const calls = Array.from({ length: 1000 }, (_, index) => call(`a.A.m${index}`, 0.4 * 4));
    const document = imported({ threads: [{ calls: [call("a.A.tick", 1600, ...calls)] }] });
    expect(document.samples.tick).toBe(400);
    expect(samplesOf(document)).toBe(400);
    expect(Math.min(...document.nodes.map(({ samples }) => samples))).toBeGreaterThanOrEqual(0);
    const third = imported({
      intervalUs: 333,
      threads: [{ calls: [call("a.A.tick", 0.333 * 7, call("b.B.x", 0.333 * 3))] }],
    });
    expect(paths(third)).toEqual({ "a.A.tick": 4, "a.A.tick > b.B.x": 3 });
  });

  it("[OUR-IMP-02] time of a thread in no call is a node without a method", () => {
    const document = imported({ threads: [{ ms: [48], calls: [call("a.A.tick", 40)] }] });
    expect(paths(document)).toEqual({ "a.A.tick": 10, "?": 2 });
    expect(document.samples.tick).toBe(12);
  });

  it("[OUR-IMP-03] threads that tick are the tree, the others count in the total", () => {
    const threads = [
      { name: "Server thread", calls: [call("a.A.tick", 40)] },
      { name: "Netty Epoll Server IO #1", calls: [call("n.N.run", 400)] },
    ];
    const document = imported({ threads });
    expect(paths(document)).toEqual({ "a.A.tick": 10 });
    expect(document.samples).toMatchObject({ tick: 10, total: 110 });
  });

  it("[OUR-IMP-03] regions of Folia tick in several threads, and are one tree", () => {
    const names = [
      "Folia Region Scheduler Thread #0",
      "Region Scheduler Thread #12",
      "Region Scheduler Thread (x8)",
    ];
    const threads = names.map((name) => ({ name, calls: [call("a.A.tick", 40, call("b.B.x", 8))] }));
    const document = imported({ threads });
    expect(paths(document)).toEqual({ "a.A.tick": 24, "a.A.tick > b.B.x": 6 });
    expect(document.samples).toMatchObject({ tick: 30, total: 30, distinct_stacks: 2 });
    expect(
      refusalOf(() => imported({ threads: [{ name: "Region Scheduler Threadlike", calls: [] }] })),
    ).toContain("no thread with ticks");
    expect(refusalOf(() => imported({ threads: [] }))).toContain("Record it without --thread");
  });

  it("[OUR-IMP-04] calls of one method from one place are one node, parents first", () => {
    const tree = call(
      "a.A.tick",
      40,
      call("b.B.x", 8, call("c.C.y", 4)),
      call("b.B.x", 12, call("c.C.y", 4)),
    );
    const document = imported({ threads: [{ calls: [tree] }] });
    expect(paths(document)).toEqual({ "a.A.tick": 5, "a.A.tick > b.B.x": 3, "a.A.tick > b.B.x > c.C.y": 2 });
    expect(document.nodes.every(({ parent }, index) => parent < index)).toBe(true);
  });

  for (const levels of [300, 100_000])
    it(`[OUR-IMP-04] ${levels} levels are read, each with its own sample`, () => {
      const document = imported({ threads: [deepThread(levels)] });
      expect(document.nodes).toHaveLength(levels);
      expect(document.samples.tick).toBe(levels);
      expect(new Set(document.nodes.map(({ samples }) => samples))).toEqual(new Set([1]));
      expect(document.nodes.at(-1)?.parent).toBe(levels - 2);
    });

  it("[OUR-IMP-08] lag is told where only slow ticks were kept", () => {
    const windows = [469.36, 1200.5].map((longest, index) =>
      message(7, int(1, index), message(2, int(1, 400), double(6, longest))),
    );
    const slow = { metadata: [message(5, int(1, 1), int(3, 150), int(4, 17))], more: windows };
    const document = imported(slow);
    expect(document.lag).toEqual({
      kind: null,
      started_at: null,
      detected_at: null,
      slow_ticks: 17,
      longest_tick_ms: 1200.5,
    });
    expect(document.warnings).toEqual([{ code: "only-slow-ticks", params: { ticks: 17 } }]);
    for (const all of [message(5, int(1, 1), int(4, 17)), message(5, int(3, 150), int(4, 17))]) {
      expect(imported({ metadata: [all], more: windows })).toMatchObject({ lag: null, warnings: [] });
    }
    const negative = imported({ metadata: [message(5, int(1, 1), int(3, 150), int(4, -1))] });
    expect(negative.lag).toMatchObject({ slow_ticks: null, longest_tick_ms: null });
  });
});

describe("owners of methods in a profile of spark", () => {
  const owners = (calls: readonly string[], file: SparkFile): Record<string, unknown> => {
    const document = imported({ ...file, threads: [{ calls: calls.map((method) => call(method, 4)) }] });
    return Object.fromEntries(document.frames.map(({ frame, owner, plugin }) => [frame, [owner, plugin]]));
  };

  it("[OUR-IMP-05] are the names that the sources of their classes show", () => {
    const metadata = [
      source("shop", "Shop Deluxe"),
      source("luckperms", "LuckPerms"),
      source("nameless", ""),
    ];
    const classSources = { "s.Shop": "shop", "l.Perms": "LuckPerms", "n.N": "nameless", "u.U": "unlisted" };
    expect(
      owners(["s.Shop.a", "l.Perms.b", "n.N.c", "u.U.d", "o.Other.e"], { metadata, classSources }),
    ).toEqual({
      "s.Shop.a": ["Shop Deluxe", true],
      "l.Perms.b": ["LuckPerms", true],
      "n.N.c": ["nameless", true],
      "u.U.d": ["unlisted", true],
      "o.Other.e": [null, false],
    });
  });

  it("[OUR-IMP-05] a lambda or nested class that is not listed belongs to the class around it", () => {
    const classSources = { "s.Shop": "shop", "s.Shop$Own": "other" };
    const methods = [
      "s.Shop$$Lambda.0x00007f4fc8930eb0.run",
      "s.Shop$Cart$Item.x",
      "s.Shop$Own.y",
      "s.Shopper.z",
    ];
    expect(Object.values(owners(methods, { classSources }))).toEqual([
      ["shop", true],
      ["shop", true],
      ["other", true],
      [null, false],
    ]);
  });

  it("[OUR-IMP-05] the game, the server and its loader are `server`, and spark is no plugin", () => {
    const metadata = [
      message(7, text(2, "MyFork")),
      source("minecraft", "Minecraft"),
      source("fabricloader", "Fabric Loader"),
      source("api", "Some API", true),
      source("spark", "spark"),
      source("fabric_api_base", "Fabric API Base"),
    ];
    const ids = ["minecraft", "fabricloader", "Paper", "api", "myfork", "spark", "fabric_api_base"];
    const classSources = Object.fromEntries(ids.map((id) => [`x.${id}`, id]));
    const found = owners(
      ids.map((id) => `x.${id}.m`),
      { metadata, classSources },
    );
    expect(Object.values(found)).toEqual([
      ...Array.from({ length: 5 }, () => ["server", false]),
      ["spark", false],
      ["Fabric API Base", true],
    ]);
    expect(imported({ metadata }).platform.plugin_count).toBe(2);
  });

  it("[OUR-IMP-05] machine code belongs to nobody, and the place of its library is not told", () => {
    const native = ["native", "libc.so.6", "libjvm.so", "sable_x86_64.so", "zip.dll", "libz.1.dylib"];
    const classSources = Object.fromEntries(native.map((name) => [name, "shop"]));
    const found = owners([...native.map((name) => `${name}.read`), "com.so.Shop.x"], {
      classSources: { ...classSources, "com.so.Shop": "shop" },
    });
    expect(Object.values(found)).toEqual([...native.map(() => [null, false]), ["shop", true]]);
    const raw = concat([
      message(3, text(3, "native"), text(4, "/home/jane.doe/natives/librapier.so"), packedDoubles(8, [4])),
      message(3, text(3, "native"), text(4, "C:\\Users\\Jane\\x.dll"), packedDoubles(8, [4])),
      message(3, text(3, "native"), text(4, "operator/ (Vec, int)"), packedDoubles(8, [4])),
      packedInts(5, [0, 1, 2]),
    ]);
    expect(imported({ threads: [{ raw }] }).frames.map(({ frame }) => frame)).toEqual([
      "native.librapier.so",
      "native.x.dll",
      "native.operator/ (Vec, int)",
    ]);
  });

  it("[OUR-IMP-05] names are kept as they are, as long as they may be and without U+0000", () => {
    for (const name of [
      ...reportedStrings,
      "\u0000",
      "x".repeat(2000),
      "😀".repeat(700),
      "é\u0000".repeat(400),
    ]) {
      if (name.includes(".")) continue;
      const document = imported({
        metadata: [
          source("id", name),
          message(7, text(2, name), text(3, name), text(4, name), text(8, name)),
        ],
        threads: [{ calls: [call(`${name}.m`, 4)] }],
        classSources: { [name]: "id" },
      });
      const short = name.length < 100 && !name.includes("\u0000");
      if (short) expect(document.frames).toEqual([{ frame: `${name}.m`, owner: name, plugin: true }]);
      else expect(document.frames[0]?.frame?.isWellFormed()).toBe(true);
    }
  });
});
