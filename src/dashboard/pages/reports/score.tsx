/** A score exactly as it was answered. 0 stands for a test that was absent, null for a run that is not scored. */
export function Score({ value }: { value: number | null }) {
  if (value === null) return <span class="quiet">not scored</span>;
  if (value === 0)
    return (
      <span class="quantity">
        0 <span class="quiet">not measured</span>
      </span>
    );
  return <span class="quantity">{String(value)}</span>;
}

/** What the reference host scores, whichever score it is. */
const reference = 1000;

const width = 160;
const height = 12;

/** A score on a scale whose mark is the reference host; the number stands beside it. */
export function ScoreScale({ value, most }: { value: number | null; most: number }) {
  const at = (score: number): number => Math.round((Math.min(score, most) / most) * width * 10) / 10;
  return (
    <svg
      class="score-scale"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="ground" width={width} y="3" height={height - 6} />
      {value !== null && value > 0 && <rect class="value" width={at(value)} y="3" height={height - 6} />}
      <line class="centre" x1={at(reference)} x2={at(reference)} y1="0" y2={height} />
    </svg>
  );
}

/** A scale on which all of these can be told apart, and the reference host has a place. */
export const scaleOf = (values: readonly (number | null)[]): number =>
  Math.max(2 * reference, ...values.map((value) => value ?? 0));
