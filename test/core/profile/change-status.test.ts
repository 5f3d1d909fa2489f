import { describe, expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import { stacksDocument } from "./any-profile.ts";
import { compared, kept, ownerOf } from "./compared-profiles.ts";

const hourLater = { id: "s2", capturedAt: Date.UTC(2026, 10, 20, 8) };

/** Half of all ticks go through the shop's listener, which calls the database; later it works itself. */
const calls: ProfileSide = kept(
  stacksDocument([
    ["net.minecraft.A.tick", 500],
    ["net.minecraft.A.tick Shop:net.shop.Listener.on Db:net.db.Pool.query", 500],
  ]),
);
const works: ProfileSide = kept(
  stacksDocument([
    ["net.minecraft.A.tick", 500],
    ["net.minecraft.A.tick Shop:net.shop.Listener.on", 250],
    ["net.minecraft.A.tick Shop:net.shop.Prices.find", 250],
  ]),
  hourLater,
);

const statuses = (rows: readonly { owner: string; method?: string; status: string }[]) =>
  Object.fromEntries(rows.map(({ owner, method, status }) => [method ?? owner, status]));

describe("a change's status", () => {
  it("[PCM-16] [OUR-PCM-05] what every second stack ran before without ending in it has not appeared", () => {
    const { source, owners, methods } = profileComparisonOf(calls, works);
    expect(source).toBe("documents");
    expect(owners.find(({ owner }) => owner === "Shop")).toMatchObject({
      base_pct: 0,
      base_total_pct: 50,
      target_pct: 50,
      status: "up",
    });
    expect(statuses(owners)).toMatchObject({ Shop: "up", Db: "disappeared" });
    expect(statuses(methods)).toMatchObject({
      "net.shop.Listener.on": "up",
      "net.shop.Prices.find": "appeared",
      "net.db.Pool.query": "disappeared",
    });
  });

  it("[PCM-16] [OUR-PCM-05] nor has it disappeared where it is called still", () => {
    const [before, after] = [
      { ...works, record: { ...works.record, ...calls.record, summary: works.record.summary } },
      { ...calls, record: { ...calls.record, ...hourLater } },
    ];
    const { owners, methods } = profileComparisonOf(before, after);
    expect(statuses(owners)).toMatchObject({ Shop: "down", Db: "appeared" });
    expect(statuses(methods)).toMatchObject({
      "net.shop.Listener.on": "down",
      "net.shop.Prices.find": "disappeared",
    });
  });

  it("[OUR-PCM-05] [OUR-PCM-12] of summaries an owner's total share decides, of a method whether its owner was there", () => {
    const listed = (owners: readonly ReturnType<typeof ownerOf>[], methods: readonly [string, string][]) => ({
      owners: [...owners],
      methods: methods.map(([owner, method]) => ({ owner, method, pct: 5 })),
    });
    const { owners, methods } = compared(
      listed([ownerOf("Shop", 0, 50), ownerOf("Gone", 5, 5)], [["Gone", "gone"]]),
      listed(
        [ownerOf("Shop", 5, 50), ownerOf("New", 5, 5)],
        [
          ["Shop", "on"],
          ["New", "run"],
        ],
      ),
    );
    expect(statuses(owners)).toEqual({ Shop: "up", New: "appeared", Gone: "disappeared" });
    // The shop was on the stack before, and so may this method have been.
    expect(statuses(methods)).toEqual({ on: "up", run: "appeared", gone: "disappeared" });
  });

  it("[PCM-16] under 0.1 point everything is stable, what came or went too", () => {
    const owners = (pct: number) => (pct === 0 ? [] : [ownerOf("Small", pct)]);
    const status = (from: number, to: number) =>
      compared({ owners: owners(from) }, { owners: owners(to) }).owners[0]?.status;
    expect([status(0, 0.02), status(0.02, 0), status(0, 0.1), status(0.1, 0)]).toEqual([
      "stable",
      "stable",
      "appeared",
      "disappeared",
    ]);
  });
});
