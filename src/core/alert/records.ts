import type { Trace } from "../event/trace.ts";
import type { Instant } from "../time.ts";
import type { RuleDefinition } from "./alert-rule.ts";
import type { AlertChannel } from "./delivery.ts";
import type { AlertKind, AlertStatus } from "./alert.ts";
import type { EventRuleRecord, WatchedEvents } from "./event-rule.ts";

export interface NewRule {
  readonly id: string;
  readonly serverId: string;
  readonly accountId: string;
  readonly definition: RuleDefinition;
  readonly now: Instant;
  /** Threshold rules that the plan allows for a server. */
  readonly limit: number;
}

export interface RuleDecision {
  readonly definition: RuleDefinition;
  readonly muteToldUntil: Instant | null;
  /** Made from the rule as it was before the change. */
  readonly traces: readonly Trace[];
}

export type EventRuleDefinition = WatchedEvents &
  Pick<EventRuleRecord, "name" | "cooldownMinutes" | "notify" | "enabled" | "mutedUntil">;

export interface AlertFilter {
  readonly kind: AlertKind | null;
  /** `open` includes acknowledged alerts, and means threshold alerts only. */
  readonly status: AlertStatus | null;
  /** Open at this instant or later. */
  readonly since: Instant | null;
  /** Opened before this instant. */
  readonly until: Instant | null;
  readonly ruleName: string | null;
  readonly notified: boolean | null;
  /** Only alerts of which a message went out on it. */
  readonly channel?: AlertChannel | null;
  readonly serverId: string | null;
}
