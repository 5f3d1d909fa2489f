import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInstalled } from "../../../src/agent/software/installed.ts";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { dice } from "../../support/dice.ts";
import { descriptorKinds, descriptors, folderOf, jar, type DescriptorKind } from "../../support/jars.ts";
import { zip, type ZipEntry } from "../../support/zip-writer.ts";
import { slowness } from "../../support/processor-time.ts";
import { randomCases } from "../../support/long.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tickmark-hostile-"));
  for (const folder of ["plugins", "mods"]) mkdirSync(join(root, folder));
});
afterAll(() => rmSync(root, { recursive: true }));

/** The most that one jar may cost, CPU ms; the usual one costs three. */
const dearest = 400;

/** What is read of one jar, and the CPU time of that, ms. */
async function readOne(bytes: Uint8Array, folder: "plugins" | "mods" = "plugins") {
  const path = join(root, folder, "evil.jar");
  writeFileSync(path, bytes);
  let ms = Infinity;
  let found: Awaited<ReturnType<typeof readInstalled>> = [];
  // The least of three: the collector's threads count too. Others on the same processor make all of it slower.
  for (let tries = 0; tries < 3 && ms >= dearest; tries += 1) {
    const before = process.cpuUsage();
    found = await readInstalled(root, folder);
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1000);
    if (ms >= dearest) ms /= slowness();
  }
  rmSync(path);
  SoftwareInventory.parse({ [folder]: found });
  return { found: found?.[0], ms };
}

const refused = { name: "evil.jar", version: null, enabled: true };
const good = { name: "Shop", version: "1", enabled: true };
const plugin: ZipEntry = { name: "plugin.yml", content: descriptors["plugin.yml"]("Shop", "1") };
const mebibyte = 1024 * 1024;
const filler = (length: number): string =>
  "#"
    .repeat(79)
    .concat("\n")
    .repeat(length / 80);
