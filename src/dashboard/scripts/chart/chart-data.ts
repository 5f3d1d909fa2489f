/** Unix seconds. */
export type Stretch = readonly [from: number, to: number];

export interface ChartLine {
  readonly field: string;
  readonly name: string;
  readonly unit: string;
  /** The lowest end of the scale. */
  readonly top: number;
  readonly nominal: number | null;
  /** Thresholds of alert rules that are switched on. */
  readonly thresholds: readonly { readonly value: number; readonly name: string }[];
  /** A value for each time; null if the figure was not measured at all. */
  readonly values: readonly (number | null)[] | null;
  /** By bucket; null if points are single measurements. */
  readonly min: readonly (number | null)[] | null;
  readonly max: readonly (number | null)[] | null;
}

/** A mark on the time axis that links to its alert or event. */
export interface ChartMark {
  readonly at: number;
  readonly kind: "alert" | "event";
  readonly label: string;
  readonly href: string;
}

/** All charts of one time axis. Times are Unix seconds. */
export interface ChartData {
  readonly from: number;
  readonly to: number;
  /** The length of a bucket, seconds; null if points are single measurements. */
  readonly bucket: number | null;
  readonly times: readonly number[];
  readonly gaps: readonly Stretch[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly ChartMark[];
  readonly shades: readonly Stretch[];
}

/** Newer points replace those from their time on. Null if the lengths of the buckets differ. */
export function appended(shown: ChartData, newer: ChartData): ChartData | null {
  if (shown.bucket !== newer.bucket) return null;
  const first = newer.times[0] ?? Infinity;
  const begin = shown.times.findIndex((time) => time >= newer.from);
  const end = shown.times.findIndex((time) => time >= first);
  const [from, to] = [begin === -1 ? shown.times.length : begin, end === -1 ? shown.times.length : end];
  const length = Math.max(0, to - from);
  const columnOf = (
    old: readonly (number | null)[] | null | undefined,
    added: readonly (number | null)[] | null | undefined,
  ) => [
    ...(old?.slice(from, from + length) ?? Array<null>(length).fill(null)),
    ...(added ?? newer.times.map(() => null)),
  ];
  return {
    ...newer,
    times: [...shown.times.slice(from, from + length), ...newer.times],
    lines: newer.lines.map((line) => {
      const old = shown.lines.find(({ field }) => field === line.field);
      if (!old?.values && !line.values) return line;
      const hasBand = Boolean(line.min ?? old?.min);
      return {
        ...line,
        values: columnOf(old?.values, line.values),
        min: hasBand ? columnOf(old?.min, line.min) : null,
        max: hasBand ? columnOf(old?.max, line.max) : null,
      };
    }),
  };
}

/** When the figure was not measured, without overlaps. */
export function silencesOf(
  { times, gaps, from, to }: ChartData,
  values: readonly (number | null)[],
): Stretch[] {
  const found: Stretch[] = [...gaps];
  for (let index = 0; index < times.length; index += 1) {
    if (values[index] !== null) continue;
    const begin = times[index - 1] ?? from;
    while (index < times.length && values[index] === null) index += 1;
    found.push([begin, times[index] ?? to]);
  }
  const merged: [number, number][] = [];
  for (const [begin, end] of found.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}
