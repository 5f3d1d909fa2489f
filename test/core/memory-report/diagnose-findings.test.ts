import { describe, expect, it } from "vitest";
import { diagnoseMemory } from "../../../src/core/memory-report/diagnose.ts";
import { analysis, gameObjects, point, summary, suspect } from "./documents.ts";

const many = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));
const names = (rows: readonly { owner: string }[]) => rows.map(({ owner }) => owner).join(" ");

describe("what looks like a leak", () => {
  it("[MEM-19] [OUR-MEM-06] is told of full and targeted analyses, null of others and where it is not told", () => {
    const found = {
      suspects: [suspect("s", 500)],
      accumulation_points: [point("p", 500)],
      game_objects: [gameObjects("Shop", 1)],
    };
    const counts = (document: ReturnType<typeof analysis>) => {
      const told = diagnoseMemory(document);
      return [told.suspects?.length, told.accumulation_points?.length, told.game_objects?.length];
    };
    const none = [undefined, undefined, undefined];
    expect(counts(analysis(found))).toEqual([1, 1, 1]);
    expect(counts(analysis({ ...found, mode: "retained" }))).toEqual([1, 1, 1]);
    expect(counts(analysis({ ...found, mode: "quick" }))).toEqual(none);
    expect(counts(analysis({ suspects: null, accumulation_points: null, game_objects: null }))).toEqual(none);
    expect(counts(summary())).toEqual(none);
  });

  it("[OUR-MEM-06] retains a tenth of the reachable bytes or more; its share is of the whole", () => {
    const suspects = [suspect("below", 99), suspect("at", 100), suspect("most", 412)];
    const keys = (document: ReturnType<typeof analysis>) =>
      diagnoseMemory(document).suspects?.map(({ key, pct }) => [key, pct]);
    expect(keys(analysis({ suspects }))).toEqual([
      ["most", 41.2],
      ["at", 10],
    ]);
    expect(keys(analysis({ suspects, mode: "retained" }))).toEqual([
      ["most", 34.33],
      ["at", 8.33],
    ]);
  });

  it("[OUR-MEM-07] ten suspects and accumulation points are told, fifty kinds of game objects", () => {
    const of = (count: number) =>
      diagnoseMemory(
        analysis({
          suspects: many(count, (index) => suspect(`s${index}`, 200 + index)),
          accumulation_points: many(count, (index) => point(`p${index}`, 10 + index)),
          game_objects: many(count * 5, (index) => gameObjects(`Owner ${index}`, index)),
        }),
      );
    const cut = of(11);
    expect([cut.suspects?.length, cut.suspects_truncated]).toEqual([10, true]);
    expect(cut.suspects?.[0]?.key).toBe("s10");
    expect([cut.accumulation_points?.length, cut.accumulation_points?.[0]?.key]).toEqual([10, "p10"]);
    expect(cut.game_objects?.length).toBe(50);
    expect([of(10).suspects?.length, of(10).suspects_truncated]).toEqual([10, false]);
  });

  it("[MEM-19] [OUR-MEM-07] of a long path from the root the first 8 and the last 22 nodes are told", () => {
    const path = (length: number) => {
      const root_path = many(length, (index) => ({ class_name: `a.N${index}`, field: `f${index}` }));
      return diagnoseMemory(analysis({ suspects: [{ ...suspect("s", 500), root_path }] })).suspects?.[0];
    };
    expect([path(30)?.root_path.length, path(30)?.root_path_omitted]).toEqual([30, 0]);
    const cut = path(100);
    expect([cut?.root_path.length, cut?.root_path_omitted]).toEqual([30, 70]);
    expect(cut?.root_path.map(({ field }) => field).slice(6, 10)).toEqual(["f6", "f7", "f78", "f79"]);
    expect(cut?.root_path[29]).toEqual({
      class_name: "a.N99",
      field: "f99",
      array_index: null,
      owner: "other",
      retained_bytes: null,
    });
  });

  it("[MEM-19] [OUR-MEM-07] the dominator chain is told down to its tenth node, with shares", () => {
    const dominator_chain = many(11, (index) => ({
      class_name: "java.util.HashMap",
      shallow_bytes: 48,
      retained_bytes: 500 - index,
    }));
    const gc_root = { type: "thread_object" as const, description: "Server thread" };
    const [row] =
      diagnoseMemory(analysis({ suspects: [{ ...suspect("s", 500), gc_root, dominator_chain }] })).suspects ??
      [];
    expect(row?.gc_root).toEqual(gc_root);
    expect(row?.dominator_chain.length).toBe(10);
    expect(row?.dominator_chain[9]).toEqual({
      class_name: "java.util.HashMap",
      owner: "jvm",
      shallow_bytes: 48,
      retained_bytes: 491,
      pct: 49.1,
    });
  });

  it("[OUR-MEM-04] an owner that is not told is the class's; a collection's is its holder's", () => {
    const told = diagnoseMemory(
      analysis({
        suspects: [{ ...suspect("s", 500), owner: null, class_name: "net.minecraft.server.Main" }],
        accumulation_points: [
          { ...point("held", 3), owner: null, holder_class: "net.minecraft.server.Main" },
          { ...point("alone", 2), owner: null, holder_class: null },
        ],
        game_objects: [{ kind: "nbt", held: 1, stale: 0 }],
      }),
    );
    expect(names(told.suspects ?? [])).toBe("server");
    expect(names(told.accumulation_points ?? [])).toBe("server jvm");
    expect(names(told.game_objects ?? [])).toBe("other");
  });

  it("[MEM-19] game objects begin with those that should be gone", () => {
    const game_objects = [gameObjects("A", 90, 0), gameObjects("B", 3, 2), gameObjects("C", 5, 2)];
    const told = diagnoseMemory(analysis({ game_objects })).game_objects ?? [];
    expect(names(told)).toBe("C B A");
    expect(told[0]).toEqual({
      owner: "C",
      kind: "chunk",
      class_name: "net.minecraft.world.level.chunk.LevelChunk",
      held: 5,
      stale: 2,
      retained_bytes: null,
    });
  });
});
