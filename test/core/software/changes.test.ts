import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SoftwareChange, SoftwareChangeKind, softwareChanges } from "../../../src/core/software/changes.ts";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { randomCases } from "../../support/long.ts";

type Sent = Parameters<typeof SoftwareInventory.parse>[0];
const inventory = (sent: Sent) => SoftwareInventory.parse(sent);
const changes = (before: Sent, after: Sent) => softwareChanges(inventory(before), inventory(after));

const word = fc.constantFrom("a", "b", "c", "1.0", "__proto__", "constructor");
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const installed = fc.record({ name: word, version: maybe(word), enabled: fc.boolean() });
const anyInventory = fc
  .record({
    server: fc.record({ type: maybe(word), name: maybe(word), version: maybe(word), build: maybe(word) }),
    java: fc.record({
      version: maybe(word),
      flags: maybe(
        fc.uniqueArray(fc.constantFrom("-Xmx1G", "-Xmx2G", "-XX:+UseZGC", "-XX:-UseZGC", "-Xint")),
      ),
    }),
    plugins: maybe(fc.array(installed, { maxLength: 6 })),
    mods: maybe(fc.array(installed, { maxLength: 6 })),
    settings: fc.record({ view_distance: maybe(fc.oneof(fc.nat(3), word, fc.boolean())) }),
    files: maybe(
      fc.uniqueArray(fc.record({ file: word, sha256: fc.constantFrom("0".repeat(64), "1".repeat(64)) }), {
        selector: ({ file }) => file,
      }),
    ),
  })
  .map(inventory);
const runs = { seed: 20_261_122, numRuns: randomCases(2000) };

/** The same inventory with its lists turned round; flags keep their order, of which the last counts. */
const turned = (one: SoftwareInventory): SoftwareInventory => ({
  ...one,
  plugins: one.plugins?.toReversed() ?? null,
  mods: one.mods?.toReversed() ?? null,
  files: one.files?.toReversed() ?? null,
});

