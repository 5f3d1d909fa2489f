import { expect, it } from "vitest";
import { copiesToRemove, isPeriodApart, type Copy } from "../../../src/core/backup/copies.ts";
import { dayMs, hourMs, secondMs } from "../../../src/core/time.ts";

const daily = (days: number): Copy => ({ name: `day ${days}`, at: days * dayMs });
const keeping = (made: string) => ({ keep: 7, made, isApart: isPeriodApart(dayMs) });
const left = (copies: readonly Copy[], made: string): string[] => {
  const removed = copiesToRemove(copies, keeping(made));
  return copies.filter((copy) => !removed.includes(copy)).map(({ name }) => name);
};

it("[OUR-CLI-17] copies of one moment take no place of those of other days", () => {
  const days = [1, 2, 3, 4, 5, 6].map(daily);
  const burst = Array.from({ length: 23 }, (_, number) => ({
    name: `burst ${number}`,
    at: 7 * dayMs + number * secondMs,
  }));
  expect(left([...days, ...burst], "burst 22")).toEqual([...days.map(({ name }) => name), "burst 22"]);
});

it("[OUR-CLI-17] where there are fewer days than places the newest copies have the others", () => {
  const copies = [
    daily(1),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((hour) => ({ name: `hour ${hour}`, at: 2 * dayMs + hour * hourMs })),
  ];
  expect(left(copies, "hour 7")).toEqual(["day 1", ...[2, 3, 4, 5, 6, 7].map((hour) => `hour ${hour}`)]);
});

it("[OUR-CLI-17] what was just made stays, whatever date its clock gave it", () => {
  const copies = [...[1, 2, 3, 4, 5, 6, 7, 8].map(daily), { name: "made", at: 0 }];
  expect(left(copies, "made")).toEqual(["day 3", "day 4", "day 5", "day 6", "day 7", "day 8", "made"]);
});

it("[OUR-CLI-17] backups that are an hour late or early are still of different days", () => {
  const copies = [0, 25, 47, 72, 95, 121, 144, 167].map((hours) => ({
    name: `${hours} h`,
    at: hours * hourMs,
  }));
  expect(left(copies, "167 h")).toEqual(copies.slice(1).map(({ name }) => name));
});
