import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { postgresVariable, whyPostgresIsSkipped } from "../support/databases.ts";
import { unprivileged } from "../support/unprivileged.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-start-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let busy: Server;
let port = 0;
beforeAll(async () => {
  busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  port = (busy.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => busy.close(resolve)));

const usual = { TICKMARK_SECRET: "0123456789abcdef", TICKMARK_PORT: "0", TICKMARK_LOG_LEVEL: "silent" };
const memory = { ...usual, TICKMARK_DATABASE_URL: "sqlite::memory:" };
const serve = (settings: Record<string, string>, ...options: string[]) =>
  runCommand(["serve", ...options], settings);

/** One line, that status, and no trace of a stack. */
async function refused(started: ReturnType<typeof serve>, status: number, line: RegExp): Promise<void> {
  const ended = await started;
  expect(ended.stderr).toMatch(line);
  expect(ended).toMatchObject({ status, stdout: "", lines: 1 });
}

describe("a start that the machine refuses", () => {
  it("[OUR-CFG-05] names the port in use by its variable, that of the metrics too", async () => {
    const taken = new RegExp(
      `^Port ${port} of 127\\.0\\.0\\.1 is in use\\. Set TICKMARK_PORT to another port\\.$`,
      "m",
    );
    await refused(serve({ ...memory, TICKMARK_PORT: String(port) }), 1, taken);
    const metrics = { ...memory, TICKMARK_METRICS_PORT: String(port) };
    await refused(serve(metrics), 1, /is in use\. Set TICKMARK_METRICS_PORT to another port/);
  });

  it("[OUR-CFG-05] names a host that is not of this machine", async () => {
    const elsewhere = { ...memory, TICKMARK_HOST: "192.0.2.1" };
    await refused(serve(elsewhere), 2, /^TICKMARK_HOST takes an address of this machine, not 192\.0\.2\.1/);
  });

  it("[OUR-CFG-05] names a folder that this user may not write, and not the port", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o555 });
    const inside = { ...usual, TICKMARK_DATABASE_URL: `sqlite:${closed}/data/a.db` };
    const line = new RegExp(
      `^The user \\S+ \\(uid \\d+\\) may not make the folder ${closed}/data: .*chown.* TICKMARK_DATABASE_URL names the database\\.$`,
      "m",
    );
    await unprivileged(() => refused(serve(inside), 1, line));
    const file = { ...usual, TICKMARK_DATABASE_URL: `sqlite:${closed}/a.db` };
    await unprivileged(() => refused(serve(file), 1, new RegExp(`may not open ${closed}/a\\.db`)));
  });

  it("[OUR-CFG-05] names a database that this user may not read, is a folder, lies below a file, or is no database", async () => {
    const at = (name: string): string => join(folder, name);
    writeFileSync(at("private.db"), "", { mode: 0o600 });
    mkdirSync(at("folder.db"));
    writeFileSync(at("text.db"), "This is a text, and no database.\n".repeat(100));
    const open = (path: string) => serve({ ...usual, TICKMARK_DATABASE_URL: `sqlite:${path}` });
    await unprivileged(() =>
      refused(open(at("private.db")), 1, /cannot open the database .*private\.db: let this user read/),
    );
    await refused(open(at("folder.db")), 2, /folder\.db is a folder, and has to be a file/);
    await refused(open(at("text.db/data/a.db")), 2, /a part of this path is a file and no folder/);
    await refused(open(at("text.db")), 2, /not an SQLite database: .*text\.db/);
  });

  it("[OUR-CFG-05] names the file of the set-up code and the folder of backups", async () => {
    const code = { ...memory, TICKMARK_SETUP_CODE_FILE: join(folder, "nowhere", "code") };
    await refused(
      serve(code),
      2,
      /nowhere\/code cannot be made, because .*nowhere is not there.*TICKMARK_SETUP_CODE_FILE/,
    );
    writeFileSync(join(folder, "file"), "");
    await refused(serve(memory, "--backup-dir", join(folder, "file", "a")), 2, /file\/a/);
  });
});

describe("a PostgreSQL that cannot be used", () => {
  const serveOn = (url: string) => serve({ ...usual, TICKMARK_DATABASE_URL: url });

  it("[OUR-CFG-05] that refuses, or has no such host, is named with host, port and reason", async () => {
    await refused(
      serveOn("postgres://me:hidden@127.0.0.1:1/x"),
      1,
      /^PostgreSQL at 127\.0\.0\.1:1 refuses the connection: start it/,
    );
    await refused(
      serveOn("postgres://me:hidden@no-such-host.invalid/x"),
      1,
      /^PostgreSQL at no-such-host\.invalid:5432 was not found/,
    );
    await refused(
      serveOn("postgres://me@/x?host=/nowhere"),
      1,
      /^PostgreSQL at \/nowhere has no socket there/,
    );
  });

  it.skipIf(whyPostgresIsSkipped() !== null)(
    "[OUR-CFG-05] a wrong password, database or TLS is a wrong setting",
    async () => {
      const url = (change: (url: URL) => void): string => {
        const changed = new URL(process.env[postgresVariable] ?? "");
        change(changed);
        return changed.href;
      };
      await refused(
        serveOn(url((to) => (to.pathname = "/no_such_database"))),
        2,
        /has no database no_such_database\. Make it/,
      );
      await refused(
        serveOn(url((to) => to.searchParams.set("sslmode", "verify-full"))),
        2,
        /does not take TLS/,
      );
      const wrong = url((to) => ((to.username = "nobody_here"), (to.password = "hidden-password")));
      await refused(
        serveOn(wrong),
        2,
        /(?:refuses the password of the user|does not let the user) nobody_here/,
      );
    },
  );
});
