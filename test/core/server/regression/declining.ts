import { decide } from "../../../../src/core/server/regression/decision.ts";
import { dice, normals } from "../../../support/dice.ts";
import { byTheLetter } from "./by-the-letter.ts";

/** The verdict, or the reason why there is none. */
export const word = (values: readonly number[]): string => {
  const { verdict, reason } = decide(values.map((value) => ({ value })));
  return reason ?? verdict;
};

/** Totals that decline, step down or stay, 8 to 14 of them; every third series has few different values. */
export function* declining(count: number): Generator<number[]> {
  const random = dice(15);
  const normal = normals(random);
  for (let index = 0; index < count; index += 1) {
    const length = 8 + Math.floor(random() * 7);
    const [slope, step] = index % 2 === 0 ? [-0.015 * random(), 0] : [0, -0.15 * random()];
    const [cv, unit] = [0.005 + 0.03 * random(), index % 3 === 0 ? 100 : 1];
    const from = 5 + Math.floor(random() * (length - 5));
    yield Array.from({ length }, (_, at) => {
      const level = slope * at + (at >= from ? step : 0) + cv * normal();
      return unit * Math.round((5000 * Math.exp(level)) / unit);
    });
  }
}

/** How often each verdict or reason is met in random series, and those that the text of the rules judges otherwise. */
export function compareWithLetter(count: number) {
  const met = new Map<string, number>();
  const differing: string[] = [];
  for (const values of declining(count)) {
    const [found, expected] = [word(values), byTheLetter(values)];
    met.set(found, (met.get(found) ?? 0) + 1);
    if (found !== expected) differing.push(`${values.join(" ")}: ${expected}, not ${found}`);
  }
  return { met, differing };
}
