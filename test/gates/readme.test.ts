import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { filesBelow, read } from "./sources.ts";

const readme = read("README.md");
const manifest = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** The pages beside the README. */
const beside = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(read).join("\n");

it("every path the README and the pages beside it name exists", () => {
  const paths = [...(readme + beside).matchAll(/`((?:src|tools|resources|test)\/[\w./-]*)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it("the changelog names the version and the newest migration", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const changes = read("CHANGELOG.md");
  const migrations = filesBelow(["src/store/migrations"], ".ts").filter((path) => /\/\d{4}-/.test(path));
  expect(/^## (\S+?),/m.exec(changes)?.[1]).toBe(version);
  expect(/Migrations: 1 to (\d+)\./.exec(changes)?.[1]).toBe(String(migrations.length));
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
  const source = read("src/config.ts") + read("src/connector-config.ts");
  const known = [...source.matchAll(/get\("(\w+)"\)/g)].map(([, name]) => `TICKMARK_${name}`);
  const connector = [...source.matchAll(/environment\["(TICKMARK_\w+)"\]/g)].map(([, name]) => name ?? "");
  expect([...documented].toSorted()).toEqual([...new Set([...known, ...connector])].toSorted());
});

it("[OUR-CFG-01] a value that cannot be used is one line that names the variable", () => {
  for (const [name, value] of [
    ["TICKMARK_PORT", "http"],
    ["TICKMARK_BASE_URL", "tickmark.example"],
    ["TICKMARK_DATABASE_URL", "mysql://x"],
    ["TICKMARK_SECRET", "short"],
    ["TICKMARK_TRUST_PROXY", "everyone"],
    ["TICKMARK_PLANS", "/nowhere.json"],
    ["TICKMARK_LOG_LEVEL", "loud"],
    ["TICKMARK_HOST", "999.1.1.1"],
    ["TICKMARK_STOP_SECONDS", "601"],
    ["TICKMARK_STOP_SECONDS", "-1"],
    ["TICKMARK_DRAIN_SECONDS", "soon"],
    ["TICKMARK_METRICS_PORT", "many"],
    ["TICKMARK_METRICS_TOKEN", "short"],
    ["TICKMARK_LOG_FORMAT", "xml"],
    ["TICKMARK_MODERATION", "yes"],
    ["TICKMARK_SMTP_URL", "mail.example:587"],
    ["TICKMARK_SMTP_URL", "https://mail.example"],
    ["TICKMARK_MAIL_FROM", "Tickmark"],
    ["TICKMARK_MAIL_FROM", "a@b.example, c@d.example"],
    ["TICKMARK_BASE_URL", "https://a:b@tickmark.example/?x=1"],
  ] as const) {
    const secret = name === "TICKMARK_SECRET" ? {} : { TICKMARK_SECRET: "0123456789abcdef" };
    expect(() => readConfig({ ...secret, [name]: value })).toThrow(new RegExp(`^${name} takes [^\\n]+\\.$`));
  }
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
