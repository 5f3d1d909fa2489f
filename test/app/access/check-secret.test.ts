import { describe, expect, it } from "vitest";
import { checkSecret, SecretRefused, type SecretSource } from "../../../src/app/access/check-secret.ts";
import { countSealed, storedSeals } from "../../../src/app/access/stored-seals.ts";
import { totalOfState } from "../../../src/core/access/stored-seals.ts";
import { reseal } from "../../../src/jobs/reseal.ts";
import { replaceSealed } from "../../../src/store/access/sealed-values.ts";
import { selectSecretCheck } from "../../../src/store/access/secret-check.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { saveSettings } from "../../../src/store/notice/notification-settings.ts";
import { selectServiceLog } from "../../../src/store/service-log/service-log.ts";
import { eachDatabase } from "../../support/databases.ts";
import { fillSealed, sealedPerAccount } from "../../support/sealed-values.ts";

const [first, second, third] = ["the first secret", "the second secret", "the third secret"];
const noon = Date.UTC(2026, 10, 20, 12);
const accounts = 3;
const values = accounts * sealedPerAccount;

const source = (...secrets: string[]): SecretSource => ({
  place: "TICKMARK_SECRET",
  present: () => secrets,
  made: () => secrets,
});

const start = (db: Database, ...secrets: string[]) => checkSecret(db, source(...secrets), false, noon);

const refusal = async (starting: Promise<unknown>): Promise<string> => {
  const error: unknown = await starting.then(
    () => new Error("It was not refused."),
    (refused: unknown) => refused,
  );
  expect(error).toBeInstanceOf(SecretRefused);
  expect((error as SecretRefused).status).toBe(2);
  return (error as Error).message;
};

const lostWords = `${accounts} alert addresses, ${accounts} chat webhooks, ${accounts} signed webhooks, ${accounts} signing secrets of webhooks, ${accounts} second factors`;

async function runJob(db: Database, secrets: string[], signal = new AbortController().signal) {
  const told: number[] = [];
  await reseal({
    db,
    clock: () => noon + told.length,
    seals: storedSeals(secrets),
    signal,
    unreadable: (counts) => told.push(totalOfState(counts, "closed")),
  });
  return told;
}

const opened = async (db: Database, secret: string): Promise<number> =>
  totalOfState(await countSealed(db, storedSeals([secret])), "current");

