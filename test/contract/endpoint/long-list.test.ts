import { expect, it } from "vitest";
import { jsonInPortions, longListOf, projectedInPortions } from "../../../src/contract/endpoint/long-list.ts";

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index,
    name: `Ä "${index}"`,
    secret: 1,
    none: undefined,
  }));
const project = (value: unknown): unknown => {
  const { at, data, totals } = value as { at: string; data: { id: number; name: string }[]; totals: unknown };
  return { at, data: data.map(({ id, name }) => ({ id, name })), totals };
};

it("[OUR-OVR-08] an answer with a long list is projected and written as one without, of any length", async () => {
  for (const count of [201, 399, 400, 401, 1000]) {
    const value = { at: "now", left: undefined, data: rows(count), totals: { count } };
    const list = longListOf(value);
    if (list === null) throw new Error("The list is long.");
    const projected = await projectedInPortions(value, list, project);
    expect(projected).toEqual(project(value));
    expect((await jsonInPortions(projected, list)).toString()).toBe(JSON.stringify(project(value)));
    expect((await jsonInPortions(value, list)).toString()).toBe(JSON.stringify(value));
  }
});

it("[OUR-OVR-08] an answer without a long list is written at once", () => {
  for (const value of [null, "text", rows(300), { data: rows(200) }, {}])
    expect(longListOf(value)).toBeNull();
});
