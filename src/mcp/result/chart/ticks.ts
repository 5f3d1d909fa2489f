const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Distances between two marks on the time axis, ms. Longer distances are months, which differ in length. */
const distances = [
  10 * second,
  30 * second,
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
] as const;

const marksAtMost = 9;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (value: number): string => String(value).padStart(2, "0");

/** `20 Nov` */
export const dayText = (at: number): string => {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ""}`;
};

/** `08:30` */
export const clockText = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
};

/** Marks on the axis of time, at round times of day in UTC; midnight is labelled with its date. */
export function timeTicks(from: number, to: number): Tick[] {
  const distance = distances.find((candidate) => (to - from) / candidate <= marksAtMost);
  if (distance === undefined) return monthTicks(from, to);
  const ticks: Tick[] = [];
  for (let at = Math.ceil(from / distance) * distance; at <= to; at += distance) {
    const text =
      at % day === 0
        ? dayText(at)
        : distance < minute
          ? `${clockText(at)}:${two((at / second) % 60)}`
          : clockText(at);
    ticks.push({ at, text });
  }
  return ticks;
}

function monthTicks(from: number, to: number): Tick[] {
  const ticks: Tick[] = [];
  const first = new Date(from);
  const step = (to - from) / day > 280 ? 2 : 1;
  for (let month = first.getUTCMonth() + 1; ; month += step) {
    const at = Date.UTC(first.getUTCFullYear(), month, 1);
    if (at > to) return ticks;
    const date = new Date(at);
    const name = months[date.getUTCMonth()] ?? "";
    ticks.push({ at, text: date.getUTCMonth() < step ? `${name} ${date.getUTCFullYear()}` : name });
  }
}

/** A round number at `value` or above: 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value * 0.999_999) ?? 10;
  return factor * power;
}

export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly marks: readonly number[];
}

/** An axis with some three to five round marks that spans both values. */
export function valueAxis(low: number, high: number): ValueAxis {
  const span = high - low > 0 ? high - low : Math.max(1, Math.abs(high) / 10);
  const step = roundUp(span / 4);
  const start = Math.floor(low / step + 1e-9) * step;
  const count = Math.max(1, Math.ceil((low + span - start) / step - 1e-9));
  const marks = Array.from({ length: count + 1 }, (_, index) =>
    Number((start + index * step).toPrecision(12)),
  );
  return { low: start, high: marks.at(-1) ?? high, marks };
}

export function shortValue(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${trimmed(value / 1e9, 2)}e9`;
  if (size >= 10_000) return Math.round(value).toLocaleString("en-US");
  return trimmed(value, size >= 1000 ? 0 : size >= 100 ? 1 : 2);
}

const trimmed = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)));
