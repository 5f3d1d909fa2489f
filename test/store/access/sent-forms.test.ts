import { beforeAll, expect, it } from "vitest";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase } from "../../support/databases.ts";
import { newAccount, newId, noon, times, type Stores } from "../engine/rows.ts";

eachDatabase((databases) => {
  let stores: Stores;
  beforeAll(async () => {
    stores = storesOn(await databases.open());
  });

  it("[OUR-TKN-11] of twenty sendings of one form at once one is taken, and another account's is another form", async () => {
    const [account, other] = [await newAccount(stores), await newAccount(stores)];
    const form = newId();
    const taken = await Promise.all(times(20).map(() => stores.forms.take(account.id, form, noon)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await stores.forms.take(other.id, form, noon)).toBe(true);
    await stores.forms.release(other.id, form);
    expect(await stores.forms.take(account.id, form, noon)).toBe(false);
    expect(await stores.forms.take(account.id, newId(), noon)).toBe(true);
    await stores.forms.release(account.id, form);
    expect(await stores.forms.take(account.id, form, noon)).toBe(true);
  });
});
