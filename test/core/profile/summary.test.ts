import { describe, expect, it } from "vitest";
import { SummaryBody } from "../../../src/core/profile/profile.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { documentOf, stacksDocument, type Stacks } from "./any-profile.ts";

const summaryOf = (stacks: Stacks, sent = {}): SummaryBody => summarise(stacksDocument(stacks, sent));
const codes = ({ key_points }: SummaryBody): string => key_points.map(({ code }) => code).join(" ");

const tick = "net.minecraft.server.MinecraftServer.tickServer";
const entity = "net.minecraft.world.entity.Mob.serverAiStep";
const park = "jdk.internal.misc.Unsafe.park";

describe("shape", () => {
  it("[PRO-07] [PRO-09] [PRO-10] [PRO-12] [PRO-14] [PRO-15] [PRO-17] has the documented fields, in their order", () => {
    const { lag, window, samples, platform, owners, methods, categories, key_points } = SummaryBody.shape;
    const keys = (schema: { readonly shape: object }): string => Object.keys(schema.shape).join(" ");
    expect(keys(SummaryBody)).toBe(
      "schema local_id trigger created_at lag window samples platform warnings owners_by_total owners owners_complete methods categories key_points",
    );
    expect(keys(lag.unwrap())).toBe("kind slow_ticks");
    expect(keys(window)).toBe("start end seconds");
    expect(keys(samples)).toBe("tick total");
    expect(keys(platform)).toBe("server_type server_version java_version");
    expect(keys(owners.element)).toBe("owner plugin self_pct total_pct");
    expect(keys(methods.element)).toBe("method owner pct");
    expect(keys(categories.element)).toBe("category pct");
    expect(keys(key_points.element)).toBe("code owner category pct tick_samples");
  });

  it("[PRO-07] [PRO-08] [PRO-09] [PRO-10] tells the capture as it was sent, times in UTC", () => {
    const {
      owners: _,
      methods: __,
      categories: ___,
      key_points: ____,
      ...told
    } = summaryOf([[tick, 300]], {
      local_id: "profile-7",
      trigger: "ring",
      created_at: "2026-11-20T08:12:03+01:00",
      lag: { kind: "freeze", slow_ticks: 3, longest_tick_ms: 5000 },
      capture: { window_start: "2026-11-20T07:11:03Z", window_seconds: 60.5 },
      samples: { tick: 300, total: 900 },
      platform: { server_type: "paper", server_version: "1.21.8-60" },
      jvm: { java_version: "21.0.4" },
    });
    expect(told).toEqual({
      schema: "service-profile-summary/1",
      local_id: "profile-7",
      trigger: "ring",
      created_at: "2026-11-20T07:12:03.000Z",
      lag: { kind: "freeze", slow_ticks: 3 },
      window: { start: "2026-11-20T07:11:03.000Z", end: null, seconds: 60.5 },
      samples: { tick: 300, total: 900 },
      platform: { server_type: "paper", server_version: "1.21.8-60", java_version: "21.0.4" },
      warnings: [],
      owners_by_total: [],
      owners_complete: true,
    });
  });

  it("[PRO-07] knows nothing of what was not sent", () => {
    expect(summarise(documentOf({}))).toEqual({
      schema: "service-profile-summary/1",
      local_id: "profile-1",
      trigger: null,
      created_at: null,
      lag: null,
      window: { start: null, end: null, seconds: null },
      samples: { tick: null, total: null },
      platform: { server_type: null, server_version: null, java_version: null },
      warnings: ["few-samples"],
      owners_by_total: [],
      owners: [],
      owners_complete: false,
      methods: [],
      categories: [],
      key_points: [{ code: "few-samples", owner: null, category: null, pct: null, tick_samples: null }],
    });
  });
});

describe("warnings", () => {
  const warned = (samples: number, ...warnings: string[]): string =>
    summaryOf([[tick, samples]], { warnings: warnings.map((code) => ({ code })) }).warnings.join(" ");

  it("[PRO-11] [OUR-PRO-10] begin with few-samples below 200 tick samples", () => {
    expect(warned(199, "stacks-cut", "x", "stacks-cut")).toBe("few-samples stacks-cut x");
    expect(warned(199, "stacks-cut", "few-samples")).toBe("few-samples stacks-cut");
    expect(warned(200, "stacks-cut")).toBe("stacks-cut");
  });

  it("[OUR-PRO-10] go by our count of the samples, not by the sender's word", () => {
    expect(warned(200, "few-samples")).toBe("");
    const counted = summaryOf([[tick, 150]], { samples: { tick: 210 } });
    expect(counted.warnings).toEqual([]);
    expect(counted.samples.tick).toBe(210);
    expect(summaryOf([[tick, 250]], { samples: { tick: 10 } }).samples.tick).toBe(250);
  });
});

