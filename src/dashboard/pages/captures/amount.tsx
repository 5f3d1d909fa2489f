import { absence } from "../../words/glossary.ts";
import { formatOf } from "../../parts/value.tsx";
export function ShareCell({ pct, none = absence.unknown }: { pct: number | null; none?: string }) {
  if (pct === null) return <span class="quiet">{none}</span>;
  return (
    <span class="quantity">
      {pct.toFixed(2)}
      <span class="unit"> %</span>
    </span>
  );
}

const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** In the largest unit. */
export function Bytes({ value, sign = false }: { value: number | null; sign?: boolean }) {
  if (value === null) return <span class="quiet">{absence.unknown}</span>;
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log2(Math.max(1, Math.abs(value))) / 10)),
  );
  const shown = (Math.abs(value) / 1024 ** step).toFixed(step === 0 ? 0 : 1);
  return (
    <span class="quantity" title={`${value} bytes`}>
      {signOf(value, sign)}
      {shown}
      <span class="unit"> {units[step]}</span>
    </span>
  );
}

export function Count({ value, sign = false }: { value: number | null; sign?: boolean }) {
  if (value === null) return <span class="quiet">{absence.unknown}</span>;
  return (
    <span class="quantity">
      {signOf(value, sign)}
      {formatOf(3).format(Math.abs(value))}
    </span>
  );
}

/** A difference of two percentages. */
export function Points({ value }: { value: number | null }) {
  if (value === null) return <span class="quiet">{absence.unknown}</span>;
  return (
    <span class="quantity">
      {signOf(value, true)}
      {Math.abs(value).toFixed(2)}
      <span class="unit"> points</span>
    </span>
  );
}

const signOf = (value: number, always: boolean): string => {
  if (value < 0) return "−";
  return always && value > 0 ? "+" : "";
};