describe("changes of software", () => {
  it("[OUR-SFW-04] equal inventories have none, in whatever order", () => {
    fc.assert(
      fc.property(anyInventory, (one) => {
        expect(softwareChanges(one, one)).toEqual([]);
        expect(softwareChanges(one, turned(one))).toEqual([]);
        expect(softwareChanges(null, one)).toEqual([]);
      }),
      runs,
    );
  });

  it("[OUR-SFW-05] come in one order and in the form that is shown", () => {
    fc.assert(
      fc.property(anyInventory, anyInventory, (one, other) => {
        const found = softwareChanges(one, other);
        expect(softwareChanges(turned(one), turned(other))).toEqual(found);
        const kinds = found.map(({ kind }) => SoftwareChangeKind.options.indexOf(kind));
        expect(kinds).toEqual(kinds.toSorted((a, b) => a - b));
        for (const change of found) expect(SoftwareChange.parse(change)).toEqual(change);
      }),
      runs,
    );
  });

  it("[OUR-SFW-06] lead back the way they came, and tell nothing of what is unknown", () => {
    const back: Readonly<Record<string, string>> = {
      plugin_added: "plugin_removed",
      plugin_removed: "plugin_added",
    };
    fc.assert(
      fc.property(anyInventory, anyInventory, (one, other) => {
        const there = softwareChanges(one, other);
        const here = softwareChanges(other, one).map(({ kind, subject, from, to }) => ({
          kind: back[kind] ?? kind,
          subject,
          from: to,
          to: from,
        }));
        const texts = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort();
        expect(texts(here)).toEqual(texts(there));
        for (const { kind, from, to } of there) {
          if (kind === "plugin_updated" || kind === "server_updated" || kind === "setting_changed")
            expect([from, to]).not.toContain(null);
          expect(from).not.toBe(to === null ? undefined : to);
        }
      }),
      runs,
    );
  });

  it("[OUR-SFW-06] an unknown list is no empty one", () => {
    const plugins = [{ name: "Shop", version: "1" }];
    expect(changes({ plugins: null }, { plugins })).toEqual([]);
    expect(changes({ plugins }, {})).toEqual([]);
    expect(changes({ plugins: [] }, { plugins })).toHaveLength(1);
    expect(changes({ plugins: [{ name: "Shop" }] }, { plugins })).toEqual([]);
    expect(changes({ server: { version: "1.21" } }, { server: {} })).toEqual([]);
    expect(changes({ java: { flags: ["-Xint"] } }, {})).toEqual([]);
  });

  it("[OUR-SFW-07] an update, an arrival and a removal are distinguished", () => {
    const before = {
      plugins: [
        { name: "Shop", version: "1.0" },
        { name: "Maps", version: "3" },
      ],
    };
    const after = {
      plugins: [
        { name: "Chat", version: null },
        { name: "Shop", version: "1.1" },
      ],
    };
    expect(changes(before, after)).toEqual([
      { kind: "plugin_updated", subject: "Shop", from: "1.0", to: "1.1" },
      { kind: "plugin_added", subject: "Chat", from: null, to: null },
      { kind: "plugin_removed", subject: "Maps", from: "3", to: null },
    ]);
  });

  it("[OUR-SFW-07] a second file of one name is an arrival, and taking the old one away a removal", () => {
    const [old, fresh] = [
      { name: "Shop", version: "1.0" },
      { name: "Shop", version: "1.1" },
    ];
    const added = { kind: "plugin_added", subject: "Shop", from: null, to: "1.1" };
    const removed = { kind: "plugin_removed", subject: "Shop", from: "1.0", to: null };
    expect(changes({ mods: [old] }, { mods: [fresh, old] })).toEqual([added]);
    expect(changes({ mods: [fresh, old] }, { mods: [fresh] })).toEqual([removed]);
    expect(changes({ mods: [old, old] }, { mods: [old] })).toEqual([removed]);
  });

  it("[OUR-SFW-08] what is switched off counts as removed", () => {
    const on = { plugins: [{ name: "Shop", version: "1.0" }] };
    const off = { plugins: [{ name: "Shop", version: "1.0", enabled: false }] };
    expect(changes(on, off)).toEqual([{ kind: "plugin_removed", subject: "Shop", from: "1.0", to: null }]);
    expect(changes(off, on)).toEqual([{ kind: "plugin_added", subject: "Shop", from: null, to: "1.0" }]);
    expect(changes(off, { plugins: [] })).toEqual([]);
  });

  it("[OUR-SFW-09] flags are compared by what they set", () => {
    const java = (...flags: string[]) => ({ java: { flags } });
    const changed = (subject: string, from: string | null, to: string | null) => ({
      kind: "java_changed",
      subject,
      from,
      to,
    });
    expect(changes(java("-Xmx4G", "-XX:+UseG1GC"), java("-XX:+UseG1GC", "-Xmx8G"))).toEqual([
      changed("-Xmx", "-Xmx4G", "-Xmx8G"),
    ]);
    expect(
      changes(
        java("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=200", "-Xint"),
        java("-XX:-UseG1GC", "-XX:MaxGCPauseMillis=130", "-Xss1M"),
      ),
    ).toEqual([
      changed("-XX:MaxGCPauseMillis", "-XX:MaxGCPauseMillis=200", "-XX:MaxGCPauseMillis=130"),
      changed("-XX:UseG1GC", "-XX:+UseG1GC", "-XX:-UseG1GC"),
      changed("-Xint", "-Xint", null),
      changed("-Xss", null, "-Xss1M"),
    ]);
    expect(changes(java("-Xmx4G", "-Xmx8G"), java("-Xmx8G"))).toEqual([]);
  });

  it("[OUR-SFW-05] server, Java, settings and files are named by their field", () => {
    const digest = (digit: string) => [{ file: "spigot.yml", sha256: digit.repeat(64) }];
    const before = {
      server: { type: "paper", version: "1.21", build: "130" },
      java: { version: "21.0.3" },
      settings: { view_distance: 10, sync_chunk_writes: true },
      files: digest("a"),
    };
    const after = {
      server: { type: "paper", version: "1.21.1", build: "132" },
      java: { version: "21.0.4" },
      settings: { view_distance: 7, sync_chunk_writes: false },
      files: digest("b"),
    };
    expect(changes(before, after)).toEqual([
      { kind: "server_updated", subject: "build", from: "130", to: "132" },
      { kind: "server_updated", subject: "version", from: "1.21", to: "1.21.1" },
      { kind: "java_changed", subject: "version", from: "21.0.3", to: "21.0.4" },
      { kind: "setting_changed", subject: "spigot.yml", from: "a".repeat(64), to: "b".repeat(64) },
      { kind: "setting_changed", subject: "sync_chunk_writes", from: true, to: false },
      { kind: "setting_changed", subject: "view_distance", from: 10, to: 7 },
    ]);
  });
});
