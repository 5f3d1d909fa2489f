import { describe, expect, it } from "vitest";
import { compareVersions } from "../../../src/core/software/compare-versions.ts";
import { FleetVersions } from "../../../src/core/software/fleet-versions.ts";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { lastChanges } from "../../../src/core/software/last-changes.ts";

describe("versions", () => {
  it.each([
    ["1.9", "1.10"],
    ["1.21", "1.21.1"],
    ["1.21.4-60", "1.21.4-147"],
    ["2.0-SNAPSHOT", "2.0"],
    ["2.0-rc1", "2.0-rc2"],
    ["1.20.1", "2"],
    ["007", "8"],
    ["9007199254740993", "9007199254740995"],
    ["1.0", null],
  ])("[OUR-SFW-18] %s is older than %s", (older, newer) => {
    expect(Math.sign(compareVersions(older, newer))).toBe(-1);
    expect(Math.sign(compareVersions(newer, older))).toBe(1);
    expect(compareVersions(older, older)).toBe(0);
  });

  it("[OUR-SFW-18] sorts any texts in one order", () => {
    const texts = ["1", "1.0", "1-a", "a", "", "1.a", "01", "1.0.0-beta", "b1", "1..2", null];
    for (const a of texts)
      for (const b of texts) {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
        for (const c of texts)
          if (compareVersions(a, b) < 0 && compareVersions(b, c) < 0)
            expect(compareVersions(a, c), `${a} ${b} ${c}`).toBeLessThan(0);
      }
  });
});

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, version: "1" }));

it("[OUR-SFW-19] an account with more versions than are looked at is told how many servers were left out", () => {
  const versions = new FleetVersions({ part: null, name: null });
  for (let server = 0; server < 25; server += 1) {
    const inventory = SoftwareInventory.parse({ plugins: names(1000, `p${server}-`) });
    const stored = { inventory, receivedAt: 1, firstReceivedAt: 1, changes: [] };
    versions.add({
      name: null,
      software: { serverId: String(server), sender: "agent", reports: null, inventory: stored },
    });
  }
  const { data, more, servers, servers_left_out } = versions.list(100);
  expect([data.length, more, servers, servers_left_out]).toEqual([100, 19_900, 25, 5]);
});

it("[OUR-SFW-16] a plugin that is gone leaves no time of change", () => {
  const added = { kind: "plugin_added" as const, subject: "Shop", from: null, to: "1" };
  const setting = { kind: "setting_changed" as const, subject: "view_distance", from: 1, to: 2 };
  const there = { plugins: [{ name: "Shop", version: "1", enabled: true }], mods: null, files: null };
  const first = lastChanges([], [added, setting], there, 1);
  expect(first).toEqual([
    ["installed", "Shop", 1],
    ["setting", "view_distance", 1],
  ]);
  const removed = { ...added, kind: "plugin_removed" as const };
  expect(lastChanges(first, [removed], { plugins: [], mods: null, files: null }, 2)).toEqual([
    ["setting", "view_distance", 1],
  ]);
});

it("[OUR-SFW-16] the times of changes are bounded by the inventory, however many flags and files there were", () => {
  const there = { plugins: null, mods: null, files: [{ file: "paper.yml", sha256: "" }] };
  let known: ReturnType<typeof lastChanges> = [];
  for (let at = 1; at <= 50; at += 1) {
    const changes = Array.from({ length: 100 }, (_, index) => [
      { kind: "java_changed" as const, subject: `-XX:F${at}-${index}`, from: null, to: "1" },
      { kind: "setting_changed" as const, subject: `${at}-${index}.yml`, from: "1", to: "2" },
    ]).flat();
    const file = { kind: "setting_changed" as const, subject: "paper.yml", from: "1", to: "2" };
    known = lastChanges(known, [...changes, file], there, at);
    expect(known.map(([part, , time]) => [part, time])).toEqual([
      ["java", at],
      ["setting", at],
    ]);
  }
});
