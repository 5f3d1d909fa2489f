import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neutralise, restore } from "../../../src/core/text/neutralise.ts";
import { toWire } from "../../../src/mcp/result/wire.ts";
import { corpus, hasCorpus, hiddenIn, isUncollapsed } from "../../support/corpus.ts";
import { randomCases } from "../../support/long.ts";
import { anyCharacter } from "../../support/any-character.ts";

const risky = /[<>&`\u007f-\u009f\u2028\u2029\n\r]/;
const jsonString = /"(?:[^"\\]|\\.)*"/g;
const bareJson = /^[[\]{}:,0-9.eE+\-truefalsn]*$/;

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("```", "</s>", "<|im_start|>", "&lt;", "\u2028", "\u0085", "\u007f", "\\u003c"),
);
const nastyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    nasty,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(nasty, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

describe("the wire form", () => {
  it("[OUR-TXT-10] parses back to the same value and is one line without tags, entities or fences", () => {
    fc.assert(
      fc.property(nastyJson, (value) => {
        const wire = toWire(value);
        expect(JSON.parse(wire)).toEqual(value);
        expect(wire).not.toMatch(risky);
        expect(wire.replaceAll(jsonString, "")).toMatch(bareJson);
      }),
      { numRuns: randomCases(3000) },
    );
  });

  it("[OUR-TXT-10] writes each risky character as one fixed escape, in keys too", () => {
    expect(toWire({ "<b>": "a&`\u007f\u009f\u2028" })).toBe(
      '{"\\u003cb\\u003e":"a\\u0026\\u0060\\u007f\\u009f\\u2028"}',
    );
    expect(toWire(undefined)).toBe("null");
  });

  it("[OUR-TXT-10] is plain JSON where there is nothing to escape", () => {
    const value = { data: [{ id: 1, name: "Paper é 漢" }], next_cursor: null };
    expect(toWire(value)).toBe(JSON.stringify(value));
  });
});

describe.skipIf(!hasCorpus)("recorded attacks", () => {
  const limit = Number.MAX_SAFE_INTEGER;

  it("[TXT-01] nothing hidden, no image, fence, tag or chat token of 6,700 texts gets out of its string", () => {
    const texts = corpus("third_party_text");
    const found = {
      texts: 0,
      hiddenBefore: 0,
      hidden: 0,
      images: 0,
      risky: 0,
      outside: 0,
      differs: 0,
      notRestored: 0,
    };
    for (const text of texts) {
      const value = {
        third_party_text: { escaped: 0 },
        name: neutralise(text, limit).text,
        data: [{ [neutralise(text, limit).text]: 1 }],
      };
      const wire = toWire(value);
      found.texts += 1;
      if (hiddenIn(text).length > 0) found.hiddenBefore += 1;
      found.hidden += hiddenIn(wire).length + hiddenIn(value.name).length;
      if (wire.includes("![")) found.images += 1;
      if (risky.test(wire)) found.risky += 1;
      if (!bareJson.test(wire.replaceAll(jsonString, ""))) found.outside += 1;
      if (JSON.stringify(JSON.parse(wire)) !== JSON.stringify(value)) found.differs += 1;
      if (isUncollapsed(text) && restore(value.name) !== text) found.notRestored += 1;
    }
    console.log("third-party corpus through neutralise and wire:", found);
    expect(found.texts).toBeGreaterThan(6000);
    expect({ ...found, texts: 0, hiddenBefore: 0 }).toEqual({
      texts: 0,
      hiddenBefore: 0,
      hidden: 0,
      images: 0,
      risky: 0,
      outside: 0,
      differs: 0,
      notRestored: 0,
    });
  });

  it("[TXT-01] capped as in a list row, the same texts leave nothing hidden either", () => {
    let hidden = 0;
    let cut = 0;
    for (const text of corpus("third_party_text")) {
      const shown = neutralise(text, 200);
      hidden += hiddenIn(shown.text).length + (shown.text.includes("![") ? 1 : 0);
      if (shown.cut > 0) cut += 1;
    }
    console.log(`third-party corpus capped at 200: ${cut} cut, ${hidden} hidden characters or images left`);
    expect(hidden).toBe(0);
  });

  it("[TXT-01] harmless texts come through unchanged", () => {
    const texts = corpus("benign_controls");
    const changed = texts.filter(
      (text) => neutralise(text, 4000).text !== text || JSON.parse(toWire(text)) !== text,
    );
    console.log(`benign controls: ${changed.length} of ${texts.length} changed`);
    expect(changed).toEqual([]);
  });
});
