/** A score as the API answers it. 0 means that the test was not run, null that the run has no scores. */
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

/** Every score of the reference host. */
const reference = 1000;

const width = 160;
const height = 12;

/** A score as a bar, with a mark for the reference host. */
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

/** The end of a scale that fits these values and the reference host. */
export const scaleOf = (values: readonly (number | null)[]): number =>
  Math.max(2 * reference, ...values.map((value) => value ?? 0));
