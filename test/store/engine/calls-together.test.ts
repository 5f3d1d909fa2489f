import { expect, it } from "vitest";
import { CallsTogether } from "../../../src/store/engine/calls-together.ts";
import { times } from "./rows.ts";

it("[OUR-STO-32] calls of a key share the runs, in order of arrival, and one run of a key is under way at a time", async () => {
  const runs: (readonly number[])[] = [];
  let underWay = 0;
  const calls = new CallsTogether<number, string>(async (values) => {
    underWay += 1;
    expect(underWay).toBe(1);
    runs.push(values);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
    return values.map((value) => `result ${value}`);
  });
  const first = times(3).map((index) => calls.add("one", index));
  expect(await first[0]).toBe("result 0");
  const later = [calls.add("one", 3), calls.add("one", 4)];
  expect(await Promise.all([...first, ...later])).toEqual(times(5).map((index) => `result ${index}`));
  expect(runs).toEqual([
    [0, 1, 2],
    [3, 4],
  ]);
});

it("[OUR-STO-32] a run that fails fails its calls, and no others", async () => {
  const calls = new CallsTogether<string, string>(async (values) => {
    if (values.includes("bad")) throw new Error("The database is away.");
    return values;
  });
  const settled = await Promise.allSettled([
    calls.add("one", "bad"),
    calls.add("one", "beside it"),
    calls.add("other", "good"),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await calls.add("one", "later")).toBe("later");
});
