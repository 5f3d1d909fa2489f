import type { RuleProgress, RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import { channels, planDelivery, type DeliveryRecord } from "../../../src/core/alert/delivery.ts";
import { evaluate } from "../../../src/core/alert/evaluate.ts";
import type { Fact } from "../../../src/core/alert/fact.ts";
import type { AlertChange, OpenAlert, Verdict } from "../../../src/core/alert/verdict.ts";
import { freshProgress } from "../../../src/core/alert/alert-rule.ts";

/** A fact, and how its rule and alert were set by the time it came. */
export interface Entry {
  readonly fact: Fact;
  readonly enabled: boolean;
  readonly mutedUntil: number | null;
  /** The owner acknowledged the alert that was open just before. */
  readonly acknowledges: boolean;
}

/** What came of a fact: the number of its entry, its changes, the rule's state after it. */
export interface Outcome {
  readonly state: RuleProgress["state"];
  readonly changes: readonly AlertChange[];
}

/** Keeps a rule and its alert as the store would: every message arrives at once. */
export class Driver {
  rule: RuleRecord;
  open: OpenAlert | null = null;
  verdict: Verdict | null = null;

  constructor(rule: RuleRecord) {
    this.rule = rule;
  }

  /** The owner switches the rule on or off, or mutes it: what the write does. */
  set(enabled: boolean, mutedUntil: number | null, now: number): void {
    if (enabled !== this.rule.enabled) {
      const { openings, flappingSince, resumedAt } = this.rule.progress;
      const progress = { ...freshProgress(enabled, now), openings, flappingSince, resumedAt };
      this.rule = { ...this.rule, enabled, progress };
      this.open = null;
    }
    this.rule = { ...this.rule, mutedUntil };
  }

  acknowledge(): void {
    if (this.open) this.open = { ...this.open, acknowledged: true };
  }

  see(fact: Fact): readonly AlertChange[] {
    this.verdict = evaluate(this.rule, this.open, fact);
    this.rule = { ...this.rule, progress: this.verdict.progress };
    for (const change of this.verdict.changes) this.apply(change, fact.now);
    return this.verdict.changes;
  }

  take(entry: Entry): Outcome {
    if (entry.acknowledges) this.acknowledge();
    this.set(entry.enabled, entry.mutedUntil, entry.fact.now);
    const changes = this.see(entry.fact);
    return { state: this.rule.progress.state, changes };
  }

  private apply(change: AlertChange, now: number): void {
    if (change.kind === "resolve") this.open = null;
    else if (change.kind === "open") {
      const delivery = this.send(planDelivery(this.rule.notify, change.quiet), now);
      this.open = { worstValue: change.value, acknowledged: false, delivery };
    } else if (this.open === null) throw new Error(`${change.kind} without an open alert`);
    else if (change.kind === "worsen") this.open = { ...this.open, worstValue: change.worstValue };
    else
      this.open = {
        ...this.open,
        delivery: this.send({ ...this.open.delivery, ...planDelivery(this.rule.notify, null) }, now),
      };
  }

  private send(delivery: DeliveryRecord, now: number): DeliveryRecord {
    const goesOut = channels.some((channel) => delivery[channel].status === "pending");
    if (goesOut) this.rule = { ...this.rule, lastNotifiedAt: now };
    const sent = channels.map((channel) => {
      const record = delivery[channel];
      return [channel, record.status === "pending" ? { ...record, status: "sent", at: now } : record];
    });
    return { ...delivery, ...Object.fromEntries(sent) };
  }
}
