import type { EventBody } from "../../outbound/plugin-client.ts";
import { withoutAddresses, type Moderation } from "./log-moderation.ts";

/** An entry for the timeline, without when it was. */
export type Told = Omit<EventBody, "local_id" | "timestamp">;

const source = "tickmark-agent";

/** U+0000 and half characters are refused by the plugin API, and with them the whole upload. */
const harmless = (text: string, max: number): string =>
  withoutAddresses(text.toWellFormed().replaceAll("\0", "")).slice(0, max).toWellFormed();

const lifecycle = (type: string, severity: Told["severity"], title: string): Told => ({
  type,
  category: "lifecycle",
  source,
  severity,
  title,
});

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

export const started = (tookMs: number | null, version: string | null): Told => ({
  ...lifecycle(
    "server_start",
    "info",
    tookMs === null ? "Server started" : `Server started in ${seconds(tookMs)}`,
  ),
  ...(version !== null && { metadata: { game_version: harmless(version, 60) } }),
  ...(tookMs !== null && { duration_ms: tookMs }),
});

export const stopped = (uptimeMs: number | null): Told => ({
  ...lifecycle("server_stop", "info", "Server stopped"),
  ...(uptimeMs !== null && uptimeMs >= 0 && { metadata: { uptime_seconds: Math.round(uptimeMs / 1000) } }),
});

export const restarting = (): Told => lifecycle("restart", "info", "Server restarts");

export const crashed = (why: string | null, report: string | null): Told => ({
  ...lifecycle(
    "server_crash",
    "error",
    why === null ? "Server crashed" : `Server crashed: ${harmless(why, 300)}`,
  ),
  ...(report !== null && { metadata: { crash_report: report } }),
});

export const notStarted = (why: string): Told =>
  lifecycle("server_start_failed", "error", `Server could not start: ${why}`);

export const paused = (afterSeconds: number): Told =>
  lifecycle("server_paused", "info", `Paused: nobody has been on for ${afterSeconds} seconds`);

export const hung = (forSeconds: number): Told => ({
  type: "server_hang",
  category: "custom",
  source,
  severity: "warning",
  title: `The main thread has not responded for ${forSeconds} s`,
});

export const fellBehind = (ms: number, ticks: number | null): Told => ({
  type: "lag_spike",
  category: "custom",
  source,
  severity: "warning",
  title: `The game fell ${seconds(ms)} behind and skipped it`,
  metadata: { behind_ms: ms, ...(ticks !== null && { ticks_behind: ticks }) },
  duration_ms: ms,
});

export const outOfMemory = (what: string): Told => ({
  type: "out_of_memory",
  category: "custom",
  source,
  severity: "error",
  title: `Out of memory: ${what}`,
});

const done: Readonly<Record<Moderation["type"], string>> = {
  ban: "banned",
  tempban: "banned for a time",
  ip_ban: "banned by address",
  kick: "kicked",
  mute: "muted",
  unban: "unbanned",
};

export const moderated = ({ type, player, by, reason }: Moderation): Told => ({
  type,
  category: "moderation",
  source,
  severity: type === "unban" || type === "kick" || type === "mute" ? "info" : "warning",
  title: `${player ?? "An address"} was ${done[type]}`,
  description: reason === null ? null : harmless(reason, 300),
  metadata: { player, by: harmless(by, 40) },
});
