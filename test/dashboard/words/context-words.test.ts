import { expect, it } from "vitest";
import { contextFields } from "../../../src/core/report/context.ts";
import { contextWords } from "../../../src/dashboard/words/reports.ts";

it.each([
  ["config.view_distance", "View distance"],
  ["cpu_name", "CPU name"],
  ["ram_gb", "RAM, GB"],
  ["heap_max_mb", "Heap max, MB"],
])("[OUR-RPG-02] the fact %s of a set-up is called %s", (field, words) => {
  expect(contextWords(field)).toBe(words);
});

it("[OUR-RPG-02] no two facts of a set-up have one name, and none is shown as a code", () => {
  const shown = contextFields.map(contextWords);
  expect(new Set(shown).size).toBe(contextFields.length);
  expect(shown.filter((words) => /[_.]/.test(words))).toEqual([]);
});
