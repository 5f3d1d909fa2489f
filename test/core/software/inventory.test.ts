import { describe, expect, it } from "vitest";
import { mostInstalled, SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { ConfigBlock } from "../../../src/core/report/payload-blocks.ts";

const accepts = (body: unknown): boolean => SoftwareInventory.safeParse(body).success;
const plugins = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `P${index}` }));

describe("an inventory of software", () => {
  it("[OUR-SFW-01] has null for what it leaves out, and nothing that is not known", () => {
    const bare = SoftwareInventory.parse({});
    expect(bare).toEqual(SoftwareInventory.parse({ server: null, java: null, settings: null, later: 1 }));
    expect(bare.server).toEqual({ type: null, name: null, version: null, build: null });
    expect(bare.java).toEqual({ version: null, vendor: null, flags: null });
    expect([bare.plugins, bare.mods, bare.files]).toEqual([null, null, null]);
    expect(SoftwareInventory.parse({ plugins: [], mods: [{ name: "sodium", loader: "fabric" }] })).toEqual({
      ...bare,
      plugins: [],
      mods: [{ name: "sodium", version: null, enabled: true }],
    });
  });

  it("[OUR-SFW-01] is the same when it is read again", () => {
    const sent = SoftwareInventory.parse({
      server: { type: "paper" },
      java: { version: "21.0.4", flags: ["-Xmx4G"] },
      plugins: plugins(3),
      settings: { view_distance: 10, redstone_implementation: "VANILLA", sync_chunk_writes: true },
      files: [{ file: "server.properties", sha256: "0a".repeat(32) }],
    });
    expect(SoftwareInventory.parse(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
  });

  it.each(["plugins", "mods"])("[OUR-SFW-02] has at most 1,000 %s", (list) => {
    expect(mostInstalled).toBe(1000);
    expect(accepts({ [list]: plugins(1000) })).toBe(true);
    expect(accepts({ [list]: plugins(1001) })).toBe(false);
  });

  it("[OUR-SFW-02] takes names and versions of at most 120 characters", () => {
    const one = (name: unknown, version: unknown = null) => ({ plugins: [{ name, version }] });
    for (const character of ["x", "🎮"]) {
      expect(accepts(one(character.repeat(120), character.repeat(120)))).toBe(true);
      expect(accepts(one(character.repeat(121)))).toBe(false);
      expect(accepts(one("a", character.repeat(121)))).toBe(false);
    }
    for (const wrong of [null, 7, "\0", "\ud800"]) expect(accepts(one(wrong))).toBe(false);
    expect(accepts(one("a", 7))).toBe(false);
  });

  it("[OUR-SFW-02] refuses what is no digest, no flag and no setting", () => {
    for (const sha256 of ["", "0A".repeat(32), "0a".repeat(31), null])
      expect(accepts({ files: [{ file: "spigot.yml", sha256 }] })).toBe(false);
    expect(accepts({ java: { flags: Array<string>(101).fill("-Xint") } })).toBe(false);
    expect(accepts({ java: { flags: ["x".repeat(201)] } })).toBe(false);
    expect(accepts({ settings: { view_distance: [] } })).toBe(false);
    expect(accepts({ settings: { view_distance: Number.POSITIVE_INFINITY } })).toBe(false);
  });

  it("[OUR-SFW-03] has the settings of a report", () => {
    const { settings } = SoftwareInventory.parse({});
    expect(settings).toEqual(ConfigBlock.parse({}));
    expect(Object.keys(settings)).toHaveLength(13);
  });
});
