import { absence } from "../words/glossary.ts";
import { shownGb } from "../../core/text/memory.ts";
import { currentDisplay } from "../display.ts";
import { zonedTime } from "../scripts/look/zoned-time.ts";
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp, type Instant } from "../../core/time.ts";

/** An age, with the full time as its title. An old one is marked. */
export function Age({
  at,
  now,
  staleAfterMs = Infinity,
}: {
  at: string | null;
  now: Instant;
  staleAfterMs?: number;
}) {
  if (at === null) return <span class="quiet">never</span>;
  const ageMs = now - Date.parse(at);
  return (
    <time dateTime={at} title={clock(at)} class={ageMs > staleAfterMs ? "old" : undefined}>
      {ageMs < 0 ? `in ${span(-ageMs)}` : `${span(ageMs)} ago`}
    </time>
  );
}

export function Time({ at }: { at: string | null }) {
  return at === null ? <span class="quiet">{absence.never}</span> : <time dateTime={at}>{clock(at)}</time>;
}

/** In full, with the time zone of the display. */
export function clock(at: string | Instant): string {
  const time = typeof at === "string" ? Date.parse(at) : at;
  const { zone, clock } = currentDisplay();
  if (zone === "UTC" && clock === "24") return `${toTimestamp(time).slice(0, 16).replace("T", " ")} UTC`;
  return zonedTime(time, zone, clock);
}

export function span(ms: number): string {
  if (ms < minuteMs) return `${Math.round(ms / secondMs)} s`;
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.round(ms / hourMs)} h`;
  return `${Math.round(ms / dayMs)} d`;
}

/** Null is shown in words. Memory in MB is shown in GB. */
export function Quantity({
  value,
  unit,
  digits = 1,
}: {
  value: number | null;
  unit?: string;
  digits?: number;
}) {
  if (value === null) return <span class="quiet">{absence.notMeasured}</span>;
  if (unit === "MB") return <Memory mb={value} />;
  return (
    <span class="quantity">
      {formatOf(digits).format(value)}
      {unit && <span class="unit"> {unit}</span>}
    </span>
  );
}

/** An amount of memory in GB, with one decimal. */
export function Memory({ mb }: { mb: number }) {
  return (
    <span class="quantity">
      {memoryNumber(mb)}
      <span class="unit"> GB</span>
    </span>
  );
}

const memoryNumber = (mb: number): string => shownGb(mb, (gb) => formatOf(1, 1).format(Number(gb)));

const formats = new Map<string, Intl.NumberFormat>();
/** More formats are not kept: browsers send many languages. */
const formatsAtMost = 200;

/** Cached, because creating a number format is slow. */
export function formatOf(digits: number, least = 0): Intl.NumberFormat {
  const { locale } = currentDisplay();
  const key = `${locale} ${digits} ${least}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size >= formatsAtMost) formats.clear();
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/** Two decimals at most, and none from 100 on. */
export const measuredFigure = (value: number): string =>
  formatOf(Math.abs(value) < 100 ? 2 : 0).format(value);

/** An e-mail address, which can wrap before the @. */
export function Address({ value }: { value: string }) {
  const at = value.lastIndexOf("@");
  return (
    <bdi>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </bdi>
  );
}

/** Third-party or typed text, always as text; null is shown as `none`. */
export function Text({ value, none = absence.none }: { value: string | null; none?: string }) {
  return value === null || value === "" ? <span class="quiet">{none}</span> : <bdi>{value}</bdi>;
}
