import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, it } from "vitest";
import { Shortened } from "../../src/dashboard/parts/shortened.tsx";

const shown = (count: number): string =>
  renderToString(
    h(Shortened<number>, {
      items: Array.from({ length: count }, (_, place) => place + 1),
      first: 3,
      others: "more findings",
      keyOf: String,
      children: (item) => `finding ${item}`,
    }),
  );

it("[OUR-RPG-02] a long list has its first entries in sight, and the others on demand", () => {
  const [inSight, onDemand = ""] = shown(9).split("<details>");
  expect(inSight?.match(/finding \d/g)).toEqual(["finding 1", "finding 2", "finding 3"]);
  expect(onDemand).toContain("<summary>6 more findings</summary>");
  expect(onDemand.match(/finding \d/g)).toEqual([4, 5, 6, 7, 8, 9].map((place) => `finding ${place}`));
});

it("[OUR-RPG-02] nothing is hidden to save one entry", () => {
  expect(shown(4)).not.toContain("<details>");
  expect(shown(4).match(/finding \d/g)).toHaveLength(4);
  expect(shown(0)).not.toContain("finding");
});
