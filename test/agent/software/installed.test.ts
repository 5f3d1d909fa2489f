import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInstalled } from "../../../src/agent/software/installed.ts";
import { descriptorKinds, folderOf, jar } from "../../support/jars.ts";
import { zip } from "../../support/zip-writer.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tickmark-software-"));
});
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
/** A server's folder with these files below its folder of plugins or mods. */
function serverWith(
  folder: "plugins" | "mods",
  files: Readonly<Record<string, Uint8Array | string>>,
): string {
  folders += 1;
  const directory = join(root, String(folders));
  mkdirSync(join(directory, folder), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, folder, name), content);
  return directory;
}

describe("plugins and mods of a server", () => {
  it.each(descriptorKinds)("[OUR-AGW-01] %s gives a name and a version", async (kind) => {
    const folder = folderOf(kind);
    const directory = serverWith(folder, {
      "some.jar": jar(kind, { name: "Market Stalls", version: "2.10.1-b7" }),
    });
    expect(await readInstalled(directory, folder)).toEqual([
      { name: "Market Stalls", version: "2.10.1-b7", enabled: true },
    ]);
  });

  it("[OUR-AGW-01] a server without a folder has none; a folder that is no folder is not known", async () => {
    const directory = serverWith("plugins", {});
    writeFileSync(join(directory, "mods"), "");
    expect(await readInstalled(directory, "plugins")).toEqual([]);
    expect(await readInstalled(join(directory, "elsewhere"), "plugins")).toEqual([]);
    expect(await readInstalled(directory, "mods")).toBeNull();
  });

  it("[OUR-AGW-01] more jars than an inventory has are not known, rather than known in part", async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.jar`, ""]));
    expect(await readInstalled(serverWith("mods", files(1000)), "mods")).toHaveLength(1000);
    expect(await readInstalled(serverWith("mods", files(1001)), "mods")).toBeNull();
  });

  it("[OUR-AGW-02] what is switched off is there, other files are not", async () => {
    const shop = jar("plugin.yml", { name: "Shop", version: "1" });
    const directory = serverWith("plugins", {
      "Shop.jar.disabled": shop,
      "Shop-2.JAR": jar("plugin.yml", { name: "Shop", version: "2" }),
      "._Shop.jar": shop,
      "Shop.jar.old": shop,
      "notes.txt": "",
    });
    expect(await readInstalled(directory, "plugins")).toEqual([
      { name: "Shop", version: "2", enabled: true },
      { name: "Shop", version: "1", enabled: false },
    ]);
  });

  it("[OUR-AGW-03] the version of the manifest stands for its placeholder, others are not known", async () => {
    const read = async (version: string) => {
      const directory = serverWith("mods", { "a.jar": jar("META-INF/mods.toml", { name: "Some", version }) });
      return (await readInstalled(directory, "mods"))?.map((each) => each.version);
    };
    expect(await read("${file.jarVersion}")).toEqual(["5.4.1"]);
    expect(await read("${version}")).toEqual([null]);
    expect(await read("@VERSION@")).toEqual([null]);
    expect(await read("@home")).toEqual(["@home"]);
  });

  it("[OUR-AGW-01] the descriptor that the server takes first counts", async () => {
    const entry = (name: string, own: string) => ({ name, content: `name: ${own}\nversion: 1\n` });
    const both = zip([
      entry("bungee.yml", "Proxy"),
      entry("plugin.yml", "Old"),
      entry("paper-plugin.yml", "New"),
    ]);
    const nameless = zip([
      { name: "paper-plugin.yml", content: "name: [a]\nversion: 1\n" },
      entry("plugin.yml", "Old"),
    ]);
    const directory = serverWith("plugins", { "a.jar": both, "b.jar": nameless });
    expect((await readInstalled(directory, "plugins"))?.map(({ name }) => name)).toEqual(["New", "Old"]);
  });

  it("[OUR-AGW-04] a link, a folder and a pipe called jar are not read", async () => {
    const directory = serverWith("plugins", {
      "real.txt": jar("plugin.yml", { name: "Secret", version: "1" }),
    });
    symlinkSync(join(directory, "plugins", "real.txt"), join(directory, "plugins", "link.jar"));
    mkdirSync(join(directory, "plugins", "folder.jar"));
    expect(await readInstalled(directory, "plugins")).toEqual([
      { name: "folder.jar", version: null, enabled: true },
      { name: "link.jar", version: null, enabled: true },
    ]);
  });

  it("[OUR-AGW-06] thirty jars are read in 300 ms of CPU time, and the event loop goes on between them", async () => {
    const files = { plugins: {} as Record<string, Buffer>, mods: {} as Record<string, Buffer> };
    for (let index = 0; index < 30; index += 1) {
      const kind = descriptorKinds[index % descriptorKinds.length] ?? "plugin.yml";
      const classCount = [200, 800, 2500][index % 3] ?? 0;
      files[folderOf(kind)][`${index}.jar`] = jar(kind, { name: `P${index}`, version: "1", classCount });
    }
    const [plugins, mods] = [serverWith("plugins", files.plugins), serverWith("mods", files.mods)];
    const measure = async () => {
      let turns = 0;
      const beat = setInterval(() => (turns += 1), 0);
      const before = process.cpuUsage();
      const found = [await readInstalled(plugins, "plugins"), await readInstalled(mods, "mods")].flat();
      const { user, system } = process.cpuUsage(before);
      clearInterval(beat);
      expect(found.filter((each) => each?.version === "1")).toHaveLength(30);
      expect(turns).toBeGreaterThan(10);
      return (user + system) / 1000;
    };
    const [first, again] = [await measure(), await measure()];
    console.log(`30 jars (35,000 entries): ${first.toFixed(0)} ms CPU, again ${again.toFixed(0)} ms`);
    expect(first).toBeLessThan(300);
  });
});