describe("lists", () => {
  const plugins = (count: number, samples: (index: number) => number): Stacks =>
    Array.from({ length: count }, (_, index) => [
      `${tick} P${String(index).padStart(2, "0")}:net.p${index}.A.a`,
      samples(index),
    ]);

  it("[PRO-12] [PRO-19] owners are shares of tick samples, heaviest first", () => {
    const { owners } = summaryOf([
      [tick, 25],
      [`${tick} Shop:net.example.Shop.run`, 30],
      [`${tick} Shop:net.example.Shop.run java.util.HashMap.get`, 40],
      ["libc.so.6.malloc", 5],
    ]);
    expect(owners).toEqual([
      { owner: "jvm", plugin: false, self_pct: 40, total_pct: 40 },
      { owner: "Shop", plugin: true, self_pct: 30, total_pct: 70 },
      { owner: "server", plugin: false, self_pct: 25, total_pct: 95 },
      { owner: "other", plugin: false, self_pct: 5, total_pct: 5 },
    ]);
  });

  it("[PRO-12] [PRO-14] keep ten owners and ten methods", () => {
    const { owners, methods, owners_complete } = summaryOf(plugins(12, (index) => 100 - index));
    expect(owners.map(({ owner }) => owner)).toEqual(
      Array.from({ length: 10 }, (_, index) => `P${String(index).padStart(2, "0")}`),
    );
    expect(methods.map(({ method, owner }) => `${owner}:${method}`).at(-1)).toBe("P09:net.p9.A.a");
    expect(methods).toHaveLength(10);
    expect(owners_complete).toBe(false);
  });

  it("[PRO-13] are complete while every owner of 0.1 % is listed", () => {
    const complete = (last: number, whole: number): boolean =>
      summaryOf([...plugins(9, () => 100), [tick, whole - 900 - last], ["last:net.last.A.a", last]])
        .owners_complete;
    expect([complete(10, 10_000), complete(9, 10_000)]).toEqual([false, true]);
  });

  it("[PRO-13] [OUR-PRO-11] are not while an absent owner called what takes 0.1 %", () => {
    const { owners, owners_complete } = summaryOf([
      ...plugins(9, () => 100),
      [`${tick} Caller:net.last.A.a ${tick}`, 50],
    ]);
    expect(owners.map(({ owner }) => owner)).not.toContain("Caller");
    expect(owners_complete).toBe(false);
  });

  it.each([
    ["0.1 % of the samples are missing", [[tick, 999]], 1000, false],
    ["fewer are missing", [[tick, 9991]], 10_000, true],
    [
      "0.1 % end in a cut stack",
      [
        [tick, 999],
        [`${tick} !`, 1],
      ],
      1000,
      false,
    ],
    ["there are no samples", [], 0, false],
  ] as const)("[PRO-13] [OUR-PRO-11] when %s", (_, stacks, ticks, complete) => {
    expect(summaryOf(stacks, { samples: { tick: ticks } }).owners_complete).toBe(complete);
  });

  it("[PRO-15] categories are heaviest first, then other", () => {
    const { categories } = summaryOf([
      ["libc.so.6.malloc", 50],
      [`${tick} ${entity}`, 30],
      ["Shop:net.example.Shop.run", 5],
      [`${tick} ${entity} ${park}`, 15],
    ]);
    expect(categories).toEqual([
      { category: "entities", pct: 30 },
      { category: "waiting", pct: 15 },
      { category: "plugin", pct: 5 },
      { category: "other", pct: 50 },
    ]);
  });

  it("[OUR-PRO-02] code that the table does not know does its caller's kind of work", () => {
    const { categories } = summaryOf([
      [`${tick} ${entity} java.util.ArrayList.forEach net.example.Lambda.run libc.so.6.malloc`, 1],
    ]);
    expect(categories).toEqual([{ category: "entities", pct: 100 }]);
  });

  it("[OUR-PRO-02] what a plugin does inside a tick is its own work, until it calls into what is known", () => {
    const { categories } = summaryOf([
      [`${tick} Shop:net.example.Shop.run java.util.ArrayList.forEach libc.so.6.malloc`, 3],
      [`${tick} Shop:net.example.Shop.run ${entity}`, 1],
    ]);
    expect(categories).toEqual([
      { category: "plugin", pct: 75 },
      { category: "entities", pct: 25 },
    ]);
  });
});

