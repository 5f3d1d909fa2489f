import type { Instant } from "./time.ts";

/** A parsed schedule of five fields; it has no time zone of its own. */
export interface Cron {
  /** Minutes of the day, ascending; at least one. */
  readonly times: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Both day fields are restricted: then one match is enough (the rule of Vixie's cron). */
  readonly eitherDay: boolean;
}

interface FieldForm {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const none: readonly string[] = [];
const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const minuteForm: FieldForm = { min: 0, max: 59, names: none };
const hourForm: FieldForm = { min: 0, max: 23, names: none };
const dayForm: FieldForm = { min: 1, max: 31, names: none };
const monthForm: FieldForm = { min: 1, max: 12, names: monthNames };
const weekdayForm: FieldForm = { min: 0, max: 7, names: weekdayNames };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Characters; longer than any schedule that a person would write. */
export const longestCron = 200;

/** The fields are minute, hour, day of month, month and day of week. Null for anything else. */
export function parseCron(text: string): Cron | null {
  if (text.length > longestCron) return null;
  const [minute, hour, day, month, weekday, ...rest] = text.trim().split(/[ \t]+/);
  if (rest.length > 0 || minute === undefined || hour === undefined) return null;
  if (day === undefined || month === undefined || weekday === undefined) return null;
  const minutes = readField(minute, minuteForm);
  const hours = readField(hour, hourForm);
  const days = readField(day, dayForm);
  const months = readField(month, monthForm);
  const weekdays = readField(weekday, weekdayForm);
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  const times = [...hours].flatMap((h) => [...minutes].map((m) => h * 60 + m));
  return {
    times: times.toSorted((a, b) => a - b),
    months,
    days,
    weekdays: new Set([...weekdays].map((number) => number % 7)),
    eitherDay: !day.startsWith("*") && !weekday.startsWith("*"),
  };
}

/** A list of `*`, values and ranges; `*` and ranges may have a step. Null for anything else. */
function readField(text: string, form: FieldForm): Set<number> | null {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(?:(\*)|([0-9A-Z]{1,3})(?:-([0-9A-Z]{1,3}))?)(?:\/([0-9]{1,2}))?$/i.exec(part);
    if (!match) return null;
    const [, star, first, last, step] = match;
    const range = star === undefined ? readRange(first, last, form) : [form.min, form.max];
    if (!range || (step !== undefined && star === undefined && last === undefined)) return null;
    const [from = 0, to = 0] = range;
    const stride = step === undefined ? 1 : Number(step);
    if (stride < 1 || stride > form.max - form.min + 1) return null;
    for (let value = from; value <= to; value += stride) values.add(value);
  }
  return values;
}

function readRange(
  first: string | undefined,
  last: string | undefined,
  form: FieldForm,
): [number, number] | null {
  const from = readValue(first ?? "", form);
  let to = last === undefined ? from : readValue(last, form);
  // In a range that ends on SUN, Sunday is day 7.
  if (form === weekdayForm && last !== undefined && /^SUN$/i.test(last)) to = 7;
  return from === null || to === null || from > to ? null : [from, to];
}

function readValue(text: string, { min, max, names }: FieldForm): number | null {
  const named = names.indexOf(text.toUpperCase());
  if (named >= 0) return named + min;
  if (!/^[0-9]{1,2}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

function firesOn(cron: Cron, dayStart: Instant): boolean {
  const date = new Date(dayStart);
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const day = cron.days.has(date.getUTCDate());
  const weekday = cron.weekdays.has(date.getUTCDay());
  return cron.eitherDay ? day || weekday : day && weekday;
}

/** Fires after `after` and up to `until`, inclusive, in order. */
export function* fires(cron: Cron, after: Instant, until: Instant): Generator<Instant> {
  for (let day = Math.floor(after / dayMs) * dayMs; day <= until; day += dayMs) {
    if (!firesOn(cron, day)) continue;
    for (const time of cron.times) {
      const at = day + time * minuteMs;
      if (at > until) return;
      if (at > after) yield at;
    }
  }
}

/** A leap year: schedules are searched no further ahead. */
export const horizonMs = 366 * dayMs;

/** Null if there is none within 366 days. */
export function nextFire(cron: Cron, after: Instant): Instant | null {
  for (const at of fires(cron, after, after + horizonMs)) return at;
  return null;
}
