import { weekdays, weeklyOf, type Weekday } from "../../core/maintenance/weekly.ts";

export const dayNames: Readonly<Record<Weekday, string>> = {
  MON: "Monday",
  TUE: "Tuesday",
  WED: "Wednesday",
  THU: "Thursday",
  FRI: "Friday",
  SAT: "Saturday",
  SUN: "Sunday",
};

/** Names the days for `weeklyOf`: cron counts them from Sunday, which is 0 and 7. */
function withNamedDays(cron: string): string {
  const at = cron.lastIndexOf(" ") + 1;
  const days = cron.slice(at).toUpperCase();
  return cron.slice(0, at) + days.replaceAll(/[0-7]/g, (day) => weekdays.at(Number(day) - 1) ?? day);
}

/** `every Monday at 02:30`; null unless it is one time on days of the week. */
export function scheduleInWords(cron: string): string | null {
  const weekly = weeklyOf(withNamedDays(cron));
  if (weekly === null) return null;
  const isDaily = weekly.days.length === weekdays.length;
  const days = isDaily ? "every day" : `every ${weekly.days.map((day) => dayNames[day]).join(", ")}`;
  return `${days} at ${weekly.time}`;
}
