import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TreeWalk } from "../../src/agent/files/tree-walk.ts";
import { unprivileged } from "../support/unprivileged.ts";
import { temporaryTree } from "./machine-tree.ts";

const never = new AbortController().signal;
const bytesOf = (root: string, bounds: object = {}): Promise<number> =>
  new TreeWalk({ signal: never, ...bounds }).bytesOf(root);
const du = (root: string): number =>
  Number(execFileSync("du", ["-sb", root], { encoding: "utf8" }).split("\t")[0]);
const kib = (count: number): string => "x".repeat(count * 1024);

describe("[OUR-AGT-202] the size of a folder", () => {
  it("is that of du, for files, folders, names of one file, and links that lead nowhere or round", async () => {
    const root = temporaryTree({
      "world/level.dat": kib(3),
      "world/region/r.0.0.mca": kib(900),
      "world/region/r.0.1.mca": kib(411),
      "world/DIM-1/region/r.0.0.mca": kib(57),
      "world/loop": { to: "." },
      "world/region/up": { to: ".." },
      "world/self": { to: "self" },
      "world/dangling": { to: "/nowhere" },
      "elsewhere/large.bin": kib(5000),
      "world/outside": { to: "../elsewhere" },
    });
    linkSync(join(root, "world/region/r.0.0.mca"), join(root, "world/again.mca"));
    linkSync(join(root, "world/region/r.0.0.mca"), join(root, "world/region/third.mca"));
    expect(await bytesOf(join(root, "world"))).toBe(du(join(root, "world")));
    expect(await bytesOf(join(root, "world"))).toBeLessThan(1500 * 1024);
  });

  it("is within 1 % of du for a folder of this machine", async () => {
    const folder = join(import.meta.dirname, "../../src/core/health");
    const [counted, known] = [await bytesOf(folder), du(folder)];
    expect(Math.abs(counted - known) / known).toBeLessThan(0.01);
  });

  it("counts a file of two trees once in one walk, as du does", async () => {
    const root = temporaryTree({ "a/one": kib(300), "b/two": kib(1) });
    linkSync(join(root, "a/one"), join(root, "b/one"));
    const walk = new TreeWalk({ signal: never });
    const both = (await walk.bytesOf(join(root, "a"))) + (await walk.bytesOf(join(root, "b")));
    expect(both).toBe(du(root) - statSync(root).size);
  });

  it("follows a link that is the world itself", async () => {
    const root = temporaryTree({ "fast/main/level.dat": kib(20), world: { to: "fast/main" } });
    expect(await bytesOf(join(root, "world"))).toBe(du(join(root, "fast/main")));
  });

  it("leaves out what vanishes and takes what is there, while the game goes on saving", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, place) => [`world/region/r.${place}.0.mca`, kib(1)]),
    );
    const root = temporaryTree({ ...files, "world/level.dat": kib(1), "world/gone/a": kib(1) });
    const counting = bytesOf(join(root, "world"));
    let round = 0;
    const saving = setInterval(() => {
      round += 1;
      rmSync(join(root, `world/region/r.${round * 7}.0.mca`), { force: true });
      rmSync(join(root, "world/gone"), { recursive: true, force: true });
      writeFileSync(join(root, `world/region/new.${round}.mca`), kib(1));
    }, 1);
    const bytes = await counting.finally(() => clearInterval(saving));
    expect(bytes).toBeGreaterThan(400 * 1024);
    expect(bytes).toBeLessThan(800 * 1024);
  });
});

describe("[OUR-AGT-203] a walk that is no whole one", () => {
  it("rejects at a folder that cannot be read, and at its bounds", async () => {
    const root = temporaryTree({ "world/level.dat": "x", "world/closed/a": kib(9), "world/open/b": "x" });
    chmodSync(join(root, "world/closed"), 0o700);
    chmodSync(root, 0o755);
    if (process.getuid?.() === 0)
      await unprivileged(() => expect(bytesOf(join(root, "world"))).rejects.toThrow("EACCES"));
    await expect(bytesOf(join(root, "world"), { mostEntries: 3 })).rejects.toThrow("more than 3 files");
    await expect(bytesOf(join(root, "world"), { mostMs: -1 })).rejects.toThrow("counting took more than");
    await expect(bytesOf(join(root, "world"), { mostEntries: 5 })).resolves.toBeGreaterThan(0);
    await expect(bytesOf(join(root, "world"), { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  });

  it("rests three times as long as it works", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, place) => [`world/region/${place}`, "x"]),
    );
    const root = temporaryTree(files);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    await bytesOf(join(root, "world"));
    const { user, system } = process.cpuUsage(used);
    expect((user + system) / 1000).toBeLessThan(0.6 * (performance.now() - begun));
  });
});
