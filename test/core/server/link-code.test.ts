import { expect, it } from "vitest";
import { systemSecrets } from "../../../src/app/access/secrets.ts";
import { linkCodeAlphabet, linkCodeLength, normalizeLinkCode } from "../../../src/core/server/link-code.ts";

it("[OUR-PLG-13] a link code has none of the characters that people take for others", () => {
  const secrets = systemSecrets();
  const codes = Array.from({ length: 2000 }, () => secrets.newLinkCode());
  const used = new Set(codes.join(""));
  expect([...used].toSorted().join("")).toBe([...linkCodeAlphabet].toSorted().join(""));
  expect(linkCodeAlphabet).toBe("ABCDEFGHJKMNPQRSTUVWXYZ23456789");
  for (const code of codes) {
    expect(code).toHaveLength(linkCodeLength);
    expect(normalizeLinkCode(code.toLowerCase())).toBe(code);
  }
});

it("[OUR-PLG-13] no code can hold I, L, O, 0 or 1", () => {
  for (const character of "ILO01ilo -") expect(normalizeLinkCode(`ABCDEFG${character}`)).toBeNull();
});
