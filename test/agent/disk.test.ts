import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { backupFolders, mainWorldFolder, worldFolders } from "../../src/agent/install/world-folders.ts";
import { diskSource } from "../../src/agent/sources/disk.ts";
import { mergedSample } from "../../src/agent/sources/merge.ts";
import { worldSizesSource } from "../../src/agent/sources/world-sizes.ts";
import { fileSystemRoom } from "../../src/linux/file-system.ts";
import { hourMs } from "../support/clock.ts";
import { unprivileged } from "../support/unprivileged.ts";
import { type machineTree, temporaryTree } from "./machine-tree.ts";

const never = new AbortController().signal;
const kib = (count: number): string => "x".repeat(count * 1024);

it("[OUR-AGT-203] a walk that is no whole one sends no size, says why, and counts again an hour later", async () => {
  const directory = temporaryTree({ "world/level.dat": kib(2048), "world_nether/level.dat": "x" });
  const source = worldSizesSource({ directory }, { mostEntries: 1 });
  expect(await source.read(0, never)).toEqual({});
  await expect
    .poll(() => source.read(1, never).catch(String))
    .toMatch(/not known: there are more than 1 files/);
  rmSync(join(directory, "world_nether"), { recursive: true });
  await expect(source.read(hourMs - 1, never)).rejects.toThrow("not known");
  await expect(source.read(hourMs, never)).rejects.toThrow("not known");
  await expect
    .poll(() => source.read(hourMs, never).catch(() => null))
    .toEqual({ measured: { largest_world_mb: 2, world_sizes: [{ name: "world", size_mb: 2 }] } });
  await source.close();
});

describe("[OUR-AGT-201] worlds", () => {
  const namesIn = async (files: Parameters<typeof machineTree>[0]): Promise<string[]> => {
    const worlds = await worldFolders({ directory: temporaryTree(files) });
    return worlds.map(({ name }) => name).toSorted();
  };

  it.each<[string, Parameters<typeof machineTree>[0], string[]]>([
    ["of Vanilla, with its dimensions", { "world/level.dat": "", "world/DIM1/region/r": "" }, ["world"]],
    [
      "of Bukkit's family, each dimension one",
      { "world/level.dat": "", "world_nether/level.dat": "", "creative/level.dat": "", "plugins/x.jar": "" },
      ["creative", "world", "world_nether"],
    ],
    [
      "in a container",
      {
        "bukkit.yml": "settings:\n  world-container: saves\n",
        "saves/world/level.dat": "",
        "saves/backup/level.txt": "",
      },
      ["world"],
    ],
    [
      "of Bedrock",
      { "server.properties": "level-name=Bedrock level\n", "worlds/Bedrock level/level.dat": "" },
      ["Bedrock level"],
    ],
    ["of Cuberite", { "world/world.ini": "", "world_nether/world.ini": "" }, ["world", "world_nether"]],
    [
      "behind links, once",
      {
        "disk/main/level.dat": "",
        world: { to: "disk/main" },
        again: { to: "disk/main" },
        round: { to: "round" },
      },
      ["world"],
    ],
    ["named by level-name outside", { "server.properties": "level-name=a/b\n", "a/b/level.dat": "" }, ["b"]],
    ["that are not there yet", { "server.properties": "" }, []],
  ])("%s", async (_, files, expected) => {
    expect(await namesIn(files)).toEqual(expected);
  });

  it("of the main world's name that are closed are not passed over", async () => {
    const directory = temporaryTree({ "world/level.dat": "", "world_nether/level.dat": "", "plugins/a": "" });
    chmodSync(directory, 0o755);
    for (const closed of ["plugins", "world_nether"]) chmodSync(join(directory, closed), 0o700);
    if (process.getuid?.() !== 0) return;
    await unprivileged(() => expect(worldFolders({ directory })).rejects.toThrow("EACCES"));
    chmodSync(join(directory, "world_nether"), 0o755);
    await unprivileged(async () => expect(await worldFolders({ directory })).toHaveLength(2));
  });

  it("are sent the largest first, at most 16, by names that the service takes", async () => {
    const names = Array.from({ length: 20 }, (_, place) => `w${place}`);
    const directory = temporaryTree(
      Object.fromEntries([...names, "y".repeat(200)].map((name) => [`${name}/level.dat`, "x"])),
    );
    writeFileSync(join(directory, "w7/large"), kib(3 * 1024));
    const source = worldSizesSource({ directory });
    await source.read(0, never);
    await expect.poll(async () => (await source.read(1, never)).measured?.world_sizes?.length).toBe(16);
    const reading = await source.read(1, never);
    expect(reading.measured).toMatchObject({ largest_world_mb: 3 });
    expect(reading.measured?.world_sizes?.[0]).toEqual({ name: "w7", size_mb: 3 });
    expect(mergedSample(reading, 0).refused).toEqual([]);
    await source.close();
  });
});

