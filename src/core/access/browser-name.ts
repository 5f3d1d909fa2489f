const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "Linux"] as const;

/** Guesses a name such as `Firefox on Linux`, in fixed words only; null if the browser is unknown. */
export function browserName(userAgent: string | null): string | null {
  const name = browsers.find(([sign]) => userAgent?.includes(sign))?.[1];
  const system = systems.find((sign) => userAgent?.includes(sign));
  if (name === undefined) return null;
  return system === undefined ? name : `${name} on ${system}`;
}
