/** As in cron, Monday first. */
export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
export type Weekday = (typeof weekdays)[number];

export interface Weekly {
  readonly days: readonly Weekday[];
  /** `02:30`, from 00:00 to 23:59. */
  readonly time: string;
}

const twoDigits = (text: string): string => text.padStart(2, "0");

/** Null without a day, or for an invalid time. */
export function weeklyCron({ days, time }: Weekly): string | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!match || days.length === 0) return null;
  const on = days.length === weekdays.length ? "*" : weekdays.filter((day) => days.includes(day)).join(",");
  return `${Number(match[2])} ${Number(match[1])} * * ${on}`;
}

/** Null if the expression is more than days of the week and one time. */
export function weeklyOf(cron: string): Weekly | null {
  const match = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[A-Z]{3}(?:,[A-Z]{3})*)$/.exec(cron);
  if (!match) return null;
  const [, minute = "", hour = "", on = ""] = match;
  const named = on.split(",");
  const days = on === "*" ? weekdays : weekdays.filter((day) => named.includes(day));
  return days.length === 0 ? null : { days, time: `${twoDigits(hour)}:${twoDigits(minute)}` };
}
