import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { projectVersion } from "../../src/program/program-files.ts";
import { startServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The largest package and the largest folder that it unpacks to, bytes. */
const packed = 2_000_000;
const unpacked = 8_000_000;

it("[OUR-CLI-09] what is installed with the package takes the oldest Node.js that it names, without replaced versions", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<
      string,
      { dev?: boolean; optional?: boolean; engines?: { node?: string }; gypfile?: boolean }
    >;
  };
  const { overrides } = JSON.parse(readFileSync("package.json", "utf8")) as { overrides: object };
  // npm replaces no version where this is not the package at the root.
  for (const name of Object.keys(overrides))
    expect([name, packages[`node_modules/${name}`]?.dev]).toEqual([name, true]);
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  expect(installed.length).toBeGreaterThan(100);
  // The SQLite that brings its binary is left out by npm where Node.js is older than it takes, without a warning.
  const binary = packages["node_modules/better-sqlite3-prebuilt"];
  expect([binary?.optional, packages["node_modules/better-sqlite3"]?.optional]).toEqual([true, true]);
  const tooNew = installed.filter(([, { engines }]) => !takesNode20(engines?.node ?? "*"));
  expect(tooNew.map(([path]) => path)).toEqual(["node_modules/better-sqlite3-prebuilt"]);
  // Without this line, which npm drops whenever it writes the file, `npm ci` compiles it, and removes it where it cannot.
  expect(binary?.gypfile, 'package-lock.json needs "gypfile": false in better-sqlite3-prebuilt').toBe(false);
});

/** Whether a range of versions, in the few forms that packages use, takes Node.js 20.19. */
const takesNode20 = (range: string): boolean =>
  range.split("||").some((part) => {
    const [, sign, major, minor = "0"] = /^\s*(>=|\^)?\s*(\d+|\*)(?:\.(\d+|x))?/.exec(part) ?? [];
    if (major === "*") return true;
    if (sign === ">=") return Number(major) < 20 || (Number(major) === 20 && Number(minor) <= 19);
    return Number(major) === 20 && (minor === "x" || Number(minor) <= 19);
  });

it("[OUR-CLI-09] the package holds only what runs, and runs in a folder without the sources", async () => {
  const pack = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    encoding: "utf8",
  });
  const [made] = JSON.parse(pack.stdout) as {
    filename: string;
    size: number;
    unpackedSize: number;
    files: { path: string }[];
  }[];
  if (!made) throw new Error(pack.stderr);
  const paths = made.files.map(({ path }) => path);
  console.log(`the package: ${made.size} bytes, unpacked ${made.unpackedSize} bytes, ${paths.length} files`);
  expect(made.size).toBeLessThan(packed);
  expect(made.unpackedSize).toBeLessThan(unpacked);
  expect(
    paths.filter((path) => /^(test|node_modules)\/|\.tsx?$|\.map$|\/build-[^/]*\.js$/.test(path)),
  ).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "dist/main.js"]));

  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "tickmark"), { recursive: true });
  const unpack = [
    "-xzf",
    join(folder, made.filename),
    "--strip-components=1",
    "-C",
    join(modules, "tickmark"),
  ];
  expect(spawnSync("tar", unpack).status).toBe(0);
  // Its dependencies, as npm would install them inside the package.
  symlinkSync(resolve("node_modules"), join(modules, "tickmark", "node_modules"));
  const main = join(modules, "tickmark", "dist", "main.js");
  expect(existsSync(join(modules, "tickmark", "src", "main.ts"))).toBe(false);
  const version = spawnSync(process.execPath, [main, "--version"], { encoding: "utf8", cwd: folder });
  expect(version.stdout).toBe(`${projectVersion}\n`);
  const service = await startServiceProcess(
    { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "package.db")}` },
    [],
    main,
  );
  const page = await fetch(`${service.baseUrl}/sign-in`);
  const style = /\/assets\/[^"]+style\.css/.exec(await page.text())?.[0] ?? "";
  expect((await fetch(service.baseUrl + style)).status).toBe(200);
  await service.stop();
});
