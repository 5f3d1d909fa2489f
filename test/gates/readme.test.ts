import { newestMigration } from "../../src/store/migrations/registry.ts";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { settingNames, serviceSettings } from "../../src/app/config/known-settings.ts";
import { filesBelow, read } from "./sources.ts";

const readme = read("README.md");
const manifest = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** The pages beside the README. */
const beside = ["CHANGELOG.md", "CONTRIBUTING.md", "DECISIONS.md", "SECURITY.md"].map(read).join("\n");

it("every path the README and the pages beside it name exists", () => {
  const paths = [...(readme + beside).matchAll(/`((?:src|tools|resources|test)\/[\w./-]*)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it("the names that the finder gives beside a path are declared in that file", () => {
  const rows = [...readme.matchAll(/`(src\/[\w./-]+)` \(((?:`\w+`(?:, )?)+)\)/g)];
  expect(rows.length).toBeGreaterThan(50);
  const missing = rows.flatMap(([, path = "", names = ""]) =>
    [...names.matchAll(/\w+/g)]
      .filter(([name]) => !new RegExp(`\\b(?:function\\*?|const|class) ${name}\\b`).test(read(path)))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it("the changelog names the version and the newest migration", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const changes = read("CHANGELOG.md");
  expect(/^## (\S+?),/m.exec(changes)?.[1]).toBe(version);
  expect(/Migrations: (?:\d+ to )?(\d+)\./.exec(changes)?.[1]).toBe(String(newestMigration()));
});

it("every npm script the README and CI name exists", () => {
  const text = readme + beside + read(".ci/run");
  const named = [...text.matchAll(/npm (?:run )?(\w+)/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !["ci", "run", "install", "and", "pack"].includes(name));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

it("the README's table has exactly the variables that are read", () => {
  const documented = new Set([...readme.matchAll(/`(TICKMARK_\w+)`/g)].map(([, name]) => name));
  const source = read("src/app/config/config.ts") + read("src/app/config/connector-config.ts");
  const known = [...source.matchAll(/get\("(\w+)"\)/g)].map(([, name]) => `TICKMARK_${name}`);
  const connector = [...source.matchAll(/environment\["(TICKMARK_\w+)"\]/g)].map(([, name]) => name ?? "");
  expect([...documented].toSorted()).toEqual([...new Set([...known, ...connector])].toSorted());
  expect([...new Set(known)].toSorted()).toEqual([...serviceSettings].toSorted());
  expect([...documented].filter((name) => !settingNames.includes(name ?? ""))).toEqual([]);
});

it("the endpoints' guides and every Markdown page name only paths that exist", () => {
  for (const page of [...filesBelow(["resources"], ".md"), ...filesBelow(["src"], ".md")]) {
    const paths = [...read(page).matchAll(/`((?:src|tools|resources|test)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? "",
    );
    expect(
      paths.filter((path) => !/[*{]/.test(path) && !existsSync(path)),
      page,
    ).toEqual([]);
  }
});
