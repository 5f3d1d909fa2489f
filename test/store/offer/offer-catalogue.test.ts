import { beforeAll, expect, it } from "vitest";
import { certificateMs } from "../../../src/core/offer/offer.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { listedOffer, markMeasured } from "../../support/offer.ts";
import { day, newAccount, newReport, newServer, noon, viewer, type Stores } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  let stores: Stores;
  beforeAll(async () => {
    db = await databases.open();
    stores = storesOn(db);
  });

  let serial = 0;
  async function offered() {
    const id = `o${(serial += 1)}`;
    const provider = { id: `p-${id}`, name: `Provider ${id}`, url: null };
    await stores.offers.import([listedOffer(id, { provider })], noon);
    const account = await newAccount(stores);
    const { server } = await newServer(stores, account);
    await stores.offers.choose(server.id, id);
    const report = newReport(account, server);
    await stores.reports.insert(report);
    await stores.reports.update(report.id, { visibility: "public" });
    const reportNow = (now: number) => stores.reports.find(report.id, viewer(account), now);
    return { id, provider, account, server, report, reportNow };
  }
  const everything = { type: null, maxPriceEurCents: null, minRamGb: null, evidence: null };
  const shown = async (providerId: string, now = noon) =>
    (await stores.offers.list({ ...everything, providerId }, null, 10, now)).map(({ offer }) => offer);

  it("[OUR-ADM-05] an offer is told as it was listed, with its certificate, its dispute and who chose it", async () => {
    const { id, provider, account, server, report } = await offered();
    await stores.offers.certify(id, report.id, noon);
    await stores.offers.setDispute(id, noon + 5);
    expect(await stores.catalogue.entry(id)).toEqual({
      listed: listedOffer(id, { provider }),
      certificate: { reportId: report.id, certifiedAt: noon, expiresAt: noon + certificateMs },
      disputedAt: noon + 5,
      updatedAt: noon,
      linked: [{ serverId: server.id, serverName: server.name, ownerEmail: account.email }],
    });
    expect(await stores.catalogue.entry("nothing")).toBeNull();
    const own = (await stores.catalogue.providers()).find((one) => one.id === provider.id);
    expect(own).toEqual({ ...provider, offers: 1 });
  });

  it("[OUR-ADM-06] a certificate that is withdrawn ends at once and unlocks its report, but not one another offer holds", async () => {
    const { id, provider, report, reportNow } = await offered();
    expect(await stores.catalogue.endCertificate(id, noon)).toBe(false);
    await stores.offers.certify(id, report.id, noon);
    const { id: second } = await offered();
    await stores.offers.certify(second, report.id, noon);
    expect(await stores.catalogue.endCertificate(id, noon + day)).toBe(true);
    expect(await stores.catalogue.endCertificate(id, noon + day)).toBe(false);
    expect((await reportNow(noon + day))?.certificateExpiresAt).toBe(noon + certificateMs);
    expect(await stores.catalogue.endCertificate(second, noon + 2 * day)).toBe(true);
    expect(await reportNow(noon + 3 * day)).toMatchObject({
      certificateExpiresAt: noon + 2 * day,
      certifiedAt: noon,
    });
    const [offer] = await shown(provider.id, noon + 3 * day);
    expect(offer).toMatchObject({ evidence: "linked", certified_at: new Date(noon).toISOString() });
  });

  it("[OUR-ADM-07] what an owner said is undone for that server and offer alone", async () => {
    const { id, provider, server } = await offered();
    const other = await offered();
    expect((await shown(provider.id))[0]?.evidence).toBe("linked");
    expect(await stores.catalogue.unlinkServer(id, other.server.id)).toBe(false);
    expect(await stores.catalogue.unlinkServer(id, server.id)).toBe(true);
    expect(await stores.catalogue.unlinkServer(id, server.id)).toBe(false);
    expect((await shown(provider.id))[0]?.evidence).toBe("none");
    expect((await shown(other.provider.id))[0]?.evidence).toBe("linked");
  });

  it("[OUR-ADM-08] an offer that is withdrawn leaves its report unlocked, its servers on none, and its provider to be deleted", async () => {
    const { id, provider, server, report, reportNow } = await offered();
    await stores.offers.certify(id, report.id, noon);
    await markMeasured(db, id, report.id, server);
    expect(await stores.catalogue.removeProvider(provider.id)).toBe(false);
    expect(await stores.catalogue.withdraw(id, noon + day)).toBe(true);
    expect(await stores.catalogue.withdraw(id, noon + day)).toBe(false);
    expect(await shown(provider.id)).toEqual([]);
    expect((await reportNow(noon + 2 * day))?.certificateExpiresAt).toBe(noon + day);
    await stores.offers.import([listedOffer(id, { provider })], noon);
    const [again] = await shown(provider.id);
    expect(again).toMatchObject({ evidence: "none", certified_at: null });
    expect((await stores.catalogue.entry(id))?.linked).toEqual([]);
    await stores.catalogue.withdraw(id, noon);
    expect(await stores.catalogue.removeProvider(provider.id)).toBe(true);
    expect((await stores.catalogue.providers()).some((one) => one.id === provider.id)).toBe(false);
  });
}, sharedKinds);
