import type { Trace } from "../event/trace.ts";
import type { Instant } from "../time.ts";
import type { RuleDefinition } from "./alert-rule.ts";
import type { AlertKind, AlertStatus } from "./alert.ts";
import type { EventRuleRecord, WatchedEvents } from "./event-rule.ts";

export interface NewRule {
  readonly id: string;
  readonly serverId: string;
  readonly accountId: string;
  readonly definition: RuleDefinition;
  readonly now: Instant;
  /** How many threshold rules the plan allows a server. */
  readonly limit: number;
}

export interface RuleDecision {
  readonly definition: RuleDefinition;
  readonly muteToldUntil: Instant | null;
  /** What the change leaves behind, worked out from the rule as it stood. */
  readonly traces: readonly Trace[];
}

/** What an owner decides of an event rule; the rest is what became of it. */
export type EventRuleDefinition = WatchedEvents &
  Pick<EventRuleRecord, "name" | "cooldownMinutes" | "notify" | "enabled" | "mutedUntil">;

export interface AlertFilter {
  readonly kind: AlertKind | null;
  /** `open` stands for every threshold alert still in progress, acknowledged ones included. */
  readonly status: AlertStatus | null;
  /** Open at this instant or later. */
  readonly since: Instant | null;
  /** Opened before. */
  readonly until: Instant | null;
  readonly ruleName: string | null;
  readonly notified: boolean | null;
  readonly serverId: string | null;
}
