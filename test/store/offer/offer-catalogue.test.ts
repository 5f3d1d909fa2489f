import { selectCatalogueEntry, selectProviders } from "../../../src/store/offer/offer-catalogue.ts";
import { dropProvider } from "../../../src/services/offer/drop-provider.ts";
import { takeServerOffOffer } from "../../../src/services/offer/take-server-off-offer.ts";
import { closeCertificate } from "../../../src/services/offer/end-certificate.ts";
import { retractOffer } from "../../../src/services/offer/retract-offer.ts";
import { selectOffers } from "../../../src/store/offer/offers.ts";
import { setOfferDispute } from "../../../src/services/offer/set-offer-dispute.ts";
import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { beforeAll, expect, it } from "vitest";
import { certificateMs } from "../../../src/core/offer/offer.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { listedOffer, markMeasured } from "../../support/offer.ts";
import { day, newAccount, newReport, newServer, noon, viewer } from "../engine/rows.ts";

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  let serial = 0;
  async function offered() {
    const id = `o${(serial += 1)}`;
    const provider = { id: `p-${id}`, name: `Provider ${id}`, url: null };
    await db.write(importOfferList, [listedOffer(id, { provider })], noon);
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    await db.write(saveChosenOffer, server.id, id);
    const report = newReport(account, server);
    await db.write(addReport, report);
    await db.write(changeReport, report.id, { visibility: "public" });
    const reportNow = (now: number) => db.read(selectReport, report.id, viewer(account), now);
    return { id, provider, account, server, report, reportNow };
  }
  const everything = { type: null, maxPriceEurCents: null, minRamGb: null, evidence: null };
  const shown = async (providerId: string, now = noon) =>
    (await db.read(selectOffers, { ...everything, providerId }, null, 10, now)).map(({ offer }) => offer);

  it("[OUR-ADM-05] an offer is told as it was listed, with its certificate, its dispute and who chose it", async () => {
    const { id, provider, account, server, report } = await offered();
    await db.write(certify, id, report.id, noon);
    await db.write(setOfferDispute, id, noon + 5);
    expect(await db.read(selectCatalogueEntry, id)).toEqual({
      listed: listedOffer(id, { provider }),
      certificate: { reportId: report.id, certifiedAt: noon, expiresAt: noon + certificateMs },
      disputedAt: noon + 5,
      updatedAt: noon,
      linked: [{ serverId: server.id, serverName: server.name, ownerEmail: account.email }],
    });
    expect(await db.read(selectCatalogueEntry, "nothing")).toBeNull();
    const own = (await db.read(selectProviders)).find((one) => one.id === provider.id);
    expect(own).toEqual({ ...provider, offers: 1 });
  });

  it("[OUR-ADM-06] a certificate that is withdrawn ends at once and unlocks its report, but not one another offer holds", async () => {
    const { id, provider, report, reportNow } = await offered();
    expect(await db.write(closeCertificate, id, noon)).toBe(false);
    await db.write(certify, id, report.id, noon);
    const { id: second } = await offered();
    await db.write(certify, second, report.id, noon);
    expect(await db.write(closeCertificate, id, noon + day)).toBe(true);
    expect(await db.write(closeCertificate, id, noon + day)).toBe(false);
    expect((await reportNow(noon + day))?.certificateExpiresAt).toBe(noon + certificateMs);
    expect(await db.write(closeCertificate, second, noon + 2 * day)).toBe(true);
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
    expect(await db.write(takeServerOffOffer, id, other.server.id)).toBe(false);
    expect(await db.write(takeServerOffOffer, id, server.id)).toBe(true);
    expect(await db.write(takeServerOffOffer, id, server.id)).toBe(false);
    expect((await shown(provider.id))[0]?.evidence).toBe("none");
    expect((await shown(other.provider.id))[0]?.evidence).toBe("linked");
  });

  it("[OUR-ADM-08] an offer that is withdrawn leaves its report unlocked, its servers on none, and its provider to be deleted", async () => {
    const { id, provider, server, report, reportNow } = await offered();
    await db.write(certify, id, report.id, noon);
    await markMeasured(db, id, report.id, server);
    expect(await db.write(dropProvider, provider.id)).toBe(false);
    expect(await db.write(retractOffer, id, noon + day)).toBe(true);
    expect(await db.write(retractOffer, id, noon + day)).toBe(false);
    expect(await shown(provider.id)).toEqual([]);
    expect((await reportNow(noon + 2 * day))?.certificateExpiresAt).toBe(noon + day);
    await db.write(importOfferList, [listedOffer(id, { provider })], noon);
    const [again] = await shown(provider.id);
    expect(again).toMatchObject({ evidence: "none", certified_at: null });
    expect((await db.read(selectCatalogueEntry, id))?.linked).toEqual([]);
    await db.write(retractOffer, id, noon);
    expect(await db.write(dropProvider, provider.id)).toBe(true);
    expect((await db.read(selectProviders)).some((one) => one.id === provider.id)).toBe(false);
  });
}, sharedKinds);
