import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tablesLeftOut } from "../../src/store/transfer/tables.ts";
import { migrations } from "../../src/store/migrations/registry.ts";
import { exportOf, sortedRows } from "../store/transfer/exchanging.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { runBuilt, runCommand, type EndedCommand } from "../support/command-line.ts";
import { makeFleet } from "../support/fleet.ts";
import type { Json } from "../support/payload.ts";
import { startServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-exchange-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = "dist/main.js";
const source = `sqlite:${join(folder, "source.db")}`;
beforeAll(() => makeFleet(source, 3, "pro"));

const settings = (url: string) => ({ ...process.env, TICKMARK_DATABASE_URL: url });

const tickmark = (url: string, args: readonly string[]): Promise<EndedCommand> =>
  runCommand(args, { TICKMARK_DATABASE_URL: url });
const built = (url: string, args: readonly string[], input?: string): EndedCommand =>
  runBuilt(args, { TICKMARK_DATABASE_URL: url }, input);

/** Imports what an export answered. */
const imported = (url: string, exported: Buffer): Promise<EndedCommand> => {
  writeFileSync(at("imported.ndjson"), exported);
  return tickmark(url, ["import", at("imported.ndjson")]);
};

/** One line on standard error, nothing on the other, and that status. */
const refusal = (status: number, words: string | RegExp) => ({
  status,
  stdout: "",
  lines: 1,
  stderr: expect.stringMatching(
    typeof words === "string" ? new RegExp(`^[^\\n]*${words}[^\\n]*\\n$`) : words,
  ) as string,
});

const json = (text: string): Json => JSON.parse(text) as Json;
const at = (name: string): string => join(folder, name);
const drafts = (): string[] => readdirSync(folder).filter((name) => name.includes(".part"));

describe("backup", () => {
  it("[OUR-CLI-05] copies a database that is served into a file nobody else may read, and says so in one line", async () => {
    const service = await startServiceProcess({
      TICKMARK_DATABASE_URL: source,
      TICKMARK_SECRET: "a secret of tests",
    });
    const { status, stdout, stderr } = await tickmark(source, ["backup", at("copy.db"), "--json"]);
    const served = await exportOf(source);
    await service.stop();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(json(stdout)).toEqual({ file: at("copy.db"), bytes: statSync(at("copy.db")).size });
    expect(statSync(at("copy.db")).mode & 0o777).toBe(0o600);
    expect(sortedRows(await exportOf(`sqlite:${at("copy.db")}`))).toEqual(sortedRows(served));
    expect(drafts()).toEqual([]);
  });

  it("[OUR-CLI-05] writes over no file", async () => {
    writeFileSync(at("kept"), "kept");
    expect(await tickmark(source, ["backup", at("kept")])).toEqual(refusal(1, "exists already"));
    expect(readFileSync(at("kept"), "utf8")).toBe("kept");
  });

  it("[OUR-CLI-05] refuses what it cannot do in one line, and leaves nothing behind", async () => {
    expect(await tickmark("postgres://nobody@127.0.0.1:1/none", ["backup", at("b")])).toEqual(
      refusal(1, "cannot reach its database"),
    );
    expect(await tickmark(source, ["backup", "-"])).toEqual(refusal(2, "the name of a new file"));
    expect(await tickmark(source, ["backup"])).toEqual(refusal(2, "missing required argument"));
    expect(await tickmark(`sqlite:${at("none.db")}`, ["backup", at("b")])).toEqual(
      refusal(1, "There is no database"),
    );
    // An empty file, as a mistyped path leaves one, is no database either.
    writeFileSync(at("empty.db"), "");
    for (const into of [[at("b")], [at("bs"), "--keep", "2"]])
      expect(await tickmark(`sqlite:${at("empty.db")}`, ["backup", ...into])).toEqual(
        refusal(1, "This is not a database of Tickmark"),
      );
    expect(existsSync(at("none.db"))).toBe(false);
    expect(await tickmark(source, ["backup", at("none/b")])).toEqual(refusal(1, "cannot be created"));
    writeFileSync(at("text.db"), "no database, ".repeat(100));
    expect(await tickmark(`sqlite:${at("text.db")}`, ["backup", at("b")])).toEqual(
      refusal(1, "is not an SQLite database"),
    );
    expect(existsSync(at("b"))).toBe(false);
    expect(drafts()).toEqual([]);
  });
});

describe("export and import", () => {
  it("[OUR-CLI-06] make a second database of a file, quiet in a pipe", async () => {
    const written = await tickmark(source, ["export", at("all.ndjson"), "--json"]);
    expect(written).toMatchObject({ status: 0, stderr: "" });
    const bytes = statSync(at("all.ndjson")).size;
    expect(json(written.stdout)).toMatchObject({
      file: at("all.ndjson"),
      bytes,
      tables: { server: 3 },
      left_out: tablesLeftOut,
    });
    expect(statSync(at("all.ndjson")).mode & 0o777).toBe(0o600);
    const copy = `sqlite:${at("second.db")}`;
    const read = await tickmark(copy, ["import", at("all.ndjson"), "--json"]);
    expect(read).toMatchObject({ status: 0, stderr: "" });
    expect(json(read.stdout)).toMatchObject({ tables: json(written.stdout)["tables"] as Json });
    expect(sortedRows(await exportOf(copy))).toEqual(sortedRows(await exportOf(source)));
  });

  it("[OUR-CLI-06] go through standard output and input, which hold the export and nothing else", async () => {
    const written = built(source, ["export", "-", "--json"]);
    expect(written.status).toBe(0);
    expect(json(written.stderr)).toMatchObject({ file: "-", bytes: Buffer.byteLength(written.stdout) });
    expect(built(source, ["export", "-"]).stderr).toBe("");
    const copy = `sqlite:${at("third.db")}`;
    expect(built(copy, ["import", "-"], written.stdout)).toMatchObject({ status: 0, stderr: "" });
    expect(sortedRows(await exportOf(copy))).toEqual(sortedRows(await exportOf(source)));
  });

  it("[OUR-CLI-06] say what is left out, and refuse in one line what they cannot do", async () => {
    const { stdout } = await tickmark(source, ["export", at("some.ndjson")]);
    for (const words of ["The export leaves out", "sessions", "mailed codes", "addresses that wait"])
      expect(stdout).toContain(words);
    for (const table of ["session", "one_time_code", "pending_address"])
      expect(tablesLeftOut).toHaveProperty(table);
    expect(await tickmark(source, ["export", at("some.ndjson")])).toEqual(refusal(1, "exists already"));
    expect(await tickmark(source, ["import", at("some.ndjson")])).toEqual(refusal(1, "has data already"));
    const empty = `sqlite:${at("fourth.db")}`;
    expect(await tickmark(empty, ["import", at("none")])).toEqual(refusal(1, "cannot be read"));
    expect(await tickmark(empty, ["import", folder])).toEqual(refusal(1, "it is a folder"));
    expect(await imported(empty, Buffer.from("x"))).toEqual(refusal(1, "Nothing was imported"));
    expect(await tickmark("postgres://nobody@127.0.0.1:1/none", ["export", at("e")])).toEqual(
      refusal(1, "cannot reach its database"),
    );
    expect(drafts()).toEqual([]);
  });

  it("[OUR-STO-56] take no database of an older or newer version, and change nothing in it", async () => {
    const path = at("old.db");
    const raw = await openRaw(`sqlite:${path}`);
    expect(await tickmark(`sqlite:${path}`, ["export", "-"])).toEqual(
      refusal(1, "not a database of Tickmark"),
    );
    await raw.run("CREATE TABLE schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
    await raw.run("INSERT INTO schema_migration VALUES (1, 'spine')");
    expect(await tickmark(`sqlite:${path}`, ["export", "-"])).toEqual(
      refusal(1, "A version of Tickmark before 0.1.0 wrote this database"),
    );
    await raw.run("UPDATE schema_migration SET name = 'schema'");
    await raw.run("INSERT INTO schema_migration VALUES (9999, 'later')");
    expect(await tickmark(`sqlite:${path}`, ["export", "-"])).toEqual(
      refusal(1, "A newer version of Tickmark wrote this database"),
    );
    expect(await raw.rows("SELECT name FROM sqlite_master WHERE type = 'table'")).toHaveLength(1);
    expect(migrations.length).toBeLessThan(9999);
    await raw.close();
  });
});

it("[OUR-CLI-04] backup, export and import explain themselves", async () => {
  for (const command of ["backup", "export", "import"]) {
    const { status, stdout } = await tickmark(source, [command, "--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: tickmark ${command} [options] <file>`);
  }
});

eachDatabase((databases) => {
  const importing = (url: string): ChildProcess =>
    spawn(process.execPath, [main, "import", "-", "--json"], {
      env: settings(url),
      stdio: ["pipe", "ignore", "pipe"],
    });

  /** Resolves when the process reads: what a pipe holds is less than half of the export. */
  const feed = (child: ChildProcess, bytes: Buffer): Promise<void> =>
    new Promise((resolve) => child.stdin?.write(bytes, () => resolve()));

  it("[OUR-STO-55] an import that is killed leaves the database empty, and a repeat is taken", async () => {
    const url = await databases.emptyUrl();
    const exported = await exportOf(source);
    // So many lines that they are inserted before the process has read them all.
    const [header = "", ...lines] = exported.toString("utf8").split("\n");
    const account = lines[0] ?? "";
    const many = Array.from({ length: 8000 }, (_, index) =>
      account.replace(/"(id|email)":"/g, (name) => `${name}${index}-`),
    );
    const child = importing(url);
    await feed(child, Buffer.from([header, ...many, ""].join("\n")));
    child.kill("SIGKILL");
    await once(child, "exit");
    await databases.open(url);
    expect(sortedRows(await exportOf(url))).toEqual([]);
    expect(await imported(url, exported)).toMatchObject({ status: 0, stderr: "" });
    expect(sortedRows(await exportOf(url))).toEqual(sortedRows(exported));
  });

  it("[OUR-STO-57] what a service noted of itself keeps no import away, and gives way to it", async () => {
    const url = await databases.emptyUrl();
    const service = await startServiceProcess({
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret of tests",
    });
    await service.stop();
    const noted = sortedRows(await exportOf(url));
    expect(noted.map((line) => (JSON.parse(line) as Json)["table"])).toEqual([
      "secret_check",
      "service_log",
      "service_log",
    ]);
    const exported = await exportOf(source);
    expect(await imported(url, exported)).toMatchObject({ status: 0, stderr: "" });
    expect(sortedRows(await exportOf(url))).toEqual(sortedRows(exported));
  });

  it("[OUR-STO-57] of two imports into one database one is taken, and the other finds it taken", async () => {
    const url = await databases.emptyUrl();
    const exported = await exportOf(source);
    const both = [importing(url), importing(url)];
    const ended = both.map(async (child) => {
      let stderr = "";
      child.stderr?.on("data", (text: Buffer) => (stderr += text.toString()));
      child.stdin?.on("error", () => {});
      child.stdin?.end(exported);
      const [status] = (await once(child, "close")) as [number];
      return { status, stderr };
    });
    const outcomes = (await Promise.all(ended)).toSorted((a, b) => a.status - b.status);
    expect(outcomes).toEqual([
      { status: 0, stderr: "" },
      {
        status: 1,
        stderr: expect.stringMatching(/^(The database has data already|Another process)[^\n]+\n$/) as string,
      },
    ]);
    expect(sortedRows(await exportOf(url))).toEqual(sortedRows(exported));
  });
}, sharedKinds);
