import type { Trace } from "../event/trace.ts";
import type { TimePosition } from "../position.ts";
import type { Replay, Replayed } from "../replay.ts";
import type { Instant } from "../time.ts";
import type { PlanLimits, Plans } from "../access/plan.ts";
import type { RuleDefinition, RuleRecord } from "./alert-rule.ts";
import type { Actor, AlertKind, AlertRecord, AlertStatus } from "./alert.ts";
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

export interface AlertRuleStore {
  /** All rules of a server, newest first. */
  list(serverId: string): Promise<RuleRecord[]>;
  find(id: string, accountId: string): Promise<RuleRecord | null>;
  /** Makes the rule, or finds the one that the same request already made; null at the limit. */
  create(rule: NewRule, replay: Replay): Promise<Replayed<RuleRecord> | null>;
  /**
   * Lets `decide` work out the new definition from the rule as it stands, which nobody else can change meanwhile;
   * what it throws undoes everything. Null when the account has no such rule.
   */
  change(
    id: string,
    accountId: string,
    now: Instant,
    decide: (rule: RuleRecord) => RuleDecision,
  ): Promise<RuleRecord | null>;
  /** Deletes the rule and closes its open alert with `rule_deleted`; false when the account has no such rule. */
  delete(id: string, accountId: string, now: Instant): Promise<boolean>;
}

/** What an owner decides of an event rule; the rest is what became of it. */
export type EventRuleDefinition = WatchedEvents &
  Pick<EventRuleRecord, "name" | "cooldownMinutes" | "notify" | "enabled" | "mutedUntil">;

export interface EventRuleStore {
  /** All event rules of a server, newest first. */
  list(serverId: string): Promise<EventRuleRecord[]>;
  /** Makes the rule, or finds the one that the same request already made; null when the server has `limit`. */
  create(rule: EventRuleRecord, limit: number, replay?: Replay): Promise<EventRuleRecord | null>;
  find(id: string, accountId: string): Promise<EventRuleRecord | null>;
  /** As for threshold rules; a definition that changes nothing writes nothing. */
  change(
    id: string,
    accountId: string,
    now: Instant,
    decide: (rule: EventRuleRecord) => EventRuleDefinition,
  ): Promise<EventRuleRecord | null>;
  /** Its alerts stay; false when the account has no such rule. */
  delete(id: string, accountId: string): Promise<boolean>;
}

export interface AlertFilter {
  readonly kind: AlertKind | null;
  /** `open` stands for every threshold alert still in progress, acknowledged ones included. */
  readonly status: AlertStatus | null;
  /** Opened at or after. */
  readonly since: Instant | null;
  /** Opened before. */
  readonly until: Instant | null;
  readonly ruleName: string | null;
  readonly notified: boolean | null;
  readonly serverId: string | null;
}

export interface AlertStore {
  /** Alerts of the account, newest first. */
  list(
    accountId: string,
    filter: AlertFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<AlertRecord[]>;
  find(id: string, accountId: string): Promise<AlertRecord | null>;
  /** `resolved`: it is over and nothing changed; `already`: somebody acknowledged it before. */
  acknowledge(
    id: string,
    accountId: string,
    by: Actor,
    now: Instant,
    traceOf: (alert: AlertRecord) => Trace | null,
  ): Promise<{ readonly kind: "acknowledged" | "already" | "resolved"; readonly alert: AlertRecord } | null>;
  /** Evaluates every rule of one server against the time alone. Safe to repeat, in any number of processes. */
  sweepServer(serverId: string, limits: (plan: keyof Plans) => PlanLimits, now: Instant): Promise<void>;
  /** Servers that have rules, in the order of their ids. */
  watchedServers(after: string | null, limit: number): Promise<string[]>;
}
