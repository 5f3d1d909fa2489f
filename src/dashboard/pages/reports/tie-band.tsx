interface TieBandProps {
  /** The accessible name. */
  readonly label: string;
  /** The distance of the other value from the centre, % of the centre. */
  readonly percent: number;
  /** The edges of the tie band, % of the centre. */
  readonly below: number;
  readonly above: number;
  /** The scale's reach to both sides of the centre, %. */
  readonly reach: number;
  /** The verdict's side of the band, however close to an edge the mark is. `open`: no verdict. */
  readonly fell: "inside" | "above" | "below" | "open";
  /** The confidence interval of `percent`. */
  readonly interval?: readonly [low: number, high: number];
}

const width = 240;
const height = 28;
const middle = height / 2;
const room = width / 2 - 10;

const reaches = [10, 20, 50] as const;

/** The smallest scale that fits all values. Values beyond the largest scale are drawn at its end. */
export function reachOf(percents: readonly number[]): number {
  const furthest = Math.max(0, ...percents.map(Math.abs));
  return reaches.find((reach) => reach >= furthest) ?? 50;
}

/** The mark is a dot inside the band and a triangle outside. */
export function TieBand({ label, percent, below, above, reach, fell, interval }: TieBandProps) {
  const at = (value: number): number => {
    const inside = Math.min(Math.max(value, -reach), reach);
    return Math.round((width / 2 + (inside / reach) * room) * 10) / 10;
  };
  const [left, right, x] = [at(below), at(above), at(percent)];
  return (
    <svg class="tie-band" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line class="axis" x1="0" x2={width} y1={middle} y2={middle} />
      <rect class="band" x={left} width={Math.round((right - left) * 10) / 10} y="3" height={height - 6} />
      <line class="centre" x1={width / 2} x2={width / 2} y1="0" y2={height} />
      {interval && (
        <line class="interval" x1={at(interval[0])} x2={at(interval[1])} y1={middle} y2={middle} />
      )}
      <path class={`mark-at ${fell}`} d={shapes[fell](x)} data-fell={fell} />
      {Math.abs(percent) > reach && <path class="beyond" d={beyond(Math.sign(percent))} />}
    </svg>
  );
}

const shapes: Readonly<Record<TieBandProps["fell"], (x: number) => string>> = {
  above: (x) => `M${x} ${middle - 6}l6 11h-12z`,
  below: (x) => `M${x} ${middle + 6}l-6 -11h12z`,
  inside: (x) => `M${x - 5} ${middle}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z`,
  open: (x) => `M${x} ${middle - 6}l6 6l-6 6l-6 -6z`,
};

/** An arrow to a value beyond the scale. */
const beyond = (sign: number): string =>
  sign > 0 ? `M${width - 4} ${middle - 4}l4 4l-4 4` : `M4 ${middle - 4}l-4 4l4 4`;
