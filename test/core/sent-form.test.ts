import { expect, it } from "vitest";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { isFreshForm } from "../../src/core/sent-form.ts";

const noon = Date.parse("2026-11-20T12:00:00Z");
const minute = 60_000;
const hour = 60 * minute;

it("[OUR-TKN-11] a form can be sent for 12 hours, and none that a clock made far ahead or that we did not make", () => {
  const id = systemSecrets().newId(noon);
  for (const age of [0, 1, hour, 12 * hour - 1, -minute + 1]) expect(isFreshForm(id, noon + age)).toBe(true);
  for (const age of [12 * hour, 400 * 24 * hour, -minute, -hour])
    expect(isFreshForm(id, noon + age)).toBe(false);
  for (const odd of ["", "x", id.toUpperCase(), `${id}0`, ` ${id}`, id.replace("-7", "-4"), "'; --"])
    expect(isFreshForm(odd, noon)).toBe(false);
});
