import { certify } from "../../../src/services/offer/certify-offer.ts";
import { importOfferList } from "../../../src/services/offer/import-offer-list.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scopes } from "../../../src/core/access/scope.ts";
import { roomyPlans, rowsOf, pageOf, startTestService, type TestService } from "../../support/service.ts";
import { listedOffer } from "../../support/offer.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const offers = [300, null, 100, 200].map((price_eur_cents, index) =>
    listedOffer(`offer-${index}`, { price_eur_cents, ram_gb: 4 * index || null, name: "Iron\u200b 8" }),
  );
  await service.app.db.write(importOfferList, offers, service.app.clock());
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const list = (query = "", token: string | null = null) =>
  service.request("GET", `/api/v1/offers${query}`, { token });

it("[OFF-01] [OUR-OFF-03] is read without a token, filtered, and walked by its cursor", async () => {
  const walked: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
    walked.push(...rowsOf(page).map((row) => row["id"]));
    ({ cursor } = pageOf(page));
  }
  expect(walked).toEqual(["offer-2", "offer-3", "offer-0", "offer-1"]);
  const found = async (query: string) => rowsOf(await list(query)).map((row) => row["id"]);
  expect(await found("?max_price_eur_cents=200&provider_id=foundry&type=game&evidence=none")).toEqual([
    "offer-2",
    "offer-3",
  ]);
  expect(await found("?min_ram_gb=7.5")).toEqual(["offer-2", "offer-3"]);
  expect(await found("?provider_id=other")).toEqual([]);
});

it("[OFF-01] takes a token with its scope alone, and refuses filters that are none", async () => {
  const account = await service.account();
  expect((await list("", await service.token(account, ["offers:read"]))).status).toBe(200);
  const blind = await list(
    "",
    await service.token(
      account,
      scopes.filter((scope) => scope !== "offers:read"),
    ),
  );
  expect([blind.status, blind.json["required_scope"]]).toEqual([403, "offers:read"]);
  for (const query of [
    "provider_id=%20",
    "type=cloud",
    "max_price_eur_cents=1.5",
    "min_ram_gb=-1",
    "evidence=best",
  ]) {
    const { status, json } = await list(`?${query}`);
    expect([status, json["error"], json["field"]]).toEqual([400, "validation_error", query.split("=")[0]]);
  }
});

it("[OUR-OFF-06] a certified report is locked, as every face tells", async () => {
  const account = await service.account();
  const token = await service.token(account);
  const server = await service.server(account);
  const { id } = await service.report(server);
  const path = `/api/v1/reports/${id}`;
  await service.request("PATCH", path, { token, body: { visibility: "public" } });
  await service.app.db.write(certify, "offer-1", id, service.app.clock());
  const refused = await service.request("PATCH", path, { token, body: { visibility: "private" } });
  expect([refused.status, refused.json["error"]]).toEqual([409, "report_locked"]);
  const [offer] = rowsOf(await list());
  expect(offer).toMatchObject({
    id: "offer-1",
    name: "Iron\u200b 8",
    evidence: "certified",
    contested: false,
    report: { id, total: 1000 + 91, algorithm_version: "1" },
  });
  const told = await service.request("POST", "/mcp", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_offers", arguments: {} } },
  });
  expect(told.text).toContain("Iron\\\\u{200B} 8");
});
