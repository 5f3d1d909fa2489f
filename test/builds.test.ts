import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "tickmark-builds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The program says which build it is, and what it loads when it is asked; a build writes it in two steps, as a long one does.
writeFileSync(
  join(folder, "build.mjs"),
  `import { mkdirSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { newBuild, publish, removeOldBuilds } from "./builds.mjs";
const build = newBuild();
const lazy = 'process.stdin.once("data", async () => { console.log((await import("./chunks/later.js")).default); process.exit(0); });';
writeFileSync(build.folder + "/main.js", 'console.log("' + build.name + '");' + lazy);
for (let pass = 0; pass < 50; pass += 1) await setImmediate();
mkdirSync(build.folder + "/chunks");
writeFileSync(build.folder + "/chunks/later.js", 'export default "' + build.name + '";');
publish(build);
removeOldBuilds();
`,
);
copyFileSync("builds.mjs", join(folder, "builds.mjs"));
writeFileSync(join(folder, "package.json"), '{"type":"module"}');

const run = (script: string) =>
  spawn(process.execPath, [script], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
async function build(): Promise<void> {
  const [status] = (await once(run("build.mjs"), "exit")) as [number | null];
  expect(status).toBe(0);
}
const inDist = (): string[] => readdirSync(join(folder, "dist"));
const folders = (): string[] => inDist().filter((name) => name.startsWith("build-"));

it("builds at once end each whole, and a program that runs loads what it needs from its own build, also many builds later", async () => {
  await build();
  const program = run("dist/main.js");
  const lines = createInterface({ input: program.stdout });
  const [own] = (await once(lines, "line")) as [string];
  await Promise.all([build(), build()]);
  for (let count = 0; count < 3; count += 1) await build();
  expect(folders()).toContain(own);
  program.stdin.write("now\n");
  const [loaded] = (await once(lines, "line")) as [string];
  expect(loaded).toBe(own);
  await once(program, "exit");
  await build();
  expect(folders()).not.toContain(own);
  expect(folders().length).toBe(3);
  // Nothing half-made stays, and a package holds the newest build alone.
  expect(
    inDist()
      .filter((name) => !folders().includes(name))
      .toSorted(),
  ).toEqual([".npmignore", "build.json", "main.js"]);
  const { name } = JSON.parse(readFileSync(join(folder, "dist/build.json"), "utf8")) as { name: string };
  const left = readFileSync(join(folder, "dist/.npmignore"), "utf8").trim().split("\n");
  expect(
    [...left, `/${name}/`]
      .toSorted()
      .map((line) => line.slice(1, -1))
      .filter((each) => existsSync(join(folder, "dist", each))),
  ).toEqual(folders().toSorted());
});
