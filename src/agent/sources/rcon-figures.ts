import type { Measured } from "./source.ts";

export interface Figure {
  readonly field: "tps" | "mspt" | "mspt_p95" | "worst_tick_ms";
  readonly value: number;
  readonly windowMs: number;
}

export interface ServerAnswer {
  readonly figures: readonly Figure[];
  readonly playerCount?: number;
  readonly gameTime?: number;
  /** TPS that the loader computed from tick durations, without counting ticks. */
  readonly computedTps?: number;
  readonly pace?: "running" | "frozen" | "sprinting";
  readonly targetTps?: number;
  readonly regions?: Pick<Measured, "region_count" | "region_source" | "regions" | "regions_omitted">;
}

/** The interval of samples, ms. */
export const sampleMs = 30_000;

/** Larger figures are misread, not measured. */
const largest = { tps: 1000, mspt: 300_000, mspt_p95: 300_000, worst_tick_ms: 600_000 };

export function figure(
  field: Figure["field"],
  value: number | string | undefined,
  windowMs: number,
): Figure[] {
  const number = typeof value === "string" ? toNumber(value) : value;
  if (number === undefined || !(number >= 0) || number > largest[field]) return [];
  return [{ field, value: field === "tps" ? Math.min(number, 20) : number, windowMs }];
}

/**
 * The shortest window that covers a whole sample, else the longest: a shorter one misses slow ticks, a longer
 * one shows them for too long. A slowest tick needs a covering window.
 */
export function chosenFigures(figures: readonly Figure[], field: Figure["field"]): Figure | undefined {
  const ordered = figures.filter((each) => each.field === field).toSorted((a, b) => a.windowMs - b.windowMs);
  const covering = ordered.find(({ windowMs }) => windowMs >= sampleMs);
  return covering ?? (field === "worst_tick_ms" ? undefined : ordered.at(-1));
}

/** Removes colours and control codes. A § that was not sent as UTF-8 arrives as U+FFFD. */
export const withoutFormatting = (answer: string): string =>
  answer
    .slice(0, 64 * 1024)
    // eslint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;]{0,20}m/g, "")
    .replace(/[§\ufffd][0-9a-fk-orx]/gi, "");

const toNumber = (text: string): number => Number(text.replace(",", "."));

/** A comma with a digit right behind it is a decimal comma. */
export const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\d{1,7}(?:[.,]\d{1,3})?/g)].map(([number]) => toNumber(number));

export function numberAfter(text: string, label: string): number | undefined {
  const from = text.indexOf(label);
  if (from < 0) return undefined;
  const found = /^\s{0,3}(\d{1,7}(?:[.,]\d{1,3})?)/.exec(
    text.slice(from + label.length, from + label.length + 20),
  );
  return found?.[1] === undefined ? undefined : toNumber(found[1]);
}
