import type { DayKind, PublicDay } from "../../core/status-page/public-status.ts";
import { dayKinds } from "./status-words.ts";

interface BarsBox {
  readonly width: number;
  readonly height: number;
  readonly y?: number;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** One path for each kind of day. The height tells the kind as well as the colour does. */
export function Bars({ days, box }: { days: readonly PublicDay[]; box: BarsBox }) {
  const { width, height, y = 0 } = box;
  const step = width / Math.max(1, days.length);
  const bar = rounded(Math.max(1, Math.min(step - 1, step * 0.7)));
  const paths = new Map<DayKind, string>();
  for (const [index, { kind }] of days.entries()) {
    const top = rounded(y + height * (1 - dayKinds[kind].height));
    paths.set(kind, `${paths.get(kind) ?? ""}M${rounded((index + 0.5) * step)} ${y + height}V${top}`);
  }
  return (
    <>
      {[...paths].map(([kind, d]) => (
        <path key={kind} class={`bar ${dayKinds[kind].means}`} stroke-width={bar} d={d} />
      ))}
    </>
  );
}
