import type { EventBody } from "../../outbound/plugin-client.ts";
import { withoutAddresses, type Moderation } from "./log-moderation.ts";

export type LoggedEvent = Omit<EventBody, "local_id" | "timestamp">;

const source = "tickmark-agent";

/** The plugin API refuses a whole upload for U+0000 or half a character. */
const harmless = (text: string, max: number): string =>
  withoutAddresses(text.toWellFormed().replaceAll("\0", "")).slice(0, max).toWellFormed();

const lifecycle = (type: string, severity: LoggedEvent["severity"], title: string): LoggedEvent => ({
  type,
  category: "lifecycle",
  source,
  severity,
  title,
});

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** The game's version for a game server, the proxy's own for a proxy. */
export interface LoggedSoftware {
  readonly version: string;
  readonly proxy?: string;
}

const softwareFacts = ({ version, proxy }: LoggedSoftware): Readonly<Record<string, string>> =>
  proxy === undefined
    ? { game_version: harmless(version, 60) }
    : { proxy, proxy_version: harmless(version, 60) };

export const startedEvent = (tookMs: number | null, software: LoggedSoftware | null): LoggedEvent => ({
  ...lifecycle(
    "server_start",
    "info",
    tookMs === null ? "Server started" : `Server started in ${seconds(tookMs)}`,
  ),
  ...(software !== null && { metadata: softwareFacts(software) }),
  ...(tookMs !== null && { duration_ms: tookMs }),
});

export const stoppedEvent = (uptimeMs: number | null): LoggedEvent => ({
  ...lifecycle("server_stop", "info", "Server stopped"),
  ...(uptimeMs !== null && uptimeMs >= 0 && { metadata: { uptime_seconds: Math.round(uptimeMs / 1000) } }),
});

export const restarting = (): LoggedEvent => lifecycle("restart", "info", "Server restarts");

export const crashed = (why: string | null, report: string | null): LoggedEvent => ({
  ...lifecycle(
    "server_crash",
    "error",
    why === null ? "Server crashed" : `Server crashed: ${harmless(why, 300)}`,
  ),
  ...(report !== null && { metadata: { crash_report: report } }),
});

export const notStarted = (why: string, report: string | null = null): LoggedEvent => ({
  ...lifecycle("server_start_failed", "error", `Server could not start: ${harmless(why, 300)}`),
  ...(report !== null && { metadata: { crash_report: report } }),
});

/** A process that ended without a stop or a crash in its log; only its parent can read its exit status. */
export const killed = (forMemory: boolean): LoggedEvent => ({
  ...lifecycle(
    "server_crash",
    "error",
    forMemory
      ? "Server was killed: the kernel ended it because its control group had no memory left"
      : "Server was killed: it ended without a stop or a crash in its log",
  ),
  metadata: { reason: "killed", ...(forMemory && { out_of_memory: true }) },
});

export const pausedEvent = (afterSeconds: number): LoggedEvent =>
  lifecycle("server_paused", "info", `Paused: no player has been online for ${afterSeconds} seconds`);

export const hung = (forSeconds: number): LoggedEvent => ({
  type: "server_hang",
  category: "custom",
  source,
  severity: "warning",
  title: `The main thread has not responded for ${forSeconds} s`,
});

export const fellBehind = (ms: number, ticks: number | null): LoggedEvent => ({
  type: "lag_spike",
  category: "custom",
  source,
  severity: "warning",
  title: `The game fell ${seconds(ms)} behind and skipped it`,
  metadata: { behind_ms: ms, ...(ticks !== null && { ticks_behind: ticks }) },
  duration_ms: ms,
});

export const outOfMemory = (what: string): LoggedEvent => ({
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

export const moderated = ({ type, player, by, reason, isVerified }: Moderation): LoggedEvent => ({
  type,
  category: "moderation",
  source,
  severity: type === "unban" || type === "kick" || type === "mute" ? "info" : "warning",
  title: `${player ?? "An address"} was ${done[type]}`,
  description: reason === null ? null : harmless(reason, 300),
  metadata: { player, by: harmless(by, 40), ...(!isVerified && { unverified: true }) },
});
