const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a format is slow. There are a few hundred zones. */
function formatOf(zone: string, hours: string): Intl.DateTimeFormat {
  const key = `${zone} ${hours}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: hours === "12" ? "numeric" : "2-digit",
    minute: "2-digit",
    hourCycle: hours === "12" ? "h12" : "h23",
    timeZoneName: "short",
  });
  formats.set(key, format);
  return format;
}

/** `at` in ms, `hours` "24" or "12": `2026-11-20 13:05 CET`. Pages and scripts share it. */
export function zonedTime(at: number, zone: string, hours: string): string {
  const parts = formatOf(zone, hours).formatToParts(at);
  const part = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? "";
  const half = hours === "12" ? ` ${part("dayPeriod")}` : "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  return `${day} ${part("hour")}:${part("minute")}${half} ${part("timeZoneName")}`;
}
