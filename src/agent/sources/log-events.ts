import type { EventBody } from "../../outbound/plugin-client.ts";
import type { Moderation } from "./log-moderation.ts";
import { withoutAddresses } from "./without-addresses.ts";

export type LoggedEvent = Omit<EventBody, "local_id" | "timestamp">;

const source = "tickmark-agent";

/** The plugin API refuses a whole upload for U+0000 or half a character. */
export const harmless = (text: string, max: number): string =>
  withoutAddresses(text.toWellFormed().replaceAll("\0", "")).slice(0, max).toWellFormed();

export const lifecycle = (type: string, severity: LoggedEvent["severity"], title: string): LoggedEvent => ({
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

/** Known by its process alone. */
export const listeningEvent = (): LoggedEvent => ({
  ...lifecycle("server_start", "info", "Server started: its process listens, and its log does not tell more"),
  metadata: { reason: "process_listens" },
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

export interface StartFailure {
  readonly why: string;
  readonly detail?: string | null;
  readonly report?: string | null;
  /** It was a second start beside the server, which goes on. */
  readonly isSecond?: boolean;
  readonly reason?: string;
}

export const notStarted = ({ why, detail, report, isSecond, reason }: StartFailure): LoggedEvent => {
  const metadata = {
    ...(reason !== undefined && { reason }),
    ...(isSecond && { second_start: true }),
    ...(report && { crash_report: report }),
  };
  return {
    ...lifecycle(
      "server_start_failed",
      isSecond ? "warning" : "error",
      isSecond
        ? `A second start beside the running server failed: ${harmless(why, 300)}`
        : `Server could not start: ${harmless(why, 300)}`,
    ),
    ...(detail && { description: harmless(detail, 2000) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
};

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
