import type { Database } from "../../../src/store/engine/database.ts";
import { changeRole } from "../../../src/services/access/change-role.ts";
import { verifyEmailOf } from "../../../src/services/access/verify-email-of.ts";
import { addAccount } from "../../../src/services/access/add-account.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { retractInvitation } from "../../../src/services/access/retract-invitation.ts";
import { withdrawRunner } from "../../../src/services/auto-bench/withdraw-runner.ts";
import { dropProvider } from "../../../src/services/offer/drop-provider.ts";
import { takeServerOffOffer } from "../../../src/services/offer/take-server-off-offer.ts";
import { closeCertificate } from "../../../src/services/offer/end-certificate.ts";
import { retractOffer } from "../../../src/services/offer/retract-offer.ts";
import { setOfferDispute } from "../../../src/services/offer/set-offer-dispute.ts";
import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { removeAccount } from "../../../src/services/access/remove-account.ts";
import { selectServiceLog } from "../../../src/store/service-log/service-log.ts";
import { countInServiceLog } from "../../../src/services/service-log/log-act.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { jobFailed } from "../../../src/core/service-log/entries.ts";
import type { Act } from "../../../src/core/service-log/entry.ts";
import { alikeMs } from "../../../src/core/service-log/repeated.ts";
import { eachDatabase } from "../../support/databases.ts";
import { listedOffer } from "../../support/offer.ts";
import { minute, newAccount, noon, times } from "../engine/rows.ts";

