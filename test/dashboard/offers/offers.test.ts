import { setOfferDispute } from "../../../src/services/offer/set-offer-dispute.ts";
import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { readHtml } from "../../support/html.ts";
import { listedOffer } from "../../support/offer.ts";
import { startTestService, type LinkedServer, type TestService } from "../../support/service.ts";
import { signedIn, visitor } from "../../support/visitor.ts";

let service: TestService;
let author: Account;
let server: LinkedServer;
let shortId: string;
beforeAll(async () => {
  service = await startTestService();
  author = await service.account();
  server = await service.server(author);
  const report = await service.report(server);
  shortId = report.shortId;
  const own = await signedIn(service, author);
  await own.send(`/reports/${shortId}`, "visibility", { visibility: "public" });
  const { db } = service.app;
  await db.write(
    importOfferList,
    [
      listedOffer("cert", {
        name: "Certified one",
        price_eur_cents: 1490,
        url: "https://foundry.example/cert",
      }),
      listedOffer("link", { name: "Linked one", price_eur_cents: 990 }),
      listedOffer("dispute", { name: "Disputed one", price_eur_cents: null }),
    ],
    service.app.clock(),
  );
  await db.write(saveChosenOffer, server.id, "link");
  await db.write(setOfferDispute, "dispute", service.app.clock());
  await db.write(certify, "cert", report.id, service.app.clock());
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const page = async (path: string): Promise<string> => (await visitor(service).get(path)).text;
const words = (html: string): string => readHtml(html).text.replaceAll(/\s+/g, " ");

it("[OUR-RPG-14] an offer shows evidence, report, price with its unit and the end of its certificate", async () => {
  const html = await page("/offers");
  const text = words(html);
  expect(text).toMatch(/Certified one.*certifieduntil \d{4}-\d\d-\d\d \d\d:\d\d UTCtotal 1\d{3}/);
  expect(text).toContain("14.90 € a month");
  expect(text).toMatch(/Linked one.*linkedtotal 1\d{3}/);
  expect(text).toMatch(/Disputed one.*nonecontestedno public report.*not stated/);
  expect(html).toContain(`href="/reports/${shortId}"`);
  const away = [...html.matchAll(/<a href="(https?:[^"]*)"([^>]*)>/g)];
  expect(away.map(([, href]) => href)).toContain("https://foundry.example/cert");
  for (const [, , rest] of away) expect(rest).toContain("noreferrer");
});

it("[OUR-RPG-09] offers take the API's filters, prices in euros", async () => {
  const shows = async (query: string) =>
    ["Certified one", "Linked one", "Disputed one"].filter((name) => found.get(query)?.includes(name));
  const found = new Map<string, string>();
  for (const query of [
    "max_price_eur=9.90",
    "max_price_eur=9.89",
    "evidence=none",
    "type=vps",
    "min_ram_gb=",
  ])
    found.set(query, words(await page(`/offers?${query}`)));
  expect(await shows("max_price_eur=9.90")).toEqual(["Linked one"]);
  expect(await shows("max_price_eur=9.89")).toEqual([]);
  expect(await shows("evidence=none")).toEqual(["Disputed one"]);
  expect(await shows("type=vps")).toEqual([]);
  expect(await shows("min_ram_gb=")).toHaveLength(3);
  expect((await visitor(service).get("/offers?max_price_eur=cheap")).status).toBe(400);
});

it("[OUR-RPG-16] the first page shows what is public, and leads people to their servers", async () => {
  const shown = await page("/");
  const text = words(shown);
  expect(shown).toContain(`href="/reports/${shortId}"`);
  expect(text).toContain("Certified one");
  expect(text).not.toContain("Disputed one");
  const hidden = await service.report(server);
  expect(await page("/")).not.toContain(hidden.shortId);
  const own = await signedIn(service, author);
  const led = await own.get("/");
  expect([led.status, led.headers.location]).toEqual([303, "/servers"]);
  const fresh = await startTestService();
  const first = await visitor(fresh).get("/");
  expect([first.status, first.headers.location]).toEqual([303, "/set-up"]);
  await fresh.close();
});