describe("hostile jars", () => {
  const whole = zip([plugin]);
  it.each<readonly [string, Uint8Array]>([
    ["no zip", Buffer.from("not a zip at all")],
    ["empty", Buffer.alloc(0)],
    ["truncated", whole.subarray(0, -1)],
    ["its first half", whole.subarray(0, whole.length / 2)],
    ["bytes behind its end", Buffer.concat([whole, Buffer.alloc(9)])],
    ["more entries promised than there are", zip([plugin], { declaredCount: 4000 })],
    ["a descriptor twice", zip([plugin, plugin])],
    ["a descriptor of 10 MB", zip([{ ...plugin, content: filler(10 * mebibyte) }])],
    ["a stored descriptor of 10 MB", zip([{ ...plugin, content: filler(10 * mebibyte), method: 0 }])],
    ["a bomb that declares little", zip([{ ...plugin, content: filler(200 * mebibyte), declaredSize: 100 }])],
    ["a descriptor that is shorter than it declares", zip([{ ...plugin, declaredSize: 1000 }])],
    ["a wrong checksum", zip([{ ...plugin, declaredCrc: 7 }])],
    ["an encrypted descriptor", zip([{ ...plugin, encrypted: true }])],
    ["a method of packing that nobody knows", zip([{ ...plugin, method: 99 }])],
    ["data that is not packed", zip([{ ...plugin, method: 0, declaredSize: 5 }])],
    ["a descriptor behind 100,000 entries (zip64)", zip([...emptyEntries(100_000), plugin])],
    [
      "a zip64 that promises 9 thousand billion entries",
      zip([plugin, plugin], { declaredCount: 2 ** 53 - 1 }),
    ],
    ["a zip64 whose record lies outside the file", zip([plugin], { zip64At: 2 ** 40 })],
    ["a zip64 whose record is something else", zip([plugin], { zip64At: 0 })],
    ["entries with names of 60 KB", zip([...emptyEntries(200, "n".repeat(60_000)), plugin])],
  ])("[OUR-AGW-05] %s: stands by its file's name without a version", async (_, bytes) => {
    const { found, ms } = await readOne(bytes);
    expect(found).toEqual(refused);
    expect(ms).toBeLessThan(dearest);
  });

  it("[OUR-AGW-05] only the first 5,000 entries of a jar are looked at", async () => {
    const last = await readOne(zip([...emptyEntries(4999), plugin]));
    expect(last.found).toEqual(good);
    // A jar with the records of zip64 is read like any other, as far as its first entries go.
    const small = zip([plugin]);
    expect((await readOne(zip([plugin], { zip64At: small.length - 22 }))).found).toEqual(good);
    expect((await readOne(zip([...emptyEntries(5000), plugin]))).found).toEqual(refused);
    const huge = await readOne(zip([plugin, ...emptyEntries(100_000)]));
    expect(huge.found).toEqual(good);
    expect(huge.ms).toBeLessThan(dearest);
  });

  it("[OUR-AGW-05] a descriptor may have 1 MiB and no more", async () => {
    const yml = String(plugin.content);
    const sized = (size: number) => zip([{ ...plugin, content: yml + "#".repeat(size - yml.length) }]);
    const { found, ms } = await readOne(sized(mebibyte));
    expect(found).toEqual(good);
    expect(ms).toBeLessThan(dearest);
    expect((await readOne(sized(mebibyte + 1))).found).toEqual(refused);
  });

  it("[OUR-AGW-04] no name in a jar is a path: nothing is written, and such entries are passed over", async () => {
    const names = [
      "../plugin.yml",
      "/plugin.yml",
      "..\\plugin.yml",
      "plugin.yml/",
      "C:/plugin.yml",
      "PLUGIN.YML",
    ];
    const entries = names.map((name) => ({ name, content: "name: Evil\nversion: 6\n" }));
    expect((await readOne(zip(entries))).found).toEqual(refused);
    expect((await readOne(zip([...entries, plugin]))).found).toEqual(good);
    expect(readdirSync(root).sort()).toEqual(["mods", "plugins"]);
    expect(readdirSync(join(root, "plugins"))).toEqual([]);
  });

  const deep = mebibyte / 2 - 100;
  it.each<readonly [string, DescriptorKind, string]>([
    ["arrays in arrays", "fabric.mod.json", "[".repeat(deep) + "]".repeat(deep)],
    ["objects in objects", "quilt.mod.json", '{"quilt_loader":'.repeat(60_000)],
    [
      "a prototype",
      "fabric.mod.json",
      '{"__proto__":{"name":"Evil","version":"6"},"constructor":{"name":"Evil"}}',
    ],
    ["values of other types", "fabric.mod.json", '{"name":{"a":1},"id":["b"],"version":"6"}'],
    ["an empty name", "fabric.mod.json", '{"name":" \\u0000 ","version":null}'],
    ["an empty list", "mcmod.info", '{"modList":[]}'],
    ["a prototype in YAML", "plugin.yml", "__proto__:\n  name: Evil\n  version: 6\n"],
    [
      "a deep mapping",
      "plugin.yml",
      Array.from({ length: 1000 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""),
    ],
    ["a mapping in one line", "plugin.yml", `name: ${"{a: ".repeat(200_000)}`],
    ["anchors that multiply", "plugin.yml", "a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n"],
    ["a quote that never ends", "plugin.yml", `name: "${"\\a".repeat(400_000)}`],
    ["spaces without end", "plugin.yml", `name: "a"${" ".repeat(900_000)}x`],
    ["lines without end", "plugin.yml", "- \n".repeat(300_000)],
    ["text that never ends", "META-INF/mods.toml", `[[mods]]\na="""\n${'version="6"\n'.repeat(80_000)}`],
    ["a header that never ends", "META-INF/mods.toml", `[[${" ".repeat(900_000)}mods`],
    ["tables of arrays", "META-INF/neoforge.mods.toml", "[[mods]]\n".repeat(100_000)],
  ])("[OUR-AGW-05] %s in %s: stands by its file's name without a version", async (_, kind, content) => {
    const { found, ms } = await readOne(zip([{ name: kind, content }]), folderOf(kind));
    expect(found).toEqual(refused);
    expect(ms).toBeLessThan(dearest);
  });

  it("[OUR-AGW-05] names and versions are cut to what the service takes", async () => {
    const long = await readOne(
      zip([{ ...plugin, content: `name: ${"🎮".repeat(500)}\nversion: ${"x".repeat(500)}` }]),
    );
    expect(long.found).toEqual({ name: "🎮".repeat(120), version: "x".repeat(120), enabled: true });
    const halves = '{"name":"a\\ud800b\\u0000c","version":"1"}';
    const { found } = await readOne(zip([{ name: "velocity-plugin.json", content: halves }]));
    expect(found).toEqual({ name: "a\ufffdbc", version: "1", enabled: true });
  });

  it("[OUR-AGW-05] no bytes of a jar lead to an error or to much work", async () => {
    const random = dice(20_261_122);
    const pick = (below: number): number => Math.floor(random() * below);
    let dear = 0;
    const rounds = randomCases(1500);
    for (let round = 0; round < rounds; round += 1) {
      const kind = descriptorKinds[round % descriptorKinds.length] ?? "plugin.yml";
      const bytes = jar(kind, { name: "Shop", version: "1", classCount: 3 });
      for (let changes = 1 + pick(4); changes > 0; changes -= 1) {
        // Half of the changes hit the list of entries and the end, where the structure is.
        const at = random() < 0.5 ? bytes.length - 1 - pick(Math.min(500, bytes.length)) : pick(bytes.length);
        bytes[at] = random() < 0.5 ? 255 : pick(256);
      }
      const { found, ms } = await readOne(
        random() < 0.2 ? bytes.subarray(0, pick(bytes.length)) : bytes,
        folderOf(kind),
      );
      expect(found?.enabled).toBe(true);
      dear = Math.max(dear, ms);
    }
    console.log(`the dearest of ${rounds} changed jars: ${dear.toFixed(0)} ms CPU`);
    expect(dear).toBeLessThan(dearest);
  });
});

function emptyEntries(count: number, name = ""): ZipEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}${index}.class`,
    content: "",
    method: 0,
  }));
}
