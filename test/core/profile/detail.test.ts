import { describe, expect, it } from "vitest";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { DetailBody } from "../../../src/core/profile/profile-detail.ts";
import { documentOf, get, market, shop, stacksDocument, tick, type Stacks } from "./any-profile.ts";

const detail = (stacks: Stacks, owner: string | null = null, sent = {}): DetailBody =>
  detailOf(stacksDocument(stacks, sent), owner);

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("shape", () => {
  it("[PRO-25] [PRO-26] [PRO-27] [PRO-28] [PRO-29] [PRO-31] [PRO-32] [PRO-33] [PRO-34] has the documented fields, in their order", () => {
    const { capture, lag, platform, jvm, samples, warnings, owners, owner_filter, methods, paths } =
      DetailBody.shape;
    const keys = (schema: { readonly shape: object }): string => Object.keys(schema.shape).join(" ");
    expect(keys(DetailBody)).toBe(
      "schema engine trigger created_at capture lag platform jvm samples warnings measured owners_by_total owners owners_truncated owner_filter methods methods_truncated paths paths_truncated tree_truncated",
    );
    expect(keys(capture)).toBe("window_start window_end window_seconds requested_seconds stack_depth");
    expect(keys(lag.unwrap())).toBe("kind started_at detected_at slow_ticks longest_tick_ms");
    expect(keys(platform)).toBe("server_type server_version bukkit_version plugin_count service_version");
    expect(keys(jvm)).toBe("java_version java_vendor vm_name available_processors");
    expect(keys(samples)).toBe("tick total truncated_tick capped_tick distinct_stacks");
    expect(keys(warnings.element)).toBe("code params");
    expect(keys(owners.element)).toBe("owner plugin self_pct total_pct top_methods");
    expect(keys(owners.element.shape.top_methods.element)).toBe("method pct");
    expect(keys(owner_filter.unwrap())).toBe("requested matched");
    expect(keys(methods.element)).toBe("method owner self_pct total_pct exact");
    expect(keys(paths.element)).toBe(
      "ends_pct self_pct total_pct depth frames omitted_frames owner_entry_depth",
    );
    expect(keys(paths.element.shape.frames.element)).toBe("frame owner");
  });

  it("[PRO-25] [PRO-26] [PRO-27] [PRO-28] tells the capture as it was sent, times in UTC", () => {
    const sent = {
      engine: "sampler",
      trigger: "lag",
      created_at: "2026-11-20T08:12:03+01:00",
      capture: {
        window_start: "2026-11-20T07:11:03Z",
        window_end: "2026-11-20T07:12:03Z",
        window_seconds: 60,
        requested_seconds: 90,
        stack_depth: 64,
      },
      lag: {
        kind: "sustained",
        started_at: "2026-11-20T07:11:40Z",
        detected_at: "2026-11-20T07:11:55Z",
        slow_ticks: 212,
        longest_tick_ms: 412.6,
      },
      platform: {
        server_type: "paper",
        server_version: "1.21.8-60",
        bukkit_version: "1.21.8-R0.1",
        plugin_count: 24,
        service_version: "1.10.2",
      },
      jvm: {
        java_version: "21.0.4",
        java_vendor: "Eclipse Adoptium",
        vm_name: "HotSpot",
        available_processors: 8,
      },
      samples: { tick: 300, total: 900, truncated_tick: 0, capped_tick: 0, distinct_stacks: 1 },
      warnings: [{ code: "stacks-cut", params: { depth: 64 } }],
    };
    const told = detail([[tick, 300]], null, sent);
    expect(told).toMatchObject({
      ...sent,
      schema: "service-profile/1",
      created_at: "2026-11-20T07:12:03.000Z",
      capture: {
        ...sent.capture,
        window_start: "2026-11-20T07:11:03.000Z",
        window_end: "2026-11-20T07:12:03.000Z",
      },
      lag: {
        ...sent.lag,
        started_at: "2026-11-20T07:11:40.000Z",
        detected_at: "2026-11-20T07:11:55.000Z",
      },
    });
  });

  it("[PRO-25] [OUR-PRO-10] knows nothing of what was not sent, and warns of few samples", () => {
    const told = detailOf(documentOf({}), null);
    expect(DetailBody.parse(told)).toEqual(told);
    expect(told).toMatchObject({
      engine: null,
      trigger: null,
      created_at: null,
      lag: null,
      owner_filter: null,
      owners: [],
      methods: [],
      paths: [],
      warnings: [{ code: "few-samples", params: { tick_samples: null } }],
    });
  });
});

