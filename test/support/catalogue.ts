import { importOfferList } from "../../src/services/offer/import-offer-list.ts";
import { storeUnitTests } from "../../src/services/unit-test/store-unit-tests.ts";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import { listedOffer } from "./offer.ts";
import type { Json } from "./payload.ts";
import { newUnitTest, unitTestPayload } from "./unit-test.ts";

/** A single test and an offer, and inputs that find them. */
export async function catalogueInputs(
  app: AppContext,
  server: ServerRecord,
  reportId: string,
): Promise<Record<string, Json>> {
  const now = app.clock();
  const unitTest = newUnitTest(app, server, unitTestPayload(), { createdAt: now });
  await app.db.write(storeUnitTests, [unitTest]);
  await app.db.write(importOfferList, [listedOffer("parity")], now);
  return {
    "unit_tests.list": { limit: 5, test_id: "entities_ai", parent_report_id: reportId },
    "unit_tests.get": { unit_test_id: unitTest.id },
    "offers.list": { limit: 5, type: "game", min_ram_gb: 7.5, max_price_eur_cents: 1490 },
  };
}
