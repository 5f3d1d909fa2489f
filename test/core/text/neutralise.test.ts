import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise, restore } from "../../../src/core/text/neutralise.ts";
import { hiddenIn, isUncollapsed } from "../../support/corpus.ts";
import { growth, milliseconds, squared } from "./cost.ts";
import { isLong, randomCases } from "../../support/long.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { processorMs } from "../../support/processor-time.ts";

const uncapped = Number.MAX_SAFE_INTEGER;
const shown = (text: string, cap = uncapped): string => neutralise(text, cap).text;
const lengthOf = (text: string): number => Array.from(text).length;

const nasty = fc.constantFrom(
  ..."\u200b\u200d\ufe0f\u202e\u00ad\u0000\r\u2028\u2800\ue000\ud800\udc00\n\t*17![]\\u{}20E3 a\u20e3é漢…".split(
    "",
  ),
  "\u{1f469}",
  "\u{1f3fd}",
  "\u2764",
  "\u{1f3f4}",
  "\u{e0067}",
  "\u{e007f}",
  "\\u{",
  "![",
  "\u200b".repeat(17),
);
const nastyText = fc
  .array(fc.oneof({ weight: 4, arbitrary: nasty }, fc.string({ unit: anyCharacter, maxLength: 3 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));

describe("what is escaped", () => {
  it.each([
    ["a zero width space", "a\u200bb", "a\\u{200B}b"],
    ["a right-to-left override", "\u202egpj", "\\u{202E}gpj"],
    ["the escape of a terminal sequence", "\u001b[31m", "\\u{1B}[31m"],
    ["a carriage return, not a line feed or tab", "a\r\n\tb", "a\\u{D}\n\tb"],
    ["a line and a paragraph separator", "\u2028\u2029", "\\u{2028}\\u{2029}"],
    ["tag characters", "\u{e0041}\u{e0042}", "\\u{E0041}\\u{E0042}"],
    ["a variation selector behind a letter", "a\ufe01\u{e0101}", "a\\u{FE01}\\u{E0101}"],
    ["private use and lone surrogates", "\ue000\ud83d", "\\u{E000}\\u{D83D}"],
    ["the blank braille pattern and the Hangul filler", "\u2800\u3164", "\\u{2800}\\u{3164}"],
    ["the start of a Markdown image", "![a](b)", "\\u{21}[a](b)"],
    ["a literal escape", "\\u{41}", "\\u{5C}u{41}"],
    ["what could be read as the count of a run", "\u200b*17", "\\u{200B}\\u{2A}17"],
    ["a digit behind the count of a run", `${"\u200b".repeat(17)}5`, "\\u{200B}*17\\u{35}"],
  ])("[OUR-TXT-01] writes %s visibly", (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("[OUR-TXT-01] escapes a character exactly when nobody could see it, for each that there is", () => {
    const wrong: string[] = [];
    let escaped = 0;
    // The planes from 4 to 13 hold no character: of those the usual run takes one in a hundred.
    const isEmpty = (code: number): boolean => code >= 0x40000 && code < 0xe0000;
    for (let code = 0; code <= 0x10ffff; code += !isLong && isEmpty(code) ? 101 : 1) {
      const text = `a${String.fromCodePoint(code)}`;
      const result = neutralise(text, 100);
      if (result.escaped > 0) escaped += 1;
      if (result.escaped !== hiddenIn(text).length || restore(result.text) !== text)
        wrong.push(code.toString(16));
    }
    console.log(
      `neutralise: ${escaped} code points escaped, ${wrong.length} otherwise than the second rule says`,
    );
    expect(wrong).toEqual([]);
  });

  it("[OUR-TXT-02] leaves harmless text in any script as it is", () => {
    for (const text of [
      "",
      "Folia 1.21.4",
      "ä ö ü — “quoted”",
      "漢字かな",
      "Привет",
      "مرحبا",
      "a * b ** c",
      "C:\\users",
      "x!y[0]",
      "§aGreen",
    ]) {
      expect(neutralise(text, 200)).toEqual({ text, escaped: 0, cut: 0 });
    }
  });

  it("[OUR-TXT-03] writes a run of 16 one by one and a run of 17 with its count", () => {
    expect(shown("\u200b".repeat(16))).toBe("\\u{200B}".repeat(16));
    expect(neutralise(`a${"\u200b".repeat(17)}b`, uncapped)).toEqual({
      text: "a\\u{200B}*17b",
      escaped: 17,
      cut: 0,
    });
    expect(shown(`\u202e${"\u{e0041}".repeat(999)}`)).toBe("\\u{202E}*1000");
  });

  it("[OUR-TXT-01] leaves no hidden character and no image, whatever the text", () => {
    fc.assert(
      fc.property(nastyText, fc.oneof(fc.nat(80), fc.constant(uncapped)), (text, cap) => {
        const result = shown(text, cap);
        expect(hiddenIn(result)).toEqual([]);
        expect(result).not.toContain("![");
      }),
      { numRuns: randomCases(5000) },
    );
  });

  it("[OUR-TXT-02] can be undone as long as nothing is collapsed or cut, whatever the text", () => {
    fc.assert(
      fc.property(nastyText.filter(isUncollapsed), (text) => {
        expect(restore(shown(text))).toBe(text);
      }),
      { numRuns: randomCases(5000) },
    );
  });
});

describe("emoji", () => {
  const kept = [
    "❤️",
    "☀️",
    "👍🏽",
    "1️⃣",
    "#️⃣",
    "*️⃣",
    "🇪🇺",
    "🏳️‍🌈",
    "🏳️‍⚧️",
    "🏴‍☠️",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    "👨‍👩‍👧‍👦",
    "👩🏽‍🚀",
    "🧑🏻‍❤️‍💋‍🧑🏿",
    "👁️‍🗨️",
    "❤️‍🔥",
    "🐦‍⬛",
    "🙂‍↔️",
    "🧑‍🦰",
    "©️",
    "™️",
    "🧑‍🧑‍🧒‍🧒",
  ];
  it.each(kept)("[OUR-TXT-04] leaves %s as it is", (text) => {
    expect(neutralise(`${text}a ${text}`, 200)).toEqual({ text: `${text}a ${text}`, escaped: 0, cut: 0 });
  });

  it.each([
    ["a joiner before a letter", "👩\u200da", "👩\\u{200D}a"],
    ["a joiner at the end", "👩\u200d", "👩\\u{200D}"],
    ["a selector behind a letter", "a\ufe0f", "a\\u{FE0F}"],
    ["a second selector", "❤\ufe0f\ufe0f", "❤\ufe0f\\u{FE0F}"],
    ["a keycap on a letter", "a\ufe0f\u20e3", "a\\u{FE0F}\u20e3"],
    ["tags that spell no flag", "🏴\u{e0067}\u{e0062}\u{e007f}", "🏴\\u{E0067}\\u{E0062}\\u{E007F}"],
    [
      "the joiner behind eight pictographs",
      `${"👩\u200d".repeat(8)}👩`,
      `${"👩\u200d".repeat(7)}👩\\u{200D}👩`,
    ],
  ])("[OUR-TXT-04] escapes %s", (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("[OUR-TXT-04] leaves every emoji Unicode recommends for interchange as it is", () => {
    // The compiler's target has no `v` flag yet; the platform has.
    const recommended = new RegExp("^\\p{RGI_Emoji}$", "v");
    const all = Array.from({ length: 0x20000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const pictographs = all.filter((text) => /(?=\p{Emoji})\p{Extended_Pictographic}/u.test(text));
    const tones = ["", "\ufe0f", ...Array.from(isLong ? "🏻🏼🏽🏾🏿" : "🏽")];
    const heads = pictographs.flatMap((text) => tones.map((tone) => text + tone));
    const regions = all.filter((text) => /\p{Regional_Indicator}/u.test(text));
    const tails = Array.from(
      "♀♂⚕⚖✈⚧☠⬛↔↕➡❤🌈🌾🍳🍼🎓🎤🎨🏫🏭🏳🐈🐕💥💨💫💻💼🔥🔧🔬🗨🚀🚒🤝🦯🦰🦱🦲🦳🦺🦼🦽🧑👨👩👧👦🩹🟩🟫🍄",
    );
    const joined = heads.flatMap((head) =>
      tails.flatMap((tail) => [`${head}\u200d${tail}`, `${head}\u200d${tail}\ufe0f`]),
    );
    const people = Array.from("👩👨🧑").flatMap((text) => tones.map((tone) => text + tone));
    const pairs = ["🤝", "❤️", "❤️‍💋", "🐰", "🫯"].flatMap((between) =>
      people.flatMap((one) => people.map((two) => `${one}\u200d${between}\u200d${two}`)),
    );
    const families = ["👩", "👨", "👨‍👩", "👩‍👩", "👨‍👨"].flatMap((parents) =>
      ["👧", "👦", "👧‍👦", "👧‍👧", "👦‍👦"].map((children) => `${parents}\u200d${children}`),
    );
    const flags = regions.flatMap((one) => regions.map((two) => one + two));
    const candidates = [...heads, ...flags, ...joined, ...pairs, ...families];
    const emoji = [...new Set(candidates)].filter((text) => recommended.test(text));
    const changed = emoji.filter((text) => shown(text) !== text);
    console.log(`emoji: ${emoji.length} recommended sequences tried, ${changed.length} changed`);
    expect(emoji.length).toBeGreaterThan(2000);
    expect(changed).toEqual([]);
  });
});

describe("caps", () => {
  it("[OUR-TXT-05] shows at most the cap and says how many of the original's characters are not shown", () => {
    expect(neutralise("abcdef", 4)).toEqual({ text: "abcd…[+2 characters]", escaped: 0, cut: 2 });
    expect(neutralise("abcd", 4)).toEqual({ text: "abcd", escaped: 0, cut: 0 });
    expect(neutralise("😀😀😀", 2)).toEqual({ text: "😀😀…[+1 characters]", escaped: 0, cut: 1 });
    expect(neutralise("漢字漢字", 4)).toEqual({ text: "漢字漢字", escaped: 0, cut: 0 });
  });

  it("[OUR-TXT-05] never cuts an escape, a count or an emoji in two", () => {
    expect(shown("ab\u200bcd", 9)).toBe("ab…[+3 characters]");
    expect(shown("ab\u200bcd", 10)).toBe("ab\\u{200B}…[+2 characters]");
    expect(shown("\u200b".repeat(40), 10)).toBe("…[+40 characters]");
    expect(shown("a👨‍👩‍👧b", 4)).toBe("a…[+6 characters]");
    expect(shown("1\ufe0f\u20e3", 2)).toBe("1…[+2 characters]");
  });

  it("[OUR-TXT-05] adds up: what is shown and what is left out make the original, whatever the text and cap", () => {
    const marker = /…\[\+(\d+) characters\]$/;
    fc.assert(
      fc.property(nastyText.filter(isUncollapsed), fc.nat(100), (text, cap) => {
        const { text: result, cut } = neutralise(text, cap);
        const kept = cut === 0 ? result : result.replace(marker, "");
        expect(lengthOf(kept)).toBeLessThanOrEqual(cap);
        expect(text.startsWith(restore(kept))).toBe(true);
        expect(lengthOf(text.slice(restore(kept).length))).toBe(cut);
        if (cut > 0) expect(marker.exec(result)?.[1]).toBe(String(cut));
      }),
      { numRuns: randomCases(5000) },
    );
  });
});

describe("cost", () => {
  const neutralising = (text: string) => () => neutralise(text, uncapped);
  const size = isLong ? 1_000_000 : 100_000;
  const filled = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length));

  it("[OUR-TXT-06] grows with the length of the text alone, at its worst a few dozen times plain text", () => {
    const plain = milliseconds(neutralising(filled("é", size)));
    const worst = [
      "\u200b",
      "\u200ba",
      "![",
      "\\u{",
      "👩\u200d",
      "1\ufe0f\u20e3",
      "\ud83d",
      "🏴\u{e0067}",
      "\u200b*1",
      `${"\u200b".repeat(17)}1`,
      "é*1",
      "é!",
    ];
    for (const part of worst) {
      const { ms, ratio } = growth(neutralising(filled(part, size)), neutralising(filled(part, size / 4)));
      const label = JSON.stringify(part.slice(0, 4));
      console.log(
        `${size} of ${label}: ${ms.toFixed(1)} ms, ${(ms / plain).toFixed(1)} × plain, ${ratio.toFixed(1)} × a quarter`,
      );
      expect(ms / plain).toBeLessThan(150);
      expect(ratio).toBeLessThan(squared);
    }
  });

  it("[OUR-TXT-06] costs a short plain name next to nothing", () => {
    const names = Array.from({ length: 64 }, (_, index) => `survival_nether_${index}`);
    const rounds = 5000;
    let total = 0;
    const ms = processorMs(() => {
      for (let round = 0; round < rounds; round += 1)
        for (const name of names) total += neutralise(name, 200).text.length;
    });
    const nanoseconds = (ms * 1e6) / (rounds * names.length);
    console.log(`neutralise, short plain name: ${nanoseconds.toFixed(0)} ns (${total} characters)`);
    expect(nanoseconds).toBeLessThan(5000);
  });
});
