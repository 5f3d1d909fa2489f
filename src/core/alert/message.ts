import type { Message } from "../notice/message.ts";
import type { ServerState } from "../server/status.ts";
import { shownMemory } from "../text/memory.ts";
import { shownDuration, shownName, shownNumber, shownTime } from "../text/plain-words.ts";
import type { AlertedEvent, AlertRecord, ResolutionReason } from "./alert.ts";
import type { AlertCondition, AlertMetric, RuleDefinition, SampleMetric } from "./alert-rule.ts";

/** The unit is empty if there is none to name. */
export const metricWords: Readonly<Record<SampleMetric, readonly [name: string, unit: string]>> = {
  tps: ["TPS", ""],
  mspt: ["Tick time", "ms"],
  player_count: ["Players", ""],
  entity_count: ["Entities", ""],
  ram_used_mb: ["Memory in use", "MB"],
  cpu_usage: ["CPU use", "%"],
  disk_free_mb: ["Free disk space", "MB"],
};

/** A measured value, such as `50 ms` or `9.6 GB`. */
export function withUnit(metric: SampleMetric, value: number): string {
  const [, unit] = metricWords[metric];
  if (unit === "MB") return shownMemory(value);
  return `${shownNumber(value)}${unit && ` ${unit}`}`;
}

export const stateWords: Readonly<Record<ServerState, string>> = {
  running: "running",
  unresponsive: "not responding: its main thread does not tick",
  paused_empty: "paused, because no player is online",
  stopped: "stopped: the server reported it",
  paused: "monitoring paused from the game",
  unreachable: "unreachable: it stopped sending and did not report a stop",
  never_seen: "never seen",
  not_monitored: "not monitored",
};

/** The threshold of a rule as it was written, such as `9800 MB (9.6 GB)`. */
export const thresholdWords = (metric: SampleMetric, threshold: number): string =>
  metricWords[metric][1] === "MB"
    ? `${shownNumber(threshold)} MB (${shownMemory(threshold)})`
    : withUnit(metric, threshold);

interface Watched {
  readonly metric: AlertMetric | null;
  readonly condition: AlertCondition | null;
  readonly threshold: number | null;
  readonly durationMinutes: number | null;
}

const forHowLong = (minutes: number | null): string =>
  minutes === null || minutes === 0 ? "" : ` for ${shownDuration(minutes * 60_000)}`;

/** Such as `TPS below 18 for 5 min`; null for a rule on events. */
export function watchedWords({ metric, condition, threshold, durationMinutes }: Watched): string | null {
  const howLong = forHowLong(durationMinutes);
  if (metric === "offline") return `no heartbeat${howLong}`;
  if (metric === null || condition === null || threshold === null) return null;
  const [name] = metricWords[metric];
  return `${name} ${condition} ${thresholdWords(metric, threshold)}${howLong}`;
}

function watchedFor(watched: Watched): string | null {
  const words = watchedWords(watched);
  return words && `Rule: ${words}`;
}

/** Such as `TPS at worst: 12`; null without a measured value. */
function measured(metric: AlertMetric | null, words: string, value: number | null): string | null {
  if (metric === null || metric === "offline" || value === null) return null;
  const [name] = metricWords[metric];
  return `${name}${words}: ${withUnit(metric, value)}`;
}

const on = (rule: string, server: string | null): string =>
  `${shownName(rule)} on ${server === null ? "a server without a name" : shownName(server)}`;

const present = (lines: readonly (string | null)[]): string[] => lines.filter((line) => line !== null);

const pageOf = ({ id }: AlertRecord): string => `/alerts/${id}`;

const flappingLine =
  "This rule opens alerts again and again. It sends no message until it has not opened an alert for 30 minutes.";

/** Times are UTC, values in the metric's unit; hidden characters in names of others are made visible. */
export function openedMessage(alert: AlertRecord): Message {
  const title = on(alert.ruleName, alert.serverName);
  const link = pageOf(alert);
  if (alert.event) return { title, lines: eventLines(alert.event, alert), link, tone: "bad" };
  const since = alert.pendingSince ?? alert.openedAt;
  const lines = present([
    measured(alert.metric, " when it opened", alert.value),
    watchedFor(alert),
    `Since: ${shownTime(since)}`,
    `Server: ${stateWords[alert.serverState]}`,
    alert.flapping ? flappingLine : null,
  ]);
  return { title, lines, link, tone: "bad" };
}

function eventLines(event: AlertedEvent, { openedAt }: AlertRecord): string[] {
  const happened = event.timestamp === null ? openedAt : Date.parse(event.timestamp);
  return [
    `Event: ${shownName(event.title)}`,
    `Type: ${shownName(event.type)} (${event.category}, ${event.severity})`,
    `When: ${shownTime(Number.isNaN(happened) ? openedAt : happened)}`,
  ];
}

export const reasonWords: Readonly<Record<ResolutionReason, string>> = {
  recovered: "The problem is over.",
  rule_disabled: "The rule was switched off.",
  rule_changed: "The rule was changed, and watches from the beginning.",
  rule_deleted: "The rule was deleted.",
  paused_empty: "The server paused because no player is online, so it does not tick.",
  no_data: "There has been no data for 15 minutes, so it is not known whether the problem is over.",
  monitoring_off: "The server is no longer monitored, so it is not known whether the problem is over.",
  server_unlinked: "The server was unlinked.",
  instantaneous: "The alert was about a single event, so it ended at once.",
};

export function resolvedMessage(alert: AlertRecord): Message {
  const { openedAt, resolvedAt, resolutionReason } = alert;
  const isGood = resolutionReason === "recovered";
  const back = isGood && alert.metric === "offline" ? "The server is online again." : null;
  const lasted =
    resolvedAt === null
      ? null
      : `Lasted: ${shownDuration(resolvedAt - openedAt)}, from ${shownTime(openedAt)} to ${shownTime(resolvedAt)}`;
  const lines = present([
    back ?? (resolutionReason && reasonWords[resolutionReason]),
    watchedFor(alert),
    measured(alert.metric, " at worst", alert.worstValue),
    lasted,
  ]);
  const title = `${isGood ? "Resolved" : "Closed"}: ${on(alert.ruleName, alert.serverName)}`;
  return { title, lines, link: pageOf(alert), tone: isGood ? "good" : "info" };
}

export function testMessage(rule: RuleDefinition, serverName: string | null, link: string | null): Message {
  return {
    title: `[TEST] ${on(rule.name, serverName)}`,
    lines: present(["This is a test: nothing is wrong.", watchedFor(rule)]),
    link,
    tone: "info",
  };
}

export const eventTestMessage = (name: string, serverName: string | null, link: string | null): Message => ({
  title: `[TEST] ${on(name, serverName)}`,
  lines: ["This is a test: nothing is wrong."],
  link,
  tone: "info",
});
