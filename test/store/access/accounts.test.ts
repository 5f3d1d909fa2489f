import { beforeAll, expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times, type Stores } from "../engine/rows.ts";

eachDatabase((databases) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = storesOn(await databases.open());
  });

  it("[OUR-STO-01] an address belongs to one account, however it is spelled and however many ask at once", async () => {
    const spellings = times(20).map((index) => (index % 2 ? "Ann@Example.org" : "ann@example.org"));
    const asked = spellings.map((email) => {
      const account = { email, emailVerified: false, plan: "free", role: "user", createdAt: noon } as const;
      return stores.accounts.create({ id: newId(), ...account }, null);
    });
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    const found = await stores.accounts.findByEmail("ANN@example.ORG");
    expect(found).toMatchObject({
      email: "ann@example.org",
      emailVerified: false,
      plan: "free",
      role: "user",
    });
    expect(await stores.accounts.findByEmail("bob@example.org")).toBeNull();
  });

  it("[OUR-STO-02] accounts are listed oldest first, and those of one instant by id", async () => {
    const late = await newAccount(stores, { createdAt: noon + 2 });
    const second = await newAccount(stores, { createdAt: noon + 1 });
    const third = await newAccount(stores, { createdAt: noon + 1 });
    const ids = (await stores.accounts.list()).map(({ id }) => id);
    expect(ids.slice(-3)).toEqual([second.id, third.id, late.id]);
  });

  it("[OUR-STO-03] each change of an account leaves its other facts alone", async () => {
    const account = await newAccount(stores, { emailVerified: false, plan: "free" });
    await Promise.all([
      stores.accounts.setPlan(account.id, "hosting", 0),
      stores.accounts.setRole(account.id, "admin"),
      stores.accounts.setEmailVerified(account.id, true),
      stores.accounts.changePassword(account.id, "hash", null),
    ]);
    const changed = await stores.accounts.findByEmail(account.email);
    expect(changed).toEqual({ ...account, plan: "hosting", role: "admin", emailVerified: true });
    await stores.accounts.setEmailVerified(account.id, false);
    expect((await stores.accounts.findByEmail(account.email))?.emailVerified).toBe(false);
  });
});