const commandLine: Act = { by: { who: "command_line" }, now: noon };
const failure = (job: string, at: number, count = 1, lastAt = at) => ({
  entry: jobFailed(job, new TypeError("no")),
  at,
  lastAt,
  times: count,
});

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const everything = () => db.read(selectServiceLog, null, 1000);

  /** The kinds of what `work` adds to the log. */
  const added = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = new Set((await everything()).map(({ id }) => id));
    await work();
    return (await everything()).filter(({ id }) => !before.has(id)).map(({ kind }) => kind);
  };

  it("[OUR-ADM-12] an act is written with who did it and whom it is about, where it changed something", async () => {
    const actor = await newAccount(db, { role: "admin" });
    const { id, email } = await newAccount(db, { plan: "free", emailVerified: false });
    const act: Act = { by: { who: "admin", accountId: actor.id }, now: noon + minute };
    expect(await added(() => db.write(changePlan, id, "pro", noon, act))).toEqual(["plan_changed"]);
    expect((await everything())[0]).toMatchObject({
      at: noon + minute,
      lastAt: noon + minute,
      times: 1,
      words: "The plan was changed from free to pro.",
      by: { who: "admin", account: { id: actor.id, email: actor.email } },
      about: { id, email },
    });
    expect(await added(() => db.write(changeRole, id, "suspended", Date.now(), act))).toEqual([
      "role_changed",
    ]);
    expect(await added(() => db.write(verifyEmailOf, id, true, act))).toEqual(["email_verified"]);
    const unchanged = async () => {
      await db.write(changePlan, id, "pro", noon, act);
      await db.write(changePlan, "nobody", "pro", noon, act);
      await db.write(verifyEmailOf, id, true, act);
      await db.write(verifyEmailOf, "nobody", true, act);
      await db.write(changeRole, id, "suspended", Date.now(), act);
      expect(await db.write(changeRole, "nobody", "user", Date.now(), act)).toBe("unknown");
      expect(await db.write(changeRole, actor.id, "user", Date.now(), act)).toBe("last_admin");
      expect(await db.write(addAccount, { ...actor, id: "taken" }, null, act)).toBe(false);
      await db.write(setOfferDispute, "none", noon, act);
      expect(await db.write(retractOffer, "none", noon, act)).toBe(false);
      expect(await db.write(closeCertificate, "none", noon, act)).toBe(false);
      expect(await db.write(takeServerOffOffer, "none", "none", act)).toBe(false);
      expect(await db.write(dropProvider, "none", act)).toBe(false);
      expect(await db.write(certify, "none", "none", noon, act)).toBe("no_offer");
      expect(await db.write(retractInvitation, "none", noon, act)).toBe(false);
      expect(await db.write(withdrawRunner, "none", noon, act)).toBe(false);
    };
    expect(await added(unchanged)).toEqual([]);
  });

  it("[OUR-ADM-12] what is done without an act, as by fixtures and by people themselves, is not written", async () => {
    expect(
      await added(async () => {
        const { id } = await newAccount(db);
        await db.write(changePlan, id, "free", noon);
        await db.write(replacePassword, id, "hash", null);
      }),
    ).toEqual([]);
  });

  it("[OUR-ADM-13] several offers are one entry with their number, one is named, and none changed is none", async () => {
    const save = (...ids: string[]) =>
      db.write(
        importOfferList,
        ids.map((id) => listedOffer(id)),
        noon,
        commandLine,
      );
    expect(await added(() => save("a", "b"))).toEqual(["offers_imported"]);
    expect(await added(() => save("a", "b"))).toEqual([]);
    expect(await added(() => save("c"))).toEqual(["offer_created"]);
    const dearer = [listedOffer("c", { price_eur_cents: 1 })];
    expect(await added(() => db.write(importOfferList, dearer, noon, commandLine))).toEqual([
      "offer_changed",
    ]);
  });

  it("[OUR-ADM-16] an admin who is gone is not named, and the act is done and written all the same", async () => {
    const { id } = await newAccount(db);
    const act: Act = { by: { who: "admin", accountId: "gone" }, now: noon + 2 * minute };
    expect(await added(() => db.write(changePlan, id, "free", noon, act))).toEqual(["plan_changed"]);
    expect((await everything())[0]?.by).toEqual({ who: "admin", account: null });
  });

  it("[OUR-ADM-16] of an admin who acts while their account is deleted no name is left, and nothing fails", async () => {
    const { id } = await newAccount(db);
    const keeper = await newAccount(db, { role: "admin" });
    for (const round of times(5)) {
      const actor = await newAccount(db, { role: "admin" });
      const act: Act = { by: { who: "admin", accountId: actor.id }, now: noon };
      const plan = round % 2 === 0 ? "pro" : "free";
      const [gone] = await Promise.all([
        removeAccount(db, actor.id, noon),
        db.write(changePlan, id, plan, noon, act),
        db.write(changeRole, keeper.id, "admin", Date.now(), act),
      ]);
      expect(gone).toBe(true);
      expect((await everything()).some(({ by }) => by.account?.id === actor.id)).toBe(false);
    }
  });

  describe("failures", () => {
    const later = noon + 100 * minute;
    const failures = async () =>
      (await everything())
        .filter(({ kind, at }) => kind === "job_failed" && at >= later)
        .map(({ words, at, lastAt, times: number }) => [
          words.split(" ")[1],
          at - later,
          lastAt - later,
          number,
        ]);

    it("[OUR-ADM-15] that are alike within ten minutes of the first are one entry with their number", async () => {
      for (const second of times(600)) {
        if (second % 50 === 0)
          await db.writeRelaxed(countInServiceLog, [failure("sweep", later + second * 1000, 50)]);
      }
      await db.writeRelaxed(countInServiceLog, [
        failure("retention", later + 5),
        failure("sweep", later + alikeMs - 1),
      ]);
      await db.writeRelaxed(countInServiceLog, [failure("sweep", later + alikeMs, 3, later + alikeMs + 9)]);
      expect(await failures()).toEqual([
        ["sweep", alikeMs, alikeMs + 9, 3],
        ["retention", 5, 5, 1],
        ["sweep", 0, alikeMs - 1, 601],
      ]);
    });

    it("[OUR-ADM-15] are told by class and code, never by their message", () => {
      const coded = Object.assign(new Error("Key (email)=(you@example.org)"), { code: "23505" });
      for (const [error, name] of [
        [coded, "Error 23505"],
        [new Unavailable(coded), "Error 23505"],
        [new Unavailable("secret"), "Unavailable"],
        ["you@example.org", "unknown"],
        [Object.assign(new Error("x"), { name: "a name of somebody" }), "Error"],
      ] as const)
        expect(jobFailed("sweep", error).words).toBe(
          `Job sweep failed (${name}). The log of its process has the details.`,
        );
    });
  });

  it("[OUR-ADM-11] the log is read newest first, each entry once", async () => {
    const all = await everything();
    const walked = [];
    for (let page = await db.read(selectServiceLog, null, 3); page.length > 0;) {
      walked.push(...page);
      const { at, id } = page.at(-1) ?? { at: 0, id: "" };
      page = await db.read(selectServiceLog, { at, id }, 3);
    }
    expect(walked).toEqual(all);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a));
  });
});