describe("owners and methods", () => {
  it("[PRO-29] owners come with the methods that took most of their own share", () => {
    const { owners, owners_truncated } = detail(market);
    expect(owners.map(({ owner, self_pct, total_pct }) => [owner, self_pct, total_pct])).toEqual([
      ["jvm", 70, 70],
      ["Shop", 20, 85],
      ["server", 10, 100],
      ["Menu", 0, 35],
    ]);
    expect(owners.map(({ top_methods }) => top_methods)).toEqual([
      [{ method: get, pct: 70 }],
      [{ method: "net.example.Shop.run", pct: 20 }],
      [{ method: tick, pct: 10 }],
      [],
    ]);
    expect(owners_truncated).toBe(false);
  });

  it("[PRO-29] [OUR-PRO-14] three methods of an owner, at most 30 owners", () => {
    const { owners, owners_truncated } = detail([
      ...range(1, 5).map((index) => [`Shop:net.example.Shop.m${index}`, 100 + index] as const),
      ...range(1, 30).map((index) => [`P${index}:net.p${index}.A.a`, index] as const),
    ]);
    expect(owners).toHaveLength(30);
    expect(owners_truncated).toBe(true);
    expect(owners[0]?.top_methods.map(({ method }) => method)).toEqual(
      [5, 4, 3].map((index) => `net.example.Shop.m${index}`),
    );
  });

  it("[PRO-29] [PRO-32] [OUR-PRO-08] an owner with one method, and that method, have the same share", () => {
    const { owners, methods, paths } = detail([
      [shop, 200],
      [tick, 100],
    ]);
    expect(owners.map(({ self_pct, top_methods }) => [self_pct, top_methods[0]?.pct])).toEqual([
      [66.67, 66.67],
      [33.33, 33.33],
    ]);
    expect(methods.map(({ self_pct, total_pct }) => [self_pct, total_pct])).toEqual([
      [66.67, 66.67],
      [33.33, 33.33],
    ]);
    expect(paths.map(({ ends_pct }) => ends_pct)).toEqual([66.67, 33.33]);
  });

  it("[PRO-32] at most 30 methods, by their own share, those that only call others included", () => {
    const { methods, methods_truncated } = detail(market);
    expect(methods).toEqual([
      { method: get, owner: "jvm", self_pct: 70, total_pct: 70, exact: true },
      { method: "net.example.Shop.run", owner: "Shop", self_pct: 20, total_pct: 85, exact: true },
      { method: tick, owner: "server", self_pct: 10, total_pct: 100, exact: true },
      { method: "net.other.Menu.open", owner: "Menu", self_pct: 0, total_pct: 35, exact: true },
    ]);
    expect(methods_truncated).toBe(false);
    const many = detail(range(1, 31).map((index) => [`net.example.A.m${index}`, index]));
    expect(many.methods).toHaveLength(30);
    expect(many.methods[0]?.method).toBe("net.example.A.m31");
    expect(many.methods_truncated).toBe(true);
  });

  it.each([
    ["samples are missing from the tree", market, { tick: 101 }, [false, true]],
    ["samples were capped", market, { capped_tick: 1 }, [false, true]],
    ["stacks were cut", market, { truncated_tick: 1 }, [false, false]],
    ["a sample ends in a cut stack", [...market, [`${tick} !`, 1]], {}, [false, false]],
    ["nothing is missing", market, { tick: 100, capped_tick: 0, truncated_tick: 0 }, [true, false]],
  ] as const)("[PRO-32] [PRO-35] [OUR-PRO-15] when %s", (_, stacks, samples, [exact, truncated]) => {
    const { methods, tree_truncated } = detail(stacks, null, { samples });
    expect(new Set(methods.map((row) => row.exact))).toEqual(new Set([exact]));
    expect(tree_truncated).toBe(truncated);
  });
});

describe("paths", () => {
  it("[PRO-33] [OUR-PRO-16] tell the share of the stack itself, and those of the method it ends in", () => {
    const { paths, paths_truncated } = detail(market);
    expect(paths.map((path) => [path.ends_pct, path.self_pct, path.total_pct, path.depth])).toEqual([
      [35, 70, 70, 4],
      [30, 70, 70, 3],
      [20, 20, 85, 2],
      [10, 10, 100, 1],
      [5, 70, 70, 2],
    ]);
    expect(paths[0]).toMatchObject({
      frames: [
        { frame: tick, owner: "server" },
        { frame: "net.other.Menu.open", owner: "Menu" },
        { frame: "net.example.Shop.run", owner: "Shop" },
        { frame: get, owner: "jvm" },
      ],
      omitted_frames: 0,
      owner_entry_depth: null,
    });
    expect(paths_truncated).toBe(false);
  });

  it("[PRO-33] are the ten heaviest", () => {
    const { paths, paths_truncated } = detail(range(1, 11).map((index) => [`a.A.m${index}`, index]));
    expect(paths.map(({ frames }) => frames[0]?.frame)).toEqual(
      range(2, 11)
        .map((index) => `a.A.m${index}`)
        .toReversed(),
    );
    expect(paths_truncated).toBe(true);
  });

  it("[PRO-34] beyond 30 frames keep the first 8 and the last 22", () => {
    const chain = (depth: number) =>
      detail(
        [
          [
            range(1, depth)
              .map((at) => `${at === 12 ? "Shop:" : ""}a.A.m${at}`)
              .join(" "),
            1,
          ],
        ],
        "Shop",
      ).paths[0];
    const names = (ats: number[]) => ats.map((at) => `a.A.m${at}`);
    expect(chain(30)?.frames.map(({ frame }) => frame)).toEqual(names(range(1, 30)));
    expect(chain(30)).toMatchObject({ depth: 30, omitted_frames: 0, owner_entry_depth: 12 });
    expect(chain(45)?.frames.map(({ frame }) => frame)).toEqual(names([...range(1, 8), ...range(24, 45)]));
    expect(chain(45)).toMatchObject({ depth: 45, omitted_frames: 15, owner_entry_depth: 12 });
    expect(chain(299)).toMatchObject({ depth: 299, omitted_frames: 269, owner_entry_depth: 12 });
  });

  it("[PRO-34] [OUR-PRO-05] the place of a cut stack has no name, and is of `other` whoever was told for it", () => {
    const { paths, methods, owners } = detail([
      [`${tick} !`, 2],
      [`${tick} Shop:!`, 1],
    ]);
    expect(paths.map(({ frames, ends_pct }) => [ends_pct, frames[1]])).toEqual([
      [100, { frame: null, owner: "other" }],
    ]);
    expect(methods.map(({ method }) => method)).toEqual([tick]);
    expect(owners.map(({ owner, self_pct }) => [owner, self_pct])).toEqual([
      ["other", 100],
      ["server", 0],
    ]);
  });
});