describe("[OUR-AGT-200] the room of a disk", () => {
  const dfOf = (path: string): readonly [used: number, available: number] => {
    const text = execFileSync("df", ["-B1", "--output=used,avail", path], { encoding: "utf8" });
    const [used = 0, available = 0] = (text.trim().split("\n")[1] ?? "").trim().split(/\s+/).map(Number);
    return [used, available];
  };

  it.each([tmpdir(), "/dev/shm"])("is that of df in %s", async (path) => {
    const [used, available] = dfOf(path);
    const { freeBytes, totalBytes } = await fileSystemRoom(path);
    expect(Math.abs(freeBytes - available) / available).toBeLessThan(0.01);
    expect(Math.abs(totalBytes - used - available) / totalBytes).toBeLessThan(0.01);
  });

  it("is not told by a file system without a size, nor of a path that is not there", async () => {
    await expect(fileSystemRoom("/proc")).rejects.toThrow("tells no size");
    await expect(diskSource({ directory: "/nowhere" }).read(0, never)).rejects.toThrow("ENOENT");
  });

  it("is sent for the worlds, and for backups on another disk", async () => {
    const directory = temporaryTree({ "world/level.dat": "x", "backups/old.zip": "x" });
    const isElsewhere = (folder: string): boolean => statSync(folder).dev !== statSync(directory).dev;
    const elsewhere = ["/dev/shm", "/var/tmp"].find(isElsewhere);
    if (elsewhere === undefined) throw new Error("There is no second file system for the backups.");
    const other = mkdtempSync(join(elsewhere, "tickmark-backups-"));
    onTestFinished(() => rmSync(other, { recursive: true }));
    const [, available] = dfOf(directory);
    const alone = (await diskSource({ directory }).read(0, never)).measured ?? {};
    expect(Object.keys(alone)).toEqual(["disk_free_mb", "disk_total_mb"]);
    expect(Math.abs((alone.disk_free_mb ?? 0) - available / 1024 ** 2)).toBeLessThan(
      0.01 * (available / 1024 ** 2),
    );
    symlinkSync(other, join(directory, "backup"));
    const source = diskSource({ directory });
    const both = (await source.read(0, never)).measured ?? {};
    expect(both.backup_disk_total_mb).toBe(Math.floor((await fileSystemRoom(other)).totalBytes / 1024 ** 2));
    expect(mergedSample({ measured: both }, 0).refused).toEqual([]);

    // The world may lie on the other disk, and the backups on that of the server.
    rmSync(join(directory, "world"), { recursive: true });
    symlinkSync(other, join(directory, "world"));
    expect((await source.read(hourMs - 1, never)).measured?.disk_total_mb).toBe(both.backup_disk_total_mb);
    rmSync(join(directory, "backup"));
    const moved = (await source.read(hourMs, never)).measured ?? {};
    expect([moved.disk_total_mb, moved.backup_disk_total_mb]).toEqual([
      both.backup_disk_total_mb,
      both.disk_total_mb,
    ]);
  });

  it("knows the folder that a backup plugin is set to, and where the main world will be", async () => {
    const directory = temporaryTree({
      "plugins/DriveBackupV2/config.yml": "local-save-directory: kept/here\n",
      "kept/here/a": "",
      "simplebackups/b": "",
      "server.properties": "level-name=main\n",
    });
    expect(await backupFolders({ directory })).toEqual(
      ["kept/here", "simplebackups"].map((name) => join(directory, name)),
    );
    expect(await mainWorldFolder({ directory })).toBe(directory);
    mkdirSync(join(directory, "main"));
    expect(await mainWorldFolder({ directory })).toBe(join(directory, "main"));
  });
});

it("[OUR-AGT-204] `agent check` says what is measured of the disk, and what is not", async () => {
  const directory = temporaryTree({ "world/level.dat": "x", "creative/level.dat": "x" });
  const [disk] = await diskSource({ directory }).check(never);
  expect(disk).toMatchObject({ able: true, about: "disk" });
  expect(disk?.says).toMatch(
    /^[\d.]+ GB of [\d.]+ GB are free where the worlds are\. No folder of backups was found on another disk\.$/,
  );
  const checked = (from: string) => worldSizesSource({ directory: from }).check(never);
  expect(await checked(directory)).toEqual([
    { able: true, about: "worlds", says: "2 worlds were found; the sizes are counted once an hour, slowly." },
  ]);
  expect(await checked(temporaryTree({ "server.properties": "" }))).toEqual([
    {
      able: false,
      about: "worlds",
      says: "No folder of a world was found, so sizes of worlds are not known.",
    },
  ]);
  expect(await diskSource({ directory: "/nowhere" }).check(never)).toMatchObject([
    { able: false, says: expect.stringMatching(/ENOENT.*so nobody is warned before it is full/) as string },
  ]);
  chmodSync(directory, 0o755);
  chmodSync(join(directory, "world"), 0o700);
  if (process.getuid?.() === 0)
    await unprivileged(async () =>
      expect(await checked(directory)).toMatchObject([
        {
          able: false,
          says: expect.stringContaining("(EACCES), so sizes of worlds are not known") as string,
        },
      ]),
    );
});
