import { beforeAll, describe, expect, it } from "vitest";
import { selectOffers } from "../../../src/store/offer/offers.ts";
import { setOfferDispute } from "../../../src/services/offer/set-offer-dispute.ts";
import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { addReport } from "../../../src/services/report/add-report.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import type { OfferRecord, OfferFilter, OfferPosition } from "../../../src/core/offer/records.ts";
import type { Report } from "../../../src/core/report/report.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { eachDatabase } from "../../support/databases.ts";
import { listedOffer, markMeasured } from "../../support/offer.ts";
import type { Json } from "../../support/payload.ts";
import { analyse, databaseCpuMs } from "../engine/raw-database.ts";
import { day, newAccount, newReport, newServer, nobody, noon, prepared, times } from "../engine/rows.ts";

const everything: OfferFilter = {
  providerId: null,
  type: null,
  maxPriceEurCents: null,
  minRamGb: null,
  evidence: null,
};

eachDatabase((databases, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  let serial = 0;
  /** An offer of a provider of its own, and a server that runs on it. */
  async function offered(changes: Json = {}) {
    const id = `o${(serial += 1)}`;
    const provider = { id: `p-${id}`, name: `Provider ${id}`, url: null };
    await db.write(importOfferList, [listedOffer(id, { provider, ...changes })], noon);
    const account = await newAccount(db);
    const { server } = await newServer(db, account);
    expect(await db.write(saveChosenOffer, server.id, id)).toBe(true);
    const upload = async (
      total: number,
      at = noon,
      {
        visibility = "public" as Report["visibility"],
        version = "1",
        mode = "standard" as const,
        on = server,
      } = {},
    ) => {
      const report = newReport(account, on, { createdAt: at });
      const { content } = report;
      const scored = {
        ...content,
        benchmark_mode: mode,
        scores: { ...content.scores, total },
        algorithm_version: version,
      };
      await db.write(addReport, { ...report, content: scored });
      await db.write(changeReport, report.id, { visibility });
      return report.id;
    };
    const shown = async (now = noon) => {
      const [row] = await db.read(selectOffers, { ...everything, providerId: provider.id }, null, 10, now);
      if (!row) throw new Error(`${id} is not listed.`);
      const { evidence, contested, report } = row.offer;
      return [evidence, contested, report?.id ?? null];
    };
    return { id, account, server, upload, shown };
  }

  describe("the evidence of an offer", () => {
    it("[OFF-02] [OFF-03] [OUR-OFF-02] is the best there is: certified, measured, linked or none", async () => {
      const { id, server, upload, shown } = await offered();
      expect(await shown()).toEqual(["none", false, null]);
      const linked = await upload(1000, noon - 2);
      expect(await shown()).toEqual(["linked", false, linked]);
      const newer = await upload(1010, noon - 1);
      await upload(1020, noon, { visibility: "unlisted" });
      expect(await shown()).toEqual(["linked", false, newer]);
      const bench = await newServer(db, await newAccount(db));
      const measured = await upload(1000, noon, { on: bench.server });
      await markMeasured(db, id, measured, bench.server);
      expect(await shown()).toEqual(["measured", false, measured]);
      expect(await db.write(certify, id, linked, noon)).toBe("certified");
      expect(await shown()).toEqual(["certified", false, linked]);
      expect(await shown(noon + 365 * day - 1)).toEqual(["certified", false, linked]);
      expect(await shown(noon + 365 * day)).toEqual(["measured", false, measured]);
      await db.write(changeReport, measured, { visibility: "private" });
      await db.write(saveChosenOffer, server.id, null);
      expect(await shown(noon + 365 * day)).toEqual(["none", false, null]);
    });

    it("[OUR-OFF-02] is certified without a report to show when that one is unlisted", async () => {
      const { id, upload, shown } = await offered();
      await db.write(certify, id, await upload(1000, noon, { visibility: "unlisted" }), noon);
      expect(await shown()).toEqual(["certified", false, null]);
    });
  });

  describe("a contested offer", () => {
    it("[OFF-02] [OUR-OFF-04] has another public report within 180 days, lower by the tie band, on the same scale", async () => {
      const { upload, shown } = await offered();
      await upload(951, noon - 3);
      await upload(500, noon - 4, { visibility: "private" });
      await upload(500, noon - 5, { version: "0" });
      await upload(500, noon - 180 * day - 1);
      await upload(0, noon - 6);
      const best = await upload(1000, noon);
      expect(await shown()).toEqual(["linked", false, best]);
      await upload(950, noon - 180 * day);
      expect(await shown()).toEqual(["linked", true, best]);
    });

    it("[OUR-OFF-04] is one whose measurement is lower than what its certificate says, too", async () => {
      const { id, upload, shown } = await offered();
      const bench = await newServer(db, await newAccount(db));
      await markMeasured(db, id, await upload(700, noon, { on: bench.server }), bench.server);
      const certified = await upload(1000);
      await db.write(certify, id, certified, noon);
      expect(await shown()).toEqual(["certified", true, certified]);
    });

    it("[OUR-OFF-04] is one whose ended certificate was given for a lower report, whatever runs on it now", async () => {
      const { id, server, account, upload, shown } = await offered();
      const certified = await upload(900, noon + 250 * day);
      await db.write(certify, id, certified, noon);
      await db.write(saveChosenOffer, server.id, null);
      const other = await newServer(db, account);
      await db.write(saveChosenOffer, other.server.id, id);
      const linked = await upload(1102, noon + 300 * day, { on: other.server });
      expect(await shown(noon + 365 * day - 1)).toEqual(["certified", false, certified]);
      expect(await shown(noon + 365 * day)).toEqual(["linked", true, linked]);
      const newest = await upload(947, noon + 301 * day, { on: other.server });
      expect(await shown(noon + 365 * day)).toEqual(["linked", false, newest]);
      await db.write(changeReport, newest, { visibility: "private" });
      await db.write(changeReport, certified, { visibility: "unlisted" });
      expect(await shown(noon + 365 * day)).toEqual(["linked", false, linked]);
    });

    it("[OUR-OFF-04] is one with an open dispute", async () => {
      const { id, shown } = await offered();
      await db.write(setOfferDispute, id, noon);
      expect(await shown()).toEqual(["none", true, null]);
      await db.write(setOfferDispute, id, null);
      expect(await shown()).toEqual(["none", false, null]);
    });
  });

  describe("certification", () => {
    it("[OUR-OFF-06] takes a public or unlisted report that is there", async () => {
      const { id, upload } = await offered();
      const hidden = await upload(1000, noon, { visibility: "private" });
      expect(await db.write(certify, "none", hidden, noon)).toBe("no_offer");
      expect(await db.write(certify, id, "none", noon)).toBe("no_report");
      expect(await db.write(certify, id, hidden, noon)).toBe("private_report");
    });

    it("[OUR-OFF-06] keeps the report for its year, and unlocks the one certified before", async () => {
      const { id, account, server, upload } = await offered();
      const report = newReport(account, server, { expiresAt: noon + day });
      await db.write(addReport, report);
      await db.write(changeReport, report.id, { visibility: "public" });
      await db.write(certify, id, report.id, noon);
      const found = () => db.read(selectReport, report.id, nobody, noon + 2 * day);
      expect(await found()).toMatchObject({
        expiresAt: null,
        certifiedAt: noon,
        certificateExpiresAt: noon + 365 * day,
      });
      await db.write(certify, id, await upload(1000), noon + day);
      expect(await found()).toMatchObject({ certifiedAt: noon, certificateExpiresAt: noon + day });
    });

    it("[OUR-OFF-06] leaves a report locked that another offer is certified by", async () => {
      const [first, second] = [await offered(), await offered()];
      const report = await first.upload(1000);
      for (const { id } of [first, second]) await db.write(certify, id, report, noon);
      await db.write(certify, first.id, await first.upload(1000), noon + day);
      expect((await db.read(selectReport, report, nobody, noon))?.certificateExpiresAt).toBe(
        noon + 365 * day,
      );
    });
  });

  describe("the list of offers", () => {
    it("[OFF-01] [OUR-OFF-03] [OUR-OFF-05] goes by evidence, price with unknown ones last, and id, page by page", async () => {
      const own = await databases.open();
      const prices = [900, null, 500, 900, null, 100];
      await own.write(
        importOfferList,
        prices.map((price_eur_cents, index) =>
          listedOffer(`offer-${index}`, { price_eur_cents, ram_gb: index === 0 ? null : index }),
        ),
        noon,
      );
      const account = await newAccount(own);
      const { server } = await newServer(own, account);
      const report = newReport(account, server);
      await own.write(addReport, report);
      await own.write(changeReport, report.id, { visibility: "public" });
      await own.write(saveChosenOffer, server.id, "offer-1");
      const ids = async (filter: Partial<OfferFilter>) =>
        (await own.read(selectOffers, { ...everything, ...filter }, null, 100, noon)).map(
          ({ offer }) => offer.id,
        );
      const order = [1, 5, 2, 0, 3, 4].map((index) => `offer-${index}`);
      expect(await ids({})).toEqual(order);
      expect(await ids({ maxPriceEurCents: 500 })).toEqual(["offer-5", "offer-2"]);
      expect(await ids({ minRamGb: 4 })).toEqual(["offer-5", "offer-4"]);
      expect(await ids({ evidence: "linked" })).toEqual(["offer-1"]);
      expect(await ids({ type: "vps" })).toEqual([]);
      expect(await ids({ providerId: "foundry" })).toHaveLength(6);
      const walked: string[] = [];
      let after: OfferPosition | null = null;
      for (const _ of times(4)) {
        const rows: OfferRecord[] = await own.read(selectOffers, everything, after, 2, noon);
        walked.push(...rows.map(({ offer }) => offer.id));
        after = rows.at(-1)?.position ?? after;
      }
      expect(walked).toEqual(order);
    });

    it("[OUR-OFF-08] two hundred offers with four hundred servers and reports are listed within a second of the processor", async () => {
      const url = await databases.url();
      const own = await databases.open(url);
      await own.write(
        importOfferList,
        times(200).map((index) => listedOffer(`offer-${index}`, { price_eur_cents: index * 10 })),
        noon,
      );
      for (const part of times(4)) {
        const account = await newAccount(own);
        const addOne = async (index: number): Promise<void> => {
          const { server } = await newServer(own, account);
          await own.write(saveChosenOffer, server.id, `offer-${(part * 100 + index) % 200}`);
          const report = newReport(account, server, { createdAt: noon - index });
          await own.write(addReport, report);
          if (index % 4 !== 0) await own.write(changeReport, report.id, { visibility: "public" });
        };
        await prepared(100, addOne);
      }
      if (kind === "PostgreSQL") await analyse(url);
      await own.read(selectOffers, everything, null, 101, noon);
      const before = await databaseCpuMs(url);
      const rows = await own.read(selectOffers, everything, null, 101, noon);
      const ms = (await databaseCpuMs(url)) - before;
      console.log(`offers on ${kind}: a page of 100 among 200 for ${ms.toFixed(1)} ms of the processor`);
      expect(rows).toHaveLength(101);
      expect(ms).toBeLessThan(1000);
    });
  });

  it("[OUR-OFF-07] an import adds, changes and leaves as it was, and tells how many of each", async () => {
    const make = (id: string, changes: Json = {}) =>
      listedOffer(`i-${id}`, { provider: { id: "i-p", name: "Before", url: null }, ...changes });
    const first = await db.write(importOfferList, [make("a"), make("b")], noon);
    expect(first).toEqual({ created: 2, updated: 0, unchanged: 0 });
    expect(
      await db.write(importOfferList, [make("a"), make("b", { price_eur_cents: null }), make("c")], noon + 1),
    ).toEqual({ created: 1, updated: 1, unchanged: 1 });
    const rows = await db.read(selectOffers, { ...everything, providerId: "i-p" }, null, 10, noon);
    expect(rows.map(({ offer }) => [offer.id, offer.updated_at])).toEqual(
      [
        ["i-a", noon],
        ["i-c", noon + 1],
        ["i-b", noon + 1],
      ].map(([id, at]) => [id, new Date(Number(at)).toISOString()]),
    );
    expect(await db.write(saveChosenOffer, "anything", "no offer")).toBe(false);
  });

  it.each<[string, Json]>([
    ["name", { name: "After" }],
    ["url", { url: "https://after.example" }],
  ])("[OUR-OFF-07] a provider with another %s changes all of its offers", async (member, change) => {
    const of = (id: string, changes: Json = {}) =>
      listedOffer(`${member}-${id}`, { provider: { id: member, name: "Before", url: null, ...changes } });
    const another = listedOffer(`${member}-other`, {
      provider: { id: `${member}-o`, name: "Other", url: null },
    });
    await db.write(importOfferList, [of("a"), of("b"), another], noon);
    const again = [of("a", change), of("new", change), another];
    const counts = { created: 1, updated: 1, unchanged: 1 };
    expect(await db.write(importOfferList, again, noon + 1)).toEqual(counts);
    const none = { created: 0, updated: 0, unchanged: 3 };
    expect(await db.write(importOfferList, again, noon + 2)).toEqual(none);
    const changedAt = async (providerId: string) =>
      (await db.read(selectOffers, { ...everything, providerId }, null, 10, noon)).map(({ offer }) => [
        offer.provider.name,
        offer.provider.url,
        Date.parse(offer.updated_at) - noon,
      ]);
    const { name = "Before", url = null } = change;
    expect(await changedAt(member)).toEqual(times(3).map(() => [name, url, 1]));
    expect(await changedAt(`${member}-o`)).toEqual([["Other", null, 0]]);
  });
});
