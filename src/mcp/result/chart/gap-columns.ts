import { colors, plotHeight, plotLeft, plotRight, px, type Scale } from "./frame.ts";
import { label, labelWidth } from "./label.ts";
import type { Interval } from "./runs.ts";

/**
 * By pixel column, the share that is gap, 0 to 1: short gaps close together must not look like a long one.
 */
function coverageOf(gaps: readonly Interval[], x: Scale): Float64Array {
  const coverage = new Float64Array(plotRight - plotLeft);
  for (const { from, to } of gaps) {
    const [left, right] = [x(from) - plotLeft, x(to) - plotLeft];
    for (let column = Math.floor(left); column < right && column < coverage.length; column += 1)
      coverage[column] = (coverage[column] ?? 0) + Math.min(right, column + 1) - Math.max(left, column);
  }
  return coverage;
}

interface Stretch {
  readonly first: number;
  readonly width: number;
}

/** Ranges of adjacent columns for which `belongs` is true. */
function stretches(coverage: Float64Array, belongs: (value: number) => boolean): Stretch[] {
  const found: Stretch[] = [];
  let first = -1;
  for (let column = 0; column <= coverage.length; column += 1) {
    const inside = column < coverage.length && belongs(coverage[column] ?? 0);
    if (inside && first < 0) first = column;
    if (inside || first < 0) continue;
    found.push({ first, width: column - first });
    first = -1;
  }
  return found;
}

/** A lone gap up to this width is drawn in full, px: shaded it would not be seen. */
const hairline = 2;
const full = 0.98;
/** In a narrower gap hatching cannot be seen, px. */
const narrowestHatch = 5;
const widthOfWords = 70;

/** Hatched where there is no data, shaded by the share of a column that has none. */
export function gapDefinitions(gaps: readonly Interval[], x: Scale): string {
  const coverage = coverageOf(gaps, x);
  for (const { first, width } of stretches(coverage, (value) => value > 0))
    if (width <= hairline) coverage.fill(1, first, first + width);
  const shades = [...coverage.entries()]
    .filter(([, value]) => value > 0 && value < full)
    .map(([column, value]) => box({ first: column, width: 1 }, colors.hatch, Math.round(value * 100) / 100));
  const whole = stretches(coverage, (value) => value >= full);
  return [
    `<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V7" stroke="${colors.hatch}" stroke-width="2"/></pattern>`,
    `<g id="gaps">`,
    ...shades,
    ...whole.map((stretch) =>
      stretch.width < narrowestHatch
        ? box(stretch, colors.hatch)
        : box(stretch, colors.gap) + box(stretch, "url(#hatch)"),
    ),
    ...whole.filter(({ width }) => width >= widthOfWords).map(words),
    "</g></defs>",
  ].join("");
}

const box = ({ first, width }: Stretch, fill: string, opacity = 1): string =>
  `<rect x="${plotLeft + first}" width="${width}" height="${plotHeight}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ""}/>`;

function words({ first, width }: Stretch): string {
  const middle = plotLeft + first + width / 2;
  const half = labelWidth("no data", 8) / 2 + 5;
  const plate = `<rect x="${px(middle - half)}" y="${plotHeight / 2 - 9}" width="${px(2 * half)}" height="18" rx="3" fill="${colors.gap}"/>`;
  return (
    plate + label("no data", middle, plotHeight / 2 + 4, { color: colors.muted, size: 8, align: "middle" })
  );
}
