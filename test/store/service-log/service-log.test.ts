import { beforeAll, describe, expect, it } from "vitest";
import { Unavailable } from "../../../src/core/errors.ts";
import { jobFailed } from "../../../src/core/service-log/entries.ts";
import type { Act } from "../../../src/core/service-log/entry.ts";
import { alikeMs } from "../../../src/core/service-log/store.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { listedOffer } from "../../support/offer.ts";
import { minute, newAccount, noon, times, type Stores } from "../engine/rows.ts";

const commandLine: Act = { by: { who: "command_line" }, now: noon };
const failure = (job: string, at: number, count = 1, lastAt = at) => ({
  entry: jobFailed(job, new TypeError("no")),
  at,
  lastAt,
  times: count,
});

eachDatabase((databases) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = storesOn(await databases.open());
  });

  const everything = () => stores.serviceLog.list(null, 1000);

  /** The kinds of what `work` adds to the log. */
  const added = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = new Set((await everything()).map(({ id }) => id));
    await work();
    return (await everything()).filter(({ id }) => !before.has(id)).map(({ kind }) => kind);
  };

  it("[OUR-ADM-12] an act is written with who did it and whom it is about, where it changed something", async () => {
    const actor = await newAccount(stores, { role: "admin" });
    const { id, email } = await newAccount(stores, { plan: "free", emailVerified: false });
    const act: Act = { by: { who: "admin", accountId: actor.id }, now: noon + minute };
    expect(await added(() => stores.accounts.setPlan(id, "pro", noon, act))).toEqual(["plan_changed"]);
    expect((await everything())[0]).toMatchObject({
      at: noon + minute,
      lastAt: noon + minute,
      times: 1,
      words: "The plan was changed from free to pro.",
      by: { who: "admin", account: { id: actor.id, email: actor.email } },
      about: { id, email },
    });
    expect(await added(() => stores.directory.changeRole(id, "suspended", act))).toEqual(["role_changed"]);
    expect(await added(() => stores.accounts.setEmailVerified(id, true, act))).toEqual(["email_verified"]);
    const unchanged = async () => {
      await stores.accounts.setPlan(id, "pro", noon, act);
      await stores.accounts.setPlan("nobody", "pro", noon, act);
      await stores.accounts.setEmailVerified(id, true, act);
      await stores.accounts.setEmailVerified("nobody", true, act);
      await stores.directory.changeRole(id, "suspended", act);
      expect(await stores.directory.changeRole("nobody", "user", act)).toBe("unknown");
      expect(await stores.directory.changeRole(actor.id, "user", act)).toBe("last_admin");
      expect(await stores.accounts.create({ ...actor, id: "taken" }, null, act)).toBe(false);
      await stores.offers.setDispute("none", noon, act);
      expect(await stores.catalogue.withdraw("none", noon, act)).toBe(false);
      expect(await stores.catalogue.endCertificate("none", noon, act)).toBe(false);
      expect(await stores.catalogue.unlinkServer("none", "none", act)).toBe(false);
      expect(await stores.catalogue.removeProvider("none", act)).toBe(false);
      expect(await stores.offers.certify("none", "none", noon, act)).toBe("no_offer");
      expect(await stores.codes.withdraw("none", noon, act)).toBe(false);
      expect(await stores.runners.revoke("none", noon, act)).toBe(false);
    };
    expect(await added(unchanged)).toEqual([]);
  });

  it("[OUR-ADM-12] what is done without an act, as by fixtures and by people themselves, is not written", async () => {
    expect(
      await added(async () => {
        const { id } = await newAccount(stores);
        await stores.accounts.setPlan(id, "free", noon);
        await stores.accounts.changePassword(id, "hash", null);
      }),
    ).toEqual([]);
  });

  it("[OUR-ADM-13] several offers are one entry with their number, one is named, and none changed is none", async () => {
    const save = (...ids: string[]) =>
      stores.offers.import(
        ids.map((id) => listedOffer(id)),
        noon,
        commandLine,
      );
    expect(await added(() => save("a", "b"))).toEqual(["offers_imported"]);
    expect(await added(() => save("a", "b"))).toEqual([]);
    expect(await added(() => save("c"))).toEqual(["offer_created"]);
    const dearer = [listedOffer("c", { price_eur_cents: 1 })];
    expect(await added(() => stores.offers.import(dearer, noon, commandLine))).toEqual(["offer_changed"]);
  });

  it("[OUR-ADM-16] an admin who is gone is not named, and the act is done and written all the same", async () => {
    const { id } = await newAccount(stores);
    const act: Act = { by: { who: "admin", accountId: "gone" }, now: noon + 2 * minute };
    expect(await added(() => stores.accounts.setPlan(id, "free", noon, act))).toEqual(["plan_changed"]);
    expect((await everything())[0]?.by).toEqual({ who: "admin", account: null });
  });

  it("[OUR-ADM-16] of an admin who acts while their account is deleted no name is left, and nothing fails", async () => {
    const { id } = await newAccount(stores);
    const keeper = await newAccount(stores, { role: "admin" });
    for (const round of times(5)) {
      const actor = await newAccount(stores, { role: "admin" });
      const act: Act = { by: { who: "admin", accountId: actor.id }, now: noon };
      const plan = round % 2 === 0 ? "pro" : "free";
      const [gone] = await Promise.all([
        stores.leaving.removeAccount(actor.id, noon),
        stores.accounts.setPlan(id, plan, noon, act),
        stores.directory.changeRole(keeper.id, "admin", act),
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
        if (second % 50 === 0) await stores.serviceLog.count([failure("sweep", later + second * 1000, 50)]);
      }
      await stores.serviceLog.count([failure("retention", later + 5), failure("sweep", later + alikeMs - 1)]);
      await stores.serviceLog.count([failure("sweep", later + alikeMs, 3, later + alikeMs + 9)]);
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
    for (let page = await stores.serviceLog.list(null, 3); page.length > 0;) {
      walked.push(...page);
      const { at, id } = page.at(-1) ?? { at: 0, id: "" };
      page = await stores.serviceLog.list({ at, id }, 3);
    }
    expect(walked).toEqual(all);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a));
  });
});
