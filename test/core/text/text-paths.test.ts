import { expect, it } from "vitest";
import { z } from "zod";
import { escapePlanOf } from "../../../src/core/text/text-locations.ts";
import { thirdPartyText } from "../../../src/core/text/third-party-text.ts";

it("gives objects side by side one path where all of them have their text at the same places", () => {
  const marked = thirdPartyText(100);
  const side = z.object({ id: z.number(), names: z.array(marked), owner: z.object({ name: marked }) });
  const paths = (shape: z.ZodRawShape): readonly string[] =>
    escapePlanOf(z.object({ found: z.object(shape).nullable(), after: marked })).paths;
  expect(paths({ base: side, other: side.nullable() })).toEqual([
    "found.*.names[]",
    "found.*.owner.name",
    "after",
  ]);
  expect(paths({ grew: z.array(side), gone: z.array(side) })).toEqual([
    "found.*[].names[]",
    "found.*[].owner.name",
    "after",
  ]);
  const apart = ["found.base.names[]", "found.base.owner.name"];
  expect(paths({ base: side })).toEqual([...apart, "after"]);
  expect(paths({ base: side, level: z.string() })).toEqual([...apart, "after"]);
  expect(paths({ base: side, base_name: marked })).toEqual([...apart, "found.base_name", "after"]);
  expect(paths({ base: side, other: z.object({ names: z.array(marked) }) })).toEqual([
    ...apart,
    "found.other.names[]",
    "after",
  ]);
  expect(paths({ title: marked, note: marked })).toEqual(["found.title", "found.note", "after"]);
});
