import { describe, expect, it } from "vitest";
import {
  callerName,
  callerText,
  plainText,
  thirdPartyText,
} from "../../../src/core/text/third-party-text.ts";

describe("text fields", () => {
  it("[SRV-20] count code points, not UTF-16 units", () => {
    expect(callerName(64).safeParse("🐱".repeat(64)).success).toBe(true);
    expect(callerName(64).safeParse("🐱".repeat(65)).success).toBe(false);
    expect(plainText(8, 8).safeParse("🐱".repeat(4)).success).toBe(false);
    expect(callerName(64).safeParse("").success).toBe(false);
    expect(callerName(1).safeParse("a").success).toBe(true);
  });

  it("[OUR-TXT-40] refuse U+0000 and lone surrogates, which no database holds", () => {
    for (const schema of [thirdPartyText(9), callerText(9), callerName(9), plainText(9)]) {
      expect(schema.safeParse("a\u0000").success).toBe(false);
      expect(schema.safeParse("a\ud800").success).toBe(false);
    }
  });

  it("[OUR-TXT-41] take control characters from a plugin, and only LF and TAB from a caller", () => {
    expect(thirdPartyText(9).safeParse("a\u001b[0m").success).toBe(true);
    expect(callerText(9).safeParse("a\u001b[0m").success).toBe(false);
    expect(callerText(9).safeParse("a\n\tb").success).toBe(true);
    expect(callerText(9).safeParse("a\rb").success).toBe(false);
  });

  it("[OUR-TXT-42] are kept as sent: nothing is trimmed or normalised", () => {
    expect(callerName(9).parse(" e\u0301 ")).toBe(" e\u0301 ");
    expect(callerName(9).safeParse(" \t ").success).toBe(false);
  });
});