eachDatabase((databases) => {
  const served = async (): Promise<Database> => {
    const db = await databases.open();
    await start(db, first);
    await fillSealed(db, first, accounts, noon);
    return db;
  };

  describe("another secret than the one of the database (threat 37)", () => {
    it("[OUR-KEY-01] another value, and the second alone after the first, are refused with what would be lost", async () => {
      const db = await served();
      for (const secret of [second, first.slice(0, -1), first.slice(0, 16).toUpperCase(), `${first} `]) {
        const line = await refusal(start(db, secret));
        expect(line).toContain(`${values} of its ${values} sealed values would be lost (${lostWords})`);
        expect(line).toContain("--accept-new-secret");
        expect(line).not.toContain("\n");
      }
      expect(await refusal(start(db, second, third))).toContain(`${values} of its ${values}`);
      expect(await start(db, first)).toMatchObject({ earlier: 0, closed: 0, isNew: false });
    });

    it("[OUR-KEY-01] a secret that is missing is refused, and none is made for it", async () => {
      const db = await served();
      let made = 0;
      const missing: SecretSource = {
        place: "tickmark.db.secret",
        present: () => [],
        made: () => [`made number ${(made += 1)} of them`],
      };
      expect(await refusal(checkSecret(db, missing, false, noon))).toContain(
        "tickmark.db.secret, the file with the secret of this database, is missing",
      );
      expect(made).toBe(0);
    });

    it("[OUR-KEY-01] it is refused also while nothing is sealed", async () => {
      const db = await databases.open();
      await start(db, first);
      expect(await refusal(start(db, second))).toContain("none of its stored values is sealed");
    });

    it("[OUR-KEY-02] a database of an earlier version gets its text if the secret opens something, or nothing is there", async () => {
      const db = await databases.open();
      await fillSealed(db, first, accounts, noon);
      expect(await refusal(start(db, second))).toContain(`${values} of its ${values}`);
      expect(await db.read(selectSecretCheck)).toBeNull();
      await start(db, first);
      expect(await db.read(selectSecretCheck)).toMatchObject({ earlier: 0, closed: 0 });
      await refusal(start(db, second));
    });

    it("[OUR-KEY-02] what was lost before this check existed keeps no service from its start", async () => {
      const db = await databases.open();
      await fillSealed(db, first, 1, noon);
      await fillSealed(db, second, 1, noon);
      expect(await start(db, second)).toMatchObject({ closed: sealedPerAccount });
      expect(await start(db, second)).toMatchObject({ closed: sealedPerAccount });
    });

    it("[OUR-KEY-02] of processes that make the first start together with different secrets one is refused", async () => {
      const db = await databases.open();
      const ended = await Promise.allSettled([start(db, first), start(db, second)]);
      expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    });

    it("[OUR-KEY-03] it is accepted where the operator says so, once and for good", async () => {
      const db = await served();
      expect(await checkSecret(db, source(second), true, noon)).toMatchObject({
        closed: values,
        isNew: true,
      });
      const [entry] = await db.read(selectServiceLog, null, 1);
      expect(entry).toMatchObject({ kind: "secret_accepted" });
      expect(entry?.words).toContain(
        `${values} of ${values} sealed values cannot be read with it (${lostWords})`,
      );
      expect(await start(db, second)).toMatchObject({ closed: values, isNew: false });
      await refusal(start(db, first));
    });
  });

  describe("two secrets", () => {
    it("[OUR-KEY-04] everything is sealed anew with the first, and the owner's change of the moment stays", async () => {
      const db = await served();
      expect(await start(db, second, first)).toMatchObject({ earlier: values });
      expect(await runJob(db, [second, first])).toEqual([]);
      expect([await opened(db, second), await opened(db, first)]).toEqual([values, 0]);
      expect(await db.read(selectSecretCheck)).toMatchObject({ earlier: 0, closed: 0 });
      const [entry] = await db.read(selectServiceLog, null, 1);
      expect(entry).toMatchObject({ kind: "secret_replaced" });
      expect(await start(db, second)).toMatchObject({ earlier: 0, closed: 0 });
    });

    it("[OUR-KEY-04] a value that its owner changed meanwhile is not put back", async () => {
      const db = await served();
      const [id = ""] = await fillSealed(db, first, 1, noon);
      const settings = (await db.read(recipientOf, id))?.settings;
      const was = settings?.sealedChat ?? "";
      const value = { kind: "chat_webhook", accountId: id, sealed: was } as const;
      if (settings) await db.write(saveSettings, id, { ...settings, sealedChat: "changed" }, noon);
      expect(await db.write(replaceSealed, [{ value, renewed: "renewed" }])).toBe(0);
      expect((await db.read(recipientOf, id))?.settings.sealedChat).toBe("changed");
    });

    it("[OUR-KEY-04] a run that was cut off is continued, and until its end neither secret alone is accepted", async () => {
      const db = await served();
      const more = await fillSealed(db, first, 20, noon);
      const all = values + more.length * sealedPerAccount;
      await start(db, second, first);
      const ending = new AbortController();
      const cutOff: Database = {
        ...db,
        writeRelaxed: async (work, ...given) => {
          const done = await db.writeRelaxed(work, ...given);
          ending.abort();
          return done;
        },
      };
      await runJob(cutOff, [second, first], ending.signal);
      const done = await opened(db, second);
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(all);
      expect(await refusal(start(db, second))).toContain(
        `${all - done} of its ${all} sealed values would be lost`,
      );
      expect(await refusal(start(db, first))).toContain(`${done} of its ${all} sealed values would be lost`);
      expect(await start(db, second, first)).toMatchObject({ earlier: all - done });
      await runJob(db, [second, first]);
      expect(await opened(db, second)).toBe(all);
      expect(await start(db, second)).toMatchObject({ earlier: 0, closed: 0 });
    });

    it("[OUR-KEY-05] in the swapped order nothing is lost either, and the way back is the same", async () => {
      const db = await served();
      expect(await start(db, first, second)).toMatchObject({ earlier: 0, closed: 0 });
      await start(db, second, first);
      await runJob(db, [second, first]);
      expect(await start(db, first, second)).toMatchObject({ earlier: values });
      await refusal(start(db, first));
      await runJob(db, [first, second]);
      expect(await start(db, first)).toMatchObject({ earlier: 0, closed: 0 });
    });

    it("[OUR-KEY-05] what a process with the earlier secret sealed later keeps that secret needed", async () => {
      const db = await served();
      await start(db, second, first);
      await runJob(db, [second, first]);
      await fillSealed(db, first, 1, noon);
      expect(await start(db, second, first)).toMatchObject({ closed: 0 });
      expect(await runJob(db, [second])).toEqual([]);
      await reseal({
        db,
        clock: () => noon + 3_600_000,
        seals: storedSeals([second, first]),
        signal: AbortSignal.abort(),
        unreadable: () => {},
      });
      expect(await refusal(start(db, second))).toContain(`${sealedPerAccount} of its`);
    });

    it("[OUR-KEY-05] a process whose secret was replaced while it ran says so in the log", async () => {
      const db = await served();
      await checkSecret(db, source(second), true, noon);
      await expect(runJob(db, [first])).rejects.toThrow("is not the one of the database any more");
    });
  });
});
