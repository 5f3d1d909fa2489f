import { describe, expect, it } from "vitest";
import { contests, Offer } from "../../../src/core/offer/offer.ts";
import { readOfferFile } from "../../../src/core/offer/offer-file.ts";
import { offerLine } from "../../support/offer.ts";
import type { Json } from "../../support/payload.ts";

it("[OUR-OFF-01] an offer has these fields, in order", () => {
  expect(Object.keys(Offer.shape).join(" ")).toBe(
    "id provider name type cpu_name cpu_cores ram_gb disk_type disk_gb location price_eur_cents billing_period url evidence contested certified_at certificate_expires_at report updated_at",
  );
  expect(Object.keys(Offer.shape.provider.shape)).toEqual(["id", "name", "url"]);
});

it.each([
  [1000, 950, true],
  [1000, 951, false],
  [1000, 1200, false],
  [10, 9, true],
  [10, 9.5, false],
  [1000, 0, false],
  [0, 0, false],
  [null, 10, false],
  [1000, null, false],
])("[OUR-OFF-04] %j is contested by %j: %j", (total, other, contested) => {
  expect(contests(total, other)).toBe(contested);
});

describe("a file of offers", () => {
  const file = (...lines: (Json | string)[]) =>
    readOfferFile(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));

  it("[OUR-OFF-07] has one offer a line, empty lines between, and nulls for what is left out", () => {
    const short = { id: "b", provider: { id: "p", name: "P" }, name: "B", type: "vps" };
    const read = file(`\ufeff${JSON.stringify(offerLine("a"))}\r`, "", short, "");
    expect(read).toMatchObject({
      ok: true,
      offers: [
        { id: "a", price_eur_cents: 1490 },
        { id: "b", provider: { url: null }, price_eur_cents: null, ram_gb: null, billing_period: "month" },
      ],
    });
  });

  it("[OUR-OFF-07] tells each bad line by its number", () => {
    const read = file(
      offerLine("a"),
      "{",
      "",
      "5",
      offerLine("b", { price_eur_cent: 5 }),
      offerLine("c", { provider: { id: "p" } }),
      offerLine("d", { type: "cloud" }),
      offerLine("a"),
      offerLine("e", { provider: { id: "foundry", name: "Other", url: null } }),
      offerLine("no space"),
      offerLine("f", { url: "javascript:alert(1)" }),
      offerLine("g", { billing_period: "year" }),
    );
    expect(read).toEqual({
      ok: false,
      problems: [
        "line 2: is not JSON",
        "line 4: is not a JSON object",
        'line 5: an offer has no field "price_eur_cent"',
        "line 6: provider.name is missing or has a wrong value",
        "line 7: type is missing or has a wrong value",
        "line 8: the offer a stands on line 1 already",
        "line 9: the provider foundry has another name or url than on line 1",
        "line 10: id is missing or has a wrong value",
        "line 11: url is missing or has a wrong value",
        "line 12: billing_period is missing or has a wrong value",
      ],
    });
  });
});
