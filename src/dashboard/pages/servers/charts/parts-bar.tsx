import type { Availability } from "../../../../core/health/health.ts";
import { availabilityParts } from "../../../words/health.ts";

/** The time of each part; words beside it say the same. */
export function PartsBar({ availability }: { availability: Availability }) {
  const total = availabilityParts.reduce((sum, [part]) => sum + availability[part], 0);
  if (total === 0) return null;
  let at = 0;
  return (
    <svg viewBox="0 0 100 4" width="100%" height="12" preserveAspectRatio="none" aria-hidden="true">
      {availabilityParts.map(([part, , means]) => {
        const width = (availability[part] / total) * 100;
        const x = at;
        at += width;
        return width === 0 ? null : (
          <rect key={part} class={means} x={x} y="0" width={width} height="4" fill="var(--tone)" />
        );
      })}
    </svg>
  );
}
