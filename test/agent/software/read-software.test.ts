import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readSoftware } from "../../../src/agent/software/read-software.ts";
import { softwareFolder } from "../../../src/agent/software/software-folder.ts";
import { softwareChanges } from "../../../src/core/software/changes.ts";
import { SoftwareInventory } from "../../../src/core/software/inventory.ts";
import { jar } from "../../support/jars.ts";
import { installWith } from "../install.ts";
import { machineTree, put, type Link } from "../machine-tree.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A machine with a server in `/srv`, whose process runs with these arguments. */
async function read(files: Readonly<Record<string, string | Link>>, args: readonly string[] | null = null) {
  const root = machineTree(files);
  roots.push(root);
  const directory = join(root, "srv");
  const findProcess = async () =>
    args === null ? null : { pid: 7, startTicks: 1, java: true, arguments: args };
  const install = installWith({ directory, log: join(directory, "logs", "latest.log"), findProcess });
  const again = () => readSoftware(install, { root });
  return { directory, again, software: SoftwareInventory.parse(await again()) };
}

const paper = {
  "srv/server.properties":
    "#Minecraft server properties\n#Sun Nov 22 18:05:00 UTC 2026\nview-distance=10\nsimulation-distance=8\nsync-chunk-writes=true\nrcon.password=hunter2\n",
  "srv/bukkit.yml": "settings:\n  allow-end: true\nspawn-limits:\n  monsters: 70\n  animals: 10\n",
  "srv/spigot.yml":
    "world-settings:\n  default:\n    merge-radius:\n      exp: 3.0\n      item: 2.5\n    ticks-per:\n      hopper-transfer: 8\n      hopper-check: 1\n    entity-activation-range:\n      animals: 32\n      monsters: 32\n      tick-inactive-villagers: true\n  other:\n    merge-radius:\n      item: 9\n",
  "srv/config/paper-global.yml": "proxies:\n  velocity:\n    secret: 'abc'\n",
  "srv/config/paper-world-defaults.yml":
    "chunks:\n  max-auto-save-chunks-per-tick: 24\n  prevent-moving-into-unloaded-chunks: false\ncollisions:\n  max-entity-collisions: 8\nhopper:\n  ignore-occluding-blocks: false\nmisc:\n  redstone-implementation: VANILLA\n",
  "srv/version_history.json": '{"currentVersion":"1.21.4-147-main@1a2b3c4 (MC: 1.21.4)"}',
  "srv/logs/latest.log":
    '[10:00:00] [Server thread/INFO]: Starting minecraft server version 1.21.4\n[10:00:09] [Server thread/INFO]: Done (8.1s)! For help, type "help"\n',
};
const java = {
  "proc/7/exe": { to: "/usr/lib/jvm/21/bin/java" },
  "proc/7/root/usr/lib/jvm/21/release": 'IMPLEMENTOR="Eclipse Adoptium"\nJAVA_VERSION="21.0.4"\n',
};

