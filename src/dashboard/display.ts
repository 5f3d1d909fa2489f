import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { timeZoneOf } from "../core/maintenance/zoned-time.ts";

export const Theme = z.enum(["system", "light", "dark"]);
/** Hours of the clock. */
export const ClockHours = z.enum(["24", "12"]);

/** The zone of the browser, as its script writes it into a cookie. */
export const browserZone = "browser";

/** How a browser shows pages. It is the browser's own choice and stays in its cookie. */
export interface Display {
  readonly theme: z.infer<typeof Theme>;
  /** An IANA time zone, or `browserZone`. */
  readonly zoneChoice: string;
  /** The IANA time zone in which times are shown. */
  readonly zone: string;
  readonly clock: z.infer<typeof ClockHours>;
  /** The language tag by which numbers are written. */
  readonly locale: string;
}

const usual: Display = { theme: "system", zoneChoice: browserZone, zone: "UTC", clock: "24", locale: "en" };

const cookie = "tickmark_display";
const zoneCookie = "tickmark_zone";
const yearSeconds = 365 * 86_400;

/** The display that a browser's cookies and languages ask for; what they get wrong is as usual. */
export function displayOf(request: FastifyRequest): Display {
  const sent = new URLSearchParams(request.cookies?.[cookie] ?? "");
  const zoneChoice = sent.get("zone") ?? usual.zoneChoice;
  const zone = zoneChoice === browserZone ? (request.cookies?.[zoneCookie] ?? "") : zoneChoice;
  return {
    theme: Theme.safeParse(sent.get("theme")).data ?? usual.theme,
    clock: ClockHours.safeParse(sent.get("clock")).data ?? usual.clock,
    zoneChoice: zoneChoice === browserZone || listedZone(zoneChoice) ? zoneChoice : usual.zoneChoice,
    zone: listedZone(zone) ?? usual.zone,
    locale: localeIn(request.headers["accept-language"]) ?? usual.locale,
  };
}

/** Keeps a choice in the browser for a year. It is no secret, and nothing but the look of pages follows from it. */
export const setDisplay = (
  reply: FastifyReply,
  { theme, zoneChoice, clock }: Pick<Display, "theme" | "zoneChoice" | "clock">,
): void =>
  void reply.setCookie(cookie, new URLSearchParams({ theme, zone: zoneChoice, clock }).toString(), {
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    maxAge: yearSeconds,
  });

/** The time zones to choose from, by their IANA names. */
export const zones: readonly string[] = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((z) => z !== "UTC"),
];

const known: ReadonlySet<string> = new Set(zones);

/** The name under which a zone is listed here; null if it is none. Browsers also send its other names. */
export function listedZone(name: string): string | null {
  if (known.has(name)) return name;
  const own = timeZoneOf(name);
  return own !== null && known.has(own) ? own : null;
}

/** The first language of the header for which numbers can be written. Regions count, further details do not. */
function localeIn(header: string | undefined): string | null {
  const tags = (header ?? "").slice(0, 200).split(",");
  for (const part of tags) {
    const tag = /^\s*([a-z]{2}(?:-[A-Z]{2})?)\s*(?:;|$)/.exec(part)?.[1];
    if (tag !== undefined && Intl.NumberFormat.supportedLocalesOf(tag).length > 0) return tag;
  }
  return null;
}

const current = new AsyncLocalStorage<Display>();

/** Reads and renders a page for that display: everything that `act` starts writes its times and numbers for it. */
export const displayedFor = <T>(display: Display, act: () => T): T => current.run(display, act);

export const currentDisplay = (): Display => current.getStore() ?? usual;
