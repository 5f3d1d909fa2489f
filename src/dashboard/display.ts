import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { timeZoneOf } from "../core/maintenance/zoned-time.ts";

export const Theme = z.enum(["system", "light", "dark"]);
export const ClockHours = z.enum(["24", "12"]);

/** The browser's zone, which its script writes into a cookie. */
export const browserZone = "browser";

/** A choice of the browser, not of the account: it is kept in the browser's cookie. */
export interface Display {
  readonly theme: z.infer<typeof Theme>;
  /** An IANA time zone, or `browserZone`. */
  readonly zoneChoice: string;
  /** The IANA time zone of all shown times. */
  readonly zone: string;
  readonly clock: z.infer<typeof ClockHours>;
  /** The language tag for the format of numbers. */
  readonly locale: string;
}

const usual: Display = { theme: "system", zoneChoice: browserZone, zone: "UTC", clock: "24", locale: "en" };

const cookie = "tickmark_display";
const zoneCookie = "tickmark_zone";
const yearSeconds = 365 * 86_400;

/** Wrong values in cookies or languages are replaced by the usual ones. */
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

/** Stores a choice in the browser for a year. It is not secret and changes only the look of pages. */
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

/** IANA names. */
export const zones: readonly string[] = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((z) => z !== "UTC"),
];

const known: ReadonlySet<string> = new Set(zones);

/** The name of a zone in `zones`; null if it is unknown. Browsers may send another name of the same zone. */
export function listedZone(name: string): string | null {
  if (known.has(name)) return name;
  const own = timeZoneOf(name);
  return own !== null && known.has(own) ? own : null;
}

/** The first language of the header with a number format: language and region, nothing more. */
function localeIn(header: string | undefined): string | null {
  const tags = (header ?? "").slice(0, 200).split(",");
  for (const part of tags) {
    const tag = /^\s*([a-z]{2}(?:-[A-Z]{2})?)\s*(?:;|$)/.exec(part)?.[1];
    if (tag !== undefined && Intl.NumberFormat.supportedLocalesOf(tag).length > 0) return tag;
  }
  return null;
}

const current = new AsyncLocalStorage<Display>();

/** Everything that `act` starts formats its times and numbers for that display. */
export const displayedFor = <T>(display: Display, act: () => T): T => current.run(display, act);

export const currentDisplay = (): Display => current.getStore() ?? usual;
