import { z } from "zod";
import { Timestamp } from "../timestamp.ts";
import { ShownServerName, StatusTitle } from "./status-page.ts";

/**
 * Everything that the public may read: the page, its badge and its chart are made of these fields alone. The
 * only texts are the names that the owner chose for this page.
 */

/** General words, worst first. */
export const publicTroubles = ["not_reachable", "not_responding", "unstable", "slow"] as const;
export const PublicTrouble = z.enum(publicTroubles);
export type PublicTrouble = z.infer<typeof PublicTrouble>;

/** `no_data`: the server is not monitored, or has sent nothing yet. */
export const PublicState = z.enum([...publicTroubles, "online", "maintenance", "stopped", "no_data"]);
export type PublicState = z.infer<typeof PublicState>;

/** How a server spent a day (UTC); `off`: only stopped or in maintenance, `unknown`: not measured. */
export const DayKind = z.enum(["full", "partial", "major", "off", "unknown"]);
export type DayKind = z.infer<typeof DayKind>;

export const PublicDay = z.object({ kind: DayKind, down_seconds: z.int() });
export type PublicDay = z.infer<typeof PublicDay>;

/** `to` is null while the incident lasts. */
export const PublicIncident = z.object({
  trouble: PublicTrouble,
  from: Timestamp,
  to: Timestamp.nullable(),
});
export type PublicIncident = z.infer<typeof PublicIncident>;

export const PublicWindow = z.object({ from: Timestamp, to: Timestamp, in_progress: z.boolean() });
export type PublicWindow = z.infer<typeof PublicWindow>;

export const PublicServer = z.object({
  name: ShownServerName,
  state: PublicState,
  /** Null if the owner does not show players, or if their number is unknown. */
  players: z.int().nullable(),
  /** Availability over all days, floored to two decimals; null if nothing was measured. */
  percent: z.number().nullable(),
  /** Oldest first; the last one is today. */
  days: z.array(PublicDay),
  /** Newest first. */
  incidents: z.array(PublicIncident),
  more_incidents: z.int(),
  /** Newest first. */
  maintenance: z.array(PublicWindow),
});
export type PublicServer = z.infer<typeof PublicServer>;

export const PublicStatus = z.object({
  title: StatusTitle,
  generated_at: Timestamp,
  /** The day (UTC) of the first bar, `2026-11-19`. */
  first_day: z.string(),
  servers: z.array(PublicServer),
});
export type PublicStatus = z.infer<typeof PublicStatus>;
