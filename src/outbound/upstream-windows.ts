import type { RateWindowView, RateWindowViews } from "../contract/call/backend.ts";
import type { Instant } from "../core/time.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Reads `RateLimit-Policy` and `RateLimit`; null if an answer has none. */
export function windowsOf(headers: Headers, now: Instant): RateWindowViews | null {
  const policies = itemsOf(headers["ratelimit-policy"]);
  const states = itemsOf(headers["ratelimit"]);
  const windowOf = (name: string): RateWindowView | null => {
    const limit = policies.get(name)?.get("q");
    const state = states.get(name);
    const remaining = state?.get("r");
    const seconds = state?.get("t");
    if (limit === undefined || remaining === undefined || seconds === undefined) return null;
    return { limit, remaining, resetAt: now + seconds * 1000 };
  };
  const day = windowOf("day");
  return day && { day, hour: windowOf("hour") };
}

/** Parses `"day";q=50;w=86400, "hour";q=600;w=3600`. */
function itemsOf(header: string | string[] | undefined): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const items = new Map<string, ReadonlyMap<string, number>>();
  for (const item of String(header ?? "").split(",")) {
    const [name, ...parameters] = item.split(";").map((part) => part.trim());
    const known = parameters
      .map((parameter) => /^([a-z]+)=(\d{1,15})$/.exec(parameter))
      .filter((match) => match !== null);
    if (name)
      items.set(name.replaceAll('"', ""), new Map(known.map(([, key = "", value]) => [key, Number(value)])));
  }
  return items;
}
