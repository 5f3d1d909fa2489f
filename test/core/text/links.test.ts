import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLinks } from "../../../src/core/text/links.ts";
import { growth, squared } from "./cost.ts";

describe("counting links", () => {
  it.each([
    ["", 0],
    ["no links, not even a.b or http:// alone", 0],
    ["https://example.org", 1],
    ["HTTP://EXAMPLE.ORG and hTTps://a.b", 2],
    ["see(https://a.b),https://c.d", 2],
    ["www.example.org, WWW.a.de and awww.cute", 2],
    ["https://www.example.org", 1],
    ["https://web.archive.org/web/2020/https://example.org/?u=https://a.b", 1],
    ["/https://a.b /https://c.d", 2],
    ["https://a.b,https://c.d;https://e.f|https://g.h", 4],
    ["<https://a.b><https://c.d>", 2],
    ['<a href="https://a.b">x</a>', 1],
    ["[text](https://a.b)", 1],
    ["[text](page) [other](<page two>)", 2],
    ["[https://a.b](https://a.b)", 1],
    ["[www.a.b](https://a.b) https://c.d", 2],
    ["[https://a.b https://c.d](e)", 2],
    ["![image](a.png)", 1],
    ["[not a link] (https://a.b)", 1],
    ["](https://a.b)", 1],
    ["[empty]()", 0],
    ["[a](b)[c](d)[e](f)", 3],
    ["[1]: https://a.b", 1],
    ["http://[::1]:25565/ and http://[::2]/", 2],
    ["https://a.b\nhttps://c.d\thttps://e.f", 3],
  ])("[OUR-TXT-30] %j holds %i", (text, expected) => {
    expect(countLinks(text)).toBe(expected);
  });

  it("[OUR-TXT-30] counts as many addresses as stand apart, whatever surrounds them", () => {
    const address = fc.constantFrom("https://a.b/c?d=e#f", "http://x.y:80", "www.z.org", "[t](u)");
    const gap = fc.constantFrom(" ", "\n", " (", ") ", " - ", " \u{1f600} ", " , ");
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, address)), (parts) => {
        expect(countLinks(parts.map(([before, link]) => `${before}${link}`).join(""))).toBe(parts.length);
      }),
    );
  });

  it("[OUR-TXT-06] grows with the length of the text alone", () => {
    const counting = (text: string) => () => countLinks(text);
    for (const part of [
      "[",
      "](",
      "](   ",
      "[](<",
      "https://a",
      "www.a",
      "http",
      " ",
      `](${" ".repeat(500)}`,
    ]) {
      const { ms, ratio } = growth(
        counting(part.repeat(1_000_000 / part.length)),
        counting(part.repeat(250_000 / part.length)),
      );
      console.log(
        `links, 1 MB of ${JSON.stringify(part.slice(0, 9))}: ${ms.toFixed(1)} ms, ${ratio.toFixed(1)} × a quarter`,
      );
      expect(ratio).toBeLessThan(squared);
    }
    const spaces = `](${" ".repeat(1_000_000)}`;
    expect(growth(counting(spaces), counting(spaces.slice(0, 250_000))).ratio).toBeLessThan(squared);
  });
});
