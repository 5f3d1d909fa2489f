import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countSealed, storedSeals } from "../../src/app/access/stored-seals.ts";
import { totalOfState } from "../../src/core/access/stored-seals.ts";
import { eachDatabase, sharedKinds } from "../support/databases.ts";
import { runCommand } from "../support/command-line.ts";
import { fillSealed, sealedPerAccount } from "../support/sealed-values.ts";
import { startTestService, type TestServiceOptions } from "../support/service.ts";

const accounts = 2;
const values = accounts * sealedPerAccount;
const own = "the secret of this database";

/** What a start with these settings prints when it is refused; nothing but one line on standard error. */
async function refusal(url: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const ended = await runCommand(["serve"], { TICKMARK_DATABASE_URL: url, TICKMARK_PORT: "0", ...settings });
  expect(ended).toMatchObject({ status: 2, stdout: "", lines: 1 });
  return ended.stderr;
}

/** Starts on it and stops again: what the log says from `info` on. */
async function startOn(databaseUrl: string, options: TestServiceOptions): Promise<string> {
  const lines: string[] = [];
  const logTo = (line: string): void => void lines.push(line);
  const service = await startTestService({ databaseUrl, timers: false, logTo, ...options });
  await service.close();
  return lines.join("");
}

const fileAlone: TestServiceOptions = { settings: { TICKMARK_SECRET: "" } };

async function served(databaseUrl: string, secret: () => string, options: TestServiceOptions): Promise<void> {
  const service = await startTestService({ databaseUrl, timers: false, ...options });
  await fillSealed(service.app.db, secret(), accounts);
  await service.close();
}

eachDatabase((databases) => {
  const withDatabase = async (use: (url: string, kept: string) => Promise<void>): Promise<void> => {
    const url = await databases.url();
    await use(url, `${url.slice("sqlite:".length)}.secret`);
  };

  describe("the secret at the start", () => {
    it("[OUR-KEY-01] another one in the variable is refused: other, second alone, cut off, empty, doubled", () =>
      withDatabase(async (url) => {
        await served(url, () => own, { secret: own });
        for (const secret of [
          "a secret of another service",
          own.slice(0, 16),
          `${own}${own}`,
          "new secret 1234567",
        ])
          expect(await refusal(url, { TICKMARK_SECRET: secret })).toContain(
            `TICKMARK_SECRET is not the secret of this database: ${values} of its ${values} sealed values would be lost (2 alert addresses, 2 chat webhooks, 2 signed webhooks, 2 signing secrets of webhooks, 2 second factors)`,
          );
        for (const secret of [`${own},`, `,${own}`, `${own},short`, "short"])
          expect(await refusal(url, { TICKMARK_SECRET: secret })).toMatch(/^TICKMARK_SECRET takes a secret/);
        for (const secret of ["", "   "]) await refusal(url, { TICKMARK_SECRET: secret });
        expect(await startOn(url, { secret: own })).not.toContain("cannot be read");
      }));

    it("[OUR-KEY-05] with both, in either order, it starts, and the log says how many need the earlier one", () =>
      withDatabase(async (url) => {
        await served(url, () => own, { secret: own });
        const both = `a new secret of this test,${own}`;
        expect(await startOn(url, { secret: `${own},a new secret of this test` })).not.toContain(
          'needEarlierSecret":1',
        );
        expect(await startOn(url, { secret: both })).toContain(`"needEarlierSecret":${values}`);
        expect(await refusal(url, { TICKMARK_SECRET: "a new secret of this test" })).toContain(
          `${values} of its ${values}`,
        );
        const service = await startTestService({ databaseUrl: url, secret: both, timers: false });
        await service.service.work.run();
        const counts = await countSealed(service.app.db, storedSeals(["a new secret of this test"]));
        expect(totalOfState(counts, "current")).toBe(values);
        await service.close();
        expect(await startOn(url, { secret: both })).toContain('"needEarlierSecret":0');
        expect(await startOn(url, { secret: "a new secret of this test" })).not.toContain(
          "needEarlierSecret",
        );
        expect(await refusal(url, { TICKMARK_SECRET: own })).toContain(`${values} of its ${values}`);
      }));
  });
}, sharedKinds);

eachDatabase(
  (databases) => {
    describe("the file with the secret", () => {
      it("[OUR-KEY-01] lost, replaced, cut off or empty it is refused, and no other one is made in its place", async () => {
        const url = await databases.url();
        const file = `${url.slice("sqlite:".length)}.secret`;
        await served(url, () => readFileSync(file, "utf8"), fileAlone);
        const kept = readFileSync(file, "utf8");
        for (const wrong of ["another secret in the file", kept.slice(0, 20), kept.toUpperCase()]) {
          writeFileSync(file, wrong);
          expect(await refusal(url)).toContain(
            `${file} is not the secret of this database: ${values} of its`,
          );
          expect(readFileSync(file, "utf8")).toBe(wrong);
        }
        for (const wrong of ["", kept.slice(0, 10)]) {
          writeFileSync(file, wrong);
          expect(await refusal(url)).toContain(`${file} holds none`);
        }
        rmSync(file);
        for (let start = 0; start < 2; start += 1) {
          const line = await refusal(url);
          expect(line).toContain(
            `${file}, the file with the secret of this database, is missing: ${values} of`,
          );
          expect(existsSync(file)).toBe(false);
        }
        writeFileSync(file, kept);
        await startOn(url, fileAlone);
      });

      it("[OUR-KEY-03] --accept-new-secret makes a new one, and tells what is lost in the log", async () => {
        const url = await databases.url();
        const file = `${url.slice("sqlite:".length)}.secret`;
        await served(url, () => readFileSync(file, "utf8"), fileAlone);
        rmSync(file);
        const log = await startOn(url, { ...fileAlone, acceptNewSecret: true });
        expect(log).toContain("another secret was accepted");
        expect(log).toContain(`"unreadable":${values}`);
        expect(existsSync(file)).toBe(true);
        expect(await startOn(url, { ...fileAlone, acceptNewSecret: true })).toContain("nothing to accept");
        expect(await startOn(url, fileAlone)).toContain(`"unreadable":${values}`);
      });
    });
  },
  ["SQLite in a file"],
);

eachDatabase(
  (databases) => {
    describe("PostgreSQL without a secret", () => {
      it("[OUR-KEY-06] is refused at the start, and by no command that needs none", async () => {
        const url = await databases.emptyUrl();
        for (const settings of [{}, { TICKMARK_SECRET: "" }]) {
          const line = await refusal(url, settings);
          expect(line).toMatch(
            /^TICKMARK_SECRET takes .*none is set, and a service on PostgreSQL makes none\.\n$/,
          );
        }
        for (const args of [
          ["migrate"],
          ["account", "list"],
          ["runner", "list"],
          ["token", "list", "a@b.example"],
        ]) {
          const { stderr } = await runCommand(args, { TICKMARK_DATABASE_URL: url });
          expect(stderr).not.toContain("TICKMARK_SECRET");
        }
      });
    });
  },
  ["PostgreSQL"],
);