describe("key points", () => {
  it("[PRO-17] [PRO-18] few-samples tells how many there are", () => {
    expect(summaryOf([["libc.so.6.malloc", 199]]).key_points).toEqual([
      { code: "few-samples", owner: null, category: null, pct: null, tick_samples: 199 },
    ]);
    expect(codes(summaryOf([["libc.so.6.malloc", 200]]))).toBe("");
  });

  it("[PRO-18] plugin-share is each plugin above 20 % by itself", () => {
    const shares = (menu: number) =>
      summaryOf([
        ["Shop:net.example.Shop.run", 3000],
        [`Shop:net.example.Shop.run Menu:net.other.Menu.open`, menu],
        [`Menu:net.other.Menu.open java.util.HashMap.get`, 7000 - menu],
      ]);
    expect(codes(shares(2000))).toBe("plugin-share category-share");
    expect(shares(2001).key_points.slice(0, 2)).toEqual([
      { code: "plugin-share", owner: "Shop", category: null, pct: 30, tick_samples: null },
      { code: "plugin-share", owner: "Menu", category: null, pct: 20.01, tick_samples: null },
    ]);
    expect(codes(summaryOf([["libc.so.6.malloc", 500]]))).toBe("");
  });

  it.each([
    [20_000, 100_000, []],
    [20_004, 100_000, [20]],
    [20_001, 100_000, [20]],
    [20_006, 100_000, [20.01]],
  ])(
    "[PRO-18] [OUR-PRO-19] a plugin of %s in %s samples is a key point of %j percent",
    (own, ticks, pcts) => {
      const { key_points, owners } = summaryOf([
        ["Shop:net.example.Shop.run", own],
        ["libc.so.6.malloc", ticks - own],
      ]);
      expect(key_points.map(({ code, pct }) => [code, pct])).toEqual(
        pcts.map((pct) => ["plugin-share", pct]),
      );
      expect(owners.find(({ owner }) => owner === "Shop")?.self_pct).toBe(pcts[0] ?? 20);
    },
  );

  it.each([
    [park, 14_996, 15, ""],
    [park, 15_000, 15, "waiting-share"],
    [entity, 29_996, 30, ""],
    [entity, 30_000, 30, "category-share"],
  ])("[PRO-18] [OUR-PRO-19] %s with %s of 100,000 samples is told as %s percent: %j", (...given) => {
    const [frame, samples, told, points] = given;
    const summary = summaryOf([
      [frame, samples],
      ["libc.so.6.malloc", 100_000 - samples],
    ]);
    expect(summary.categories[0]?.pct).toBe(told);
    expect(codes(summary)).toBe(points);
  });

  it("[PRO-18] waiting-share is from 15 %", () => {
    const shares = (waiting: number) =>
      summaryOf([
        [park, waiting],
        ["libc.so.6.malloc", 10_000 - waiting],
      ]).key_points;
    expect(shares(1499)).toEqual([]);
    expect(shares(1500)).toEqual([
      { code: "waiting-share", owner: null, category: "waiting", pct: 15, tick_samples: null },
    ]);
  });

  it("[PRO-18] [OUR-PRO-12] category-share is the heaviest kind of work from 30 %; waiting and other are none", () => {
    const shares = (entities: number, ticks = 0) =>
      codes(
        summaryOf([
          [entity, entities],
          [tick, ticks],
          [park, 1000],
          ["libc.so.6.malloc", 9000 - entities - ticks],
        ]),
      );
    expect(shares(2999)).toBe("");
    expect(shares(3000)).toBe("category-share");
    expect(
      summaryOf([
        [entity, 450],
        [tick, 550],
      ]).key_points,
    ).toEqual([{ code: "category-share", owner: null, category: "tick-loop", pct: 55, tick_samples: null }]);
  });
});
