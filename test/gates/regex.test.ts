import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check } from "recheck";
import { describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { patternsIn, type WrittenPattern } from "./regex-sources.ts";
import { filesBelow, read } from "./sources.ts";

const patterns = filesBelow(["src", "tools", "resources"], ".ts").flatMap((file) =>
  patternsIn(file, read(file)),
);

const written = ({ source, flags }: WrittenPattern): string => `/${source}/${flags}`;
const place = ({ file, line }: WrittenPattern): string => `${file}:${line}`;

/** The same pattern in two places is examined once. */
const distinct = [...new Map(patterns.map((pattern) => [written(pattern), pattern])).values()];
const placesOf = (pattern: WrittenPattern): string =>
  patterns
    .filter((other) => written(other) === written(pattern))
    .map(place)
    .join(", ");

/** No pattern of ours may need longer to be judged, ms. */
const patienceMs = 10_000;

/** Those that were found to match in linear time, one a line; the long run examines them anew. */
const examinedFile = fileURLToPath(new URL("examined-patterns.txt", import.meta.url));
const examined = new Set(isLong ? [] : readFileSync(examinedFile, "utf8").split("\n"));

/** A pattern on one line, whatever it matches. */
const onOneLine = (pattern: WrittenPattern): string => written(pattern).replaceAll("\n", String.raw`\n`);

describe("regular expressions", () => {
  it("every one in the product matches in linear time", async () => {
    const judged: { where: string; status: string }[] = [];
    for (const pattern of distinct) {
      if (examined.has(onOneLine(pattern))) continue;
      // `v` differs from `u` in what a class may hold, not in how matching goes on.
      const { status } = await check(pattern.source, pattern.flags.replace("v", "u"), {
        timeout: patienceMs,
      });
      judged.push({ where: `${written(pattern)} in ${placesOf(pattern)}`, status });
    }
    const vulnerable = judged.filter(({ status }) => status === "vulnerable");
    const undecided = judged.filter(({ status }) => status === "unknown");
    console.log(
      `regular expressions: ${patterns.length} written, ${distinct.length} distinct, ${judged.length} examined now, vulnerable: ${vulnerable.length}, undecided: ${undecided.length}`,
    );
    expect(vulnerable).toEqual([]);
    expect(undecided).toEqual([]);
    expect(patterns.length).toBeGreaterThan(30);
    // A new pattern joins the file, and one that is gone leaves it: vitest run test/gates/regex.test.ts -u
    await expect(`${distinct.map(onOneLine).toSorted().join("\n")}\n`).toMatchFileSnapshot(examinedFile);
  });

  it("the gate sees literals, RegExp calls, templates and names, and knows a bad pattern", async () => {
    const source =
      "const a = /x(y)/gi; const b = new RegExp(a, 'g'); RegExp(`^${a}$`); new RegExp(String.raw`\\d${'+'}`); f(1 / 2 / 3);";
    const seen = patternsIn("t.ts", source).map(written);
    expect(seen).toEqual(["/x(y)/gi", "/x(y)/g", "/^x(y)$/", "/\\d+/"]);
    expect(() => patternsIn("t.ts", "new RegExp(given)")).toThrow("t.ts:1");
    expect((await check("^(a|a)*$", "", { timeout: patienceMs })).status).toBe("vulnerable");
  });
});
