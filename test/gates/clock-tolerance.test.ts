import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Every constant that says how far a clock may be off, by name, with the files that declare it. */
function tolerances(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(join("src", file), "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:export )?const (\w*[cC]lockToleranceMs)\b/gm))
      found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

it("[OUR-STO-07] [OUR-SMP-03] how far a clock may be off is declared once: of plugins, and of our own processes", () => {
  expect(Object.fromEntries(tolerances())).toEqual({
    clockToleranceMs: ["core/metric/clock.ts"],
    ownClockToleranceMs: ["core/time.ts"],
  });
});
