import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compared } from "../../../src/cli/config/checks/clock.ts";
import { checkSecret } from "../../../src/app/access/check-secret.ts";
import { storedSeals } from "../../../src/app/access/stored-seals.ts";
import { reseal } from "../../../src/jobs/reseal.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { openDatabase } from "../../../src/store/engine/open-database.ts";
import { startMailServer } from "../../outbound/mail-server.ts";
import { runCommand } from "../../support/command-line.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { fillSealed, sealedPerAccount } from "../../support/sealed-values.ts";
import { unprivileged } from "../../support/unprivileged.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-config-check-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  readonly check: string;
  readonly state: string;
  readonly words: string;
}

const check = async (settings: Record<string, string>, ...options: string[]) => {
  const { status, stdout } = await runCommand(["config", "check", "--json", ...options], settings);
  const { passed, checks } = JSON.parse(stdout) as { passed: boolean; checks: Found[] };
  expect([passed, status]).toEqual(passed ? [true, 0] : [false, 1]);
  const of = (name: string) => checks.filter((each) => each.check === name);
  return { of, checks };
};

const none = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "none.db")}` };

eachDatabase((databases, kind) => {
  it("[OUR-CFG-07] a database of this version is fine, and its clock is asked", async () => {
    const { of } = await check({ TICKMARK_DATABASE_URL: await databases.url() });
    expect(of("database")).toMatchObject([{ state: "ok" }]);
    expect(of("clock").filter(({ state }) => state === "failed")).toEqual([]);
    expect(of("clock").some(({ words }) => words.includes("of the database agree"))).toBe(
      kind === "PostgreSQL",
    );
  });

  const [old, young] = ["the first secret", "the second secret"];

  it("[OUR-CFG-07] says whether the secret is that of the database, and how many values need the earlier one", async () => {
    const url = await databases.url();
    const secretOf = async (secret: string) =>
      (await check({ TICKMARK_DATABASE_URL: url, TICKMARK_SECRET: secret })).of("secret");
    const served = async (use: (db: Database) => Promise<unknown>): Promise<void> => {
      const db = await openDatabase(url, () => {});
      await use(db);
      await db.close();
    };
    const source = (...secrets: string[]) => ({
      place: "TICKMARK_SECRET",
      present: () => secrets,
      made: () => secrets,
    });
    const now = Date.UTC(2026, 10, 20, 12);
    await served(async (db) => {
      await checkSecret(db, source(old), false, now);
      await fillSealed(db, old, 2, now);
    });
    const values = 2 * sealedPerAccount;
    expect(await secretOf(old)).toMatchObject([
      { state: "ok", words: `TICKMARK_SECRET opens ${values} sealed values.` },
    ]);
    const [refused] = await secretOf(young);
    expect(refused?.state).toBe("failed");
    expect(refused?.words).toContain(`${values} of its ${values} sealed values would be lost`);
    const [, both] = await secretOf(`${young},${old}`);
    expect(both?.state).toBe("note");
    expect(both?.words).toContain(`${values} sealed values still need the earlier secret (2 alert addresses`);
    await served(async (db) => {
      const seals = storedSeals([young, old]);
      await checkSecret(db, source(young, old), false, now);
      await reseal({
        db,
        clock: () => now,
        seals,
        signal: new AbortController().signal,
        unreadable: () => {},
      });
    });
    expect((await secretOf(`${young},${old}`))[1]).toMatchObject({
      state: "ok",
      words: "No sealed value needs the earlier secret (0): it may be left out.",
    });
    expect(await secretOf(young)).toMatchObject([{ state: "ok" }]);
  });
}, sharedKinds);

describe("what is wrong", () => {
  it("[OUR-CFG-07] a database that is not there yet is a note, and none is made", async () => {
    const { of } = await check(none);
    expect(of("database")).toMatchObject([{ state: "note" }]);
    expect(readdirSync(folder)).not.toContain("none.db");
  });

  it("[OUR-CFG-07] one that does not answer, is no database, or is locked, fails with the reason", async () => {
    const refused = await check({ TICKMARK_DATABASE_URL: "postgres://me:secret@127.0.0.1:1/x" });
    expect(refused.of("database")).toMatchObject([{ state: "failed" }]);
    expect(refused.of("database")[0]?.words).toMatch(/^PostgreSQL at 127\.0\.0\.1:1 refuses the connection/);
    const text = join(folder, "text.db");
    writeFileSync(text, "This is no database, it is a text of more than a hundred bytes.\n".repeat(20));
    const foreign = await check({ TICKMARK_DATABASE_URL: `sqlite:${text}` });
    expect(foreign.of("database")[0]?.words).toContain("not an SQLite database");
  });

  it("[OUR-CFG-07] a folder that takes no file fails as the disk, with the user and the folder", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o555 });
    const { of } = await unprivileged(() => check({ TICKMARK_DATABASE_URL: `sqlite:${closed}/a.db` }));
    expect(of("disk")[0]).toMatchObject({ state: "failed" });
    expect(of("disk")[0]?.words).toMatch(new RegExp(`^The user .* may not open ${closed}: `));
  });

  it("[OUR-CFG-07] clocks that differ by more than two seconds fail, with which is ahead", () => {
    expect(compared("the database", 1999).state).toBe("ok");
    expect(compared("the database", -1999).state).toBe("ok");
    expect(compared("the database", 61_000)).toMatchObject({ state: "failed" });
    expect(compared("the database", 61_000).words).toContain("61 s ahead of the clock");
    expect(compared("the database", -3_600_000).words).toContain("3600 s behind the clock");
  });

  it("[OUR-CFG-07] a base URL that leads to a service is fine, one that leads elsewhere fails", async () => {
    const body = { livez: '{"status":"ok"}' };
    const server = createServer((request, response) => {
      response.end(request.url === "/livez" ? body.livez : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = { TICKMARK_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    try {
      expect((await check({ ...none, ...url })).of("base URL")[0]).toMatchObject({ state: "ok" });
      body.livez = "<h1>It works!</h1>";
      expect((await check({ ...none, ...url })).of("base URL")[0]).toMatchObject({ state: "failed" });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    // A port that systems give to nobody who asks for any: the one above may be another test's by now.
    const unused = { TICKMARK_BASE_URL: "http://127.0.0.1:29871" };
    expect((await check({ ...none, ...unused })).of("base URL")[0]).toMatchObject({ state: "note" });
  });

  it("[OUR-CFG-07] --mail-to sends a test over the mail server, and says why it did not go", async () => {
    const server = await startMailServer();
    const smtp = { TICKMARK_SMTP_URL: server.url };
    expect((await check({ ...none, ...smtp })).of("mail")).toMatchObject([{ state: "note" }]);
    expect(server.mails).toHaveLength(0);
    const sent = await check({ ...none, ...smtp }, "--mail-to", "me@tests.example");
    expect(sent.of("mail").map(({ words }) => words)).toEqual([
      expect.stringContaining("took a mail to me@tests.example"),
    ]);
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([["me@tests.example"]]);
    await server.close();
    const failed = await check({ ...none, ...smtp }, "--mail-to", "me@tests.example");
    expect(failed.of("mail")[0]).toMatchObject({ state: "failed" });
    const wrong = await runCommand(["config", "check", "--mail-to", "me"], none);
    expect(wrong).toMatchObject({ status: 2, stdout: "", lines: 1 });
  });
});

it("[OUR-CFG-07] changes nothing in a database", async () => {
  const url = `sqlite:${join(folder, "kept.db")}`;
  await (await openDatabase(url, () => {})).close();
  const before = readdirSync(folder);
  await check({ TICKMARK_DATABASE_URL: url });
  expect(readdirSync(folder)).toEqual(before);
});
