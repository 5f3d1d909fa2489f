import { Secret } from "otpauth";
import { describe, expect, it } from "vitest";
import { stepOfCode } from "../../../src/app/access/totp.ts";
import { groupedCode, stepCodeOf } from "../../../src/core/access/second-factor.ts";

describe("codes of the second factor", () => {
  // RFC 6238, appendix B, SHA-1, the last six of the eight digits.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_234_567_890, "005924"],
    [20_000_000_000, "353130"],
  ])("[OUR-FAC-02] of second %d are those of the standard", (seconds, code) => {
    const secret = Secret.fromUTF8("12345678901234567890").base32;
    expect(stepOfCode(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(stepOfCode(secret, "000000", seconds * 1000)).toBeNull();
  });

  it("[OUR-FAC-02] are typed with spaces or without", () => {
    expect(["123 456", "123-456", " 123456 "].map(stepCodeOf)).toEqual(["123456", "123456", "123456"]);
    for (const typed of ["12345", "1234567", "12345a", ""]) expect(stepCodeOf(typed)).toBeNull();
    expect(groupedCode("ABCDEFGHJKMNPQRS")).toBe("ABCD-EFGH-JKMN-PQRS");
  });
});
