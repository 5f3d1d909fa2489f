const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "Linux"] as const;

/** A short name, guessed from what a browser calls itself, in fixed words alone; null where nothing is recognised. */
export function browserName(userAgent: string | null): string | null {
  const name = browsers.find(([sign]) => userAgent?.includes(sign))?.[1];
  const system = systems.find((sign) => userAgent?.includes(sign));
  if (name === undefined) return null;
  return system === undefined ? name : `${name} on ${system}`;
}