describe("the software of a server", () => {
  it("[OUR-AGW-07] the known settings are read from the files of Paper, Spigot and Bukkit", async () => {
    const { software } = await read(paper);
    expect(software.settings).toEqual({
      view_distance: 10,
      simulation_distance: 8,
      sync_chunk_writes: true,
      max_auto_save_chunks_per_tick: 24,
      prevent_moving_into_unloaded_chunks: false,
      activation_range_monsters: 32,
      spawn_limit_monsters: 70,
      max_entity_collisions: 8,
      tick_inactive_villagers: true,
      merge_radius_item: 2.5,
      redstone_implementation: "VANILLA",
      hopper_ignore_occluding_blocks: false,
      hopper_check_ticks: 1,
    });
  });

  it("[OUR-AGW-07] what is not in a file, or in no form that it has, is not known", async () => {
    const { software } = await read({
      "srv/spigot.yml":
        "world-settings:\n  default: {merge-radius: {item: 2}}\n  default: |\n    merge-radius:\n      item: 3\n",
      "srv/bukkit.yml": `spawn-limits:\n  monsters: ${"9".repeat(300)}\n`,
      "srv/server.properties": "view-distance=\nsimulation-distance=ten",
    });
    const known = Object.entries(software.settings).filter(([, value]) => value !== null);
    expect(known).toEqual([
      ["simulation_distance", "ten"],
      ["spawn_limit_monsters", "9".repeat(200)],
    ]);
  });

  it("[OUR-AGW-08] a digest is of what is set: neither times, nor order, nor secrets change it", async () => {
    const first = await read(paper);
    const rewritten = await read({
      ...paper,
      "srv/server.properties":
        "#Mon Nov 23 06:00:00 UTC 2026\r\nrcon.password=another\r\nsync-chunk-writes=true\r\nview-distance=10\r\nsimulation-distance=8\r\n",
      "srv/config/paper-global.yml": "# why\n\nproxies:\n  velocity:\n    secret: 'xyz'\n",
    });
    expect(rewritten.software.files).toEqual(first.software.files);
    expect(first.software.files?.map(({ file }) => file)).toEqual([
      "server.properties",
      "bukkit.yml",
      "spigot.yml",
      "config/paper-world-defaults.yml",
      "config/paper-global.yml",
    ]);
    const changed = await read({
      ...paper,
      "srv/bukkit.yml": paper["srv/bukkit.yml"].replace("true", "false"),
    });
    const changes = softwareChanges(first.software, changed.software);
    expect(changes.map(({ kind, subject }) => [kind, subject])).toEqual([["setting_changed", "bukkit.yml"]]);
  });

  it("[OUR-AGW-04] what lies behind a link below the server's folder is not read, and each link is named once", async () => {
    const behind = Object.entries(paper).map(([path, text]) => [path.replace("srv/", "elsewhere/"), text]);
    const files = Object.fromEntries(behind) as Readonly<Record<string, string>>;
    const linked = ["config", "logs", "spigot.yml", "version_history.json"];
    const links = linked.map((name) => [`srv/${name}`, { to: `../elsewhere/${name}` }]);
    const { directory, software } = await read({ ...files, ...Object.fromEntries(links) });
    expect(software.server).toEqual({ type: null, name: null, version: null, build: null });
    expect(software.files).toEqual([]);
    expect(Object.values(software.settings).filter((value) => value !== null)).toEqual([]);
    const folder = softwareFolder(installWith({ directory, log: join(directory, "logs", "latest.log") }));
    const { unread } = await folder.read(new AbortController().signal);
    expect([...unread].toSorted()).toEqual(
      linked.map((name) => `${join(directory, name)}, which is a link`).toSorted(),
    );
    const mark = await folder.mark();
    put(directory, "../elsewhere/config/paper-global.yml", "another: longer text\n");
    expect(await folder.mark()).toBe(mark);
  });

  it("[OUR-AGW-04] a family is not guessed where a fork's sign may lie behind a link; the name of a link is a sign", async () => {
    const forge = "libraries/net/minecraftforge/forge";
    const paperLike = { "srv/spigot.yml": "", "srv/bukkit.yml": "", "srv/config": { to: "../elsewhere" } };
    const family = async (files: Parameters<typeof read>[0]) => (await read(files)).software.server;
    expect(await family(paperLike)).toMatchObject({ type: null });
    expect(await family({ ...paperLike, "srv/purpur.yml": { to: "none" } })).toMatchObject({
      type: "purpur",
    });
    const loader = { [`srv/${forge}`]: { to: "../../../../elsewhere" }, "elsewhere/1.20.1-47.2.0/x": "" };
    expect(await family(loader)).toMatchObject({ type: "forge", build: null });
    const libraries = {
      "srv/libraries": { to: "../elsewhere" },
      "elsewhere/net/minecraftforge/forge/1/x": "",
    };
    expect(await family(libraries)).toMatchObject({ type: null, build: null });
  });

  it("[OUR-AGW-04] the server's folder may be a link, and so may a log that was named elsewhere", async () => {
    const { directory, software } = await read({ ...paper, named: { to: "srv" }, log: { to: "srv/logs" } });
    const root = dirname(directory);
    const install = { directory: join(root, "named"), log: join(root, "log", "latest.log") };
    const folder = softwareFolder(installWith(install));
    const { inventory, unread } = await folder.read(new AbortController().signal);
    expect(inventory).toEqual(software);
    expect(unread).toEqual([]);
  });

  it("[OUR-AGW-09] the family, version and build of Paper", async () => {
    const { software } = await read(paper);
    expect(software.server).toEqual({
      type: "paper",
      name: null,
      version: "1.21.4",
      build: "1.21.4-147-main@1a2b3c4",
    });
    const purpur = await read({
      "srv/purpur.yml": "",
      "srv/config/paper-global.yml": "",
      "srv/version_history.json": '{"currentVersion":"git-Purpur-2062 (MC: 1.20.1)"}',
    });
    expect(purpur.software.server).toEqual({
      type: "purpur",
      name: "Purpur",
      version: "1.20.1",
      build: "git-Purpur-2062",
    });
  });

  it("[OUR-AGW-09] those of mod loaders and proxies, and nothing of a server that shows nothing", async () => {
    const forge = "srv/libraries/net/minecraftforge/forge";
    const one = await read({ [`${forge}/1.20.1-47.2.0/x`]: "" });
    expect(one.software.server).toMatchObject({ type: "forge", build: "1.20.1-47.2.0", version: null });
    const two = await read({ [`${forge}/1.20.1-47.2.0/x`]: "", [`${forge}/1.20.1-47.3.0/x`]: "" });
    expect(two.software.server).toMatchObject({ type: "forge", build: null });
    const proxy = await read({
      "srv/logs/latest.log": "[10:00:00 INFO]: Booting up Velocity 3.4.0-SNAPSHOT (git-1a2b3c4-b500)...\n",
    });
    expect(proxy.software.server).toMatchObject({ type: "velocity", name: "Velocity" });
    expect(proxy.software.server.version).toContain("3.4.0-SNAPSHOT");
    const { software } = await read({ "srv/version_history.json": "{" });
    expect(software.server).toEqual({ type: null, name: null, version: null, build: null });
    expect(software.java).toEqual({ version: null, vendor: null, flags: null });
    expect([software.plugins, software.mods, software.files]).toEqual([[], [], []]);
  });

  it("[OUR-AGW-10] Java is that of the process, whatever tree its files stand in", async () => {
    const root = machineTree({ ...java });
    roots.push(root);
    const install = installWith({
      directory: root,
      findProcess: async () => ({
        pid: 7,
        startTicks: 1,
        java: true,
        arguments: ["java", "-jar", "paper.jar"],
      }),
    });
    const { java: found } = await readSoftware(install, { root });
    expect(found).toEqual({ version: "21.0.4", vendor: "Eclipse Adoptium", flags: [] });
  });

  it("[OUR-AGW-10] of the arguments only switches, numbers and words of the JVM are sent", async () => {
    const sent = [
      "-Xms4G",
      "-Xmx4096m",
      "-XX:+UseG1GC",
      "-XX:-UsePerfData",
      "-XX:MaxGCPauseMillis=200",
      "-Xint",
    ];
    const kept = [
      "-Ddb.password=hunter2",
      "-javaagent:/home/ann/agent.jar=token",
      "-XX:OnOutOfMemoryError=curl http://example.org/?key=hunter2",
      "-XX:HeapDumpPath=/home/ann",
      "-Xlog:gc*:file=/home/ann/gc.log",
      `-XX:${"A".repeat(300)}`,
    ];
    const { software } = await read({}, [
      "/usr/bin/java",
      ...sent.slice(0, 3),
      ...kept,
      "-cp",
      "hunter2.jar",
      "@user_jvm_args.txt",
      ...sent.slice(3),
      "-jar",
      "paper.jar",
      "-Xhunter2",
      "-Xmx1G",
      "--nogui",
    ]);
    expect(software.java.flags).toEqual(sent);
    expect((await read({}, [])).software.java.flags).toBeNull();
  });

  it("[OUR-AGW-11] an update of a plugin is one change, and nothing else differs", async () => {
    const { directory, again } = await read(paper);
    const install = (name: string, version: string): void => {
      const path = join(directory, "plugins", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, jar("plugin.yml", { name: "Shop", version }));
    };
    install("Shop.jar", "1.0");
    const before = await again();
    install("Shop.jar", "1.1");
    const after = await again();
    expect(softwareChanges(before, after)).toEqual([
      { kind: "plugin_updated", subject: "Shop", from: "1.0", to: "1.1" },
    ]);
    expect(await again()).toEqual(after);
  });
});
