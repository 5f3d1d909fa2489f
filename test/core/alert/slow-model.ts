import type { RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import type { MeasuredFact } from "../../../src/core/alert/fact.ts";
import type { AlertChange } from "../../../src/core/alert/verdict.ts";
import type { Entry, Outcome } from "./driver.ts";

/**
 * The decisions on alerts, said a second time: nothing is remembered from fact to fact; every question looks
 * back over the whole history. Slow, and meant to be read beside them.
 */
const minute = 60_000;

/** A threshold in words: what is beyond it, and what is good again. Written out, not computed. */
const margins = { tps: 0.2, mspt: 1, cpu_usage: 2, player_count: 0, entity_count: 0 };

interface Told {
  readonly at: number;
}
interface Episode {
  readonly from: number;
  readonly openedAt: number;
  readonly wasKeptBack: boolean;
  readonly flappingBefore: number | null;
}

export class SlowModel {
  private readonly rule: RuleRecord;
  private readonly history: readonly Entry[];

  constructor(rule: RuleRecord, history: readonly Entry[]) {
    this.rule = rule;
    this.history = history;
  }

  private entry(i: number): Entry {
    const entry = this.history[i];
    if (!entry) throw new Error(`no entry ${i}`);
    return entry;
  }
  private now(i: number): number {
    return this.entry(i).fact.now;
  }
  private watches(i: number): boolean {
    return this.entry(i).enabled && this.entry(i).fact.server.status !== "not_monitored";
  }
  private sample(i: number): MeasuredFact | null {
    const { fact } = this.entry(i);
    return fact.kind === "sample" ? fact : null;
  }
  private ticks(): boolean {
    return this.rule.metric === "tps" || this.rule.metric === "mspt";
  }
  private pausedFor2Min(i: number): boolean {
    const since = this.entry(i).fact.server.pausedEmptySince;
    return this.ticks() && since !== null && this.now(i) - since >= 2 * minute;
  }
  /** How long no sample had come in when a sweep looked. */
  private silence(i: number): number {
    for (let k = i; k >= 0; k -= 1) if (this.sample(k)) return this.now(i) - this.now(k);
    return Infinity;
  }
  private value(i: number): number | null {
    const sample = this.sample(i);
    if (!sample || this.rule.metric === "offline") return null;
    return sample.values[this.rule.metric];
  }
  private kind(i: number): "bad" | "between" | "good" | "unknown" {
    const value = this.value(i);
    const { metric, condition, threshold } = this.rule;
    if (value === null || threshold === null || metric === "offline") return "unknown";
    const share = { ram_used_mb: 0.01, disk_free_mb: 0.1 };
    const margin =
      metric === "ram_used_mb" || metric === "disk_free_mb" ? share[metric] * threshold : margins[metric];
    if (condition === "below") {
      if (value < threshold) return "bad";
      const limit = metric === "tps" ? 20 : metric === "cpu_usage" ? 100 : Infinity;
      return value >= Math.min(threshold + margin, limit) ? "good" : "between";
    }
    if (value > threshold) return "bad";
    return value <= Math.max(threshold - margin, 0) ? "good" : "between";
  }

  /** The first sample of the unbroken run of `kind` that ends with sample `i`. */
  private runStart(i: number, kind: "bad" | "good"): number {
    let first = this.sample(i)?.at ?? NaN;
    let later = first;
    for (let k = i - 1; k >= 0; k -= 1) {
      if (!this.watches(k) || this.pausedFor2Min(k)) break;
      const sample = this.sample(k);
      if (sample === null) {
        if (this.silence(k) > 90_000) break;
        continue;
      }
      if (later - sample.at > 90_000 || this.kind(k) !== kind) break;
      first = sample.at;
      later = sample.at;
    }
    return first;
  }

  /** When the breach began that opens an alert at `i`; null when none opens. */
  private opensAt(i: number): number | null {
    if (!this.watches(i)) return null;
    const duration = this.rule.durationMinutes * minute;
    if (this.rule.metric === "offline") {
      const since = this.silentSince(i);
      return since !== null && this.now(i) - since >= duration ? since : null;
    }
    const sample = this.sample(i);
    if (!sample || this.pausedFor2Min(i) || this.kind(i) !== "bad") return null;
    const first = this.runStart(i, "bad");
    return sample.at - first >= duration ? Math.min(first, this.now(i)) : null;
  }

  private silentSince(i: number): number | null {
    const { state, stateSince } = this.entry(i).fact.server;
    if ((state !== "unreachable" && state !== "stopped") || stateSince === null) return null;
    for (let k = i; k > 0; k -= 1) {
      const was = this.entry(k - 1);
      const resumed = this.watches(k) && was.enabled && was.fact.server.status === "not_monitored";
      if (resumed) return this.now(k) > stateSince ? this.now(k) + 90_000 : stateSince;
    }
    return stateSince;
  }

  private resolvesAt(opened: number, i: number): string | null {
    const { server } = this.entry(i).fact;
    if (server.status === "not_monitored") return "monitoring_off";
    if (this.rule.metric === "offline") {
      if (server.state === "paused") return "monitoring_off";
      return this.backForAMinute(opened, i) ? "recovered" : null;
    }
    if (this.pausedFor2Min(i)) return "paused_empty";
    const sample = this.sample(i);
    if (!sample) return this.silence(i) >= 15 * minute ? "no_data" : null;
    if (this.kind(i) !== "good") return null;
    return sample.at - this.runStart(i, "good") >= minute ? "recovered" : null;
  }

  private backForAMinute(opened: number, i: number): boolean {
    if (this.entry(i).fact.server.status !== "online") return false;
    let first = i;
    while (first - 1 > opened && this.entry(first - 1).fact.server.status === "online") first -= 1;
    const from = this.entry(first).fact.server.lastHeartbeat;
    const last = this.entry(i).fact.server.lastHeartbeat;
    return from !== null && last !== null && this.now(i) - from >= minute && last > from;
  }

  private isQuietByOwner(i: number): "maintenance" | "muted" | null {
    const { fact, mutedUntil } = this.entry(i);
    if (fact.server.inMaintenance) return "maintenance";
    return mutedUntil !== null && mutedUntil > fact.now ? "muted" : null;
  }

  private stateAt(i: number, isOpen: boolean): Outcome["state"] {
    if (!this.watches(i)) return "paused";
    if (this.rule.metric === "offline") return this.offlineState(i, isOpen);
    if (this.pausedFor2Min(i)) return "no_data";
    if (this.sample(i)) {
      if (isOpen) return "firing";
      const kind = this.kind(i);
      return kind === "unknown" ? "no_data" : kind === "bad" ? "pending" : "ok";
    }
    if (this.silence(i) > 90_000 || i === 0 || !this.watches(i - 1)) return "no_data";
    return this.stateAt(i - 1, isOpen);
  }

  private offlineState(i: number, isOpen: boolean): Outcome["state"] {
    const { state, status } = this.entry(i).fact.server;
    if (state === "paused" || state === "never_seen") return "no_data";
    if (isOpen) return "firing";
    return status === "online" ? "ok" : "pending";
  }

  /** What should have come of every entry. */
  outcomes(): Outcome[] {
    const openings: { at: number; flapping: number | null }[] = [];
    const told: Told[] = [];
    const hasChannel = Object.values(this.rule.notify).some(Boolean);
    const outcomes: Outcome[] = [];
    let i = 0;
    while (i < this.history.length) {
      const since = this.opensAt(i);
      if (since === null) {
        outcomes.push({ state: this.stateAt(i, false), changes: [] });
        i += 1;
        continue;
      }
      const { change, episode } = this.opening(i, since, openings, told);
      outcomes.push({ state: "firing", changes: [change] });
      openings.push({ at: episode.openedAt, flapping: this.flappingAfter(openings, episode.openedAt) });
      if (change.quiet === null && hasChannel) told.push({ at: this.now(i) });
      i = this.follow({ ...episode, wasKeptBack: episode.wasKeptBack && hasChannel }, told, outcomes);
    }
    return outcomes;
  }

  /** The opening that made the rule flap, when it flaps with an opening at `at`. */
  private flappingAfter(
    openings: readonly { at: number; flapping: number | null }[],
    at: number,
  ): number | null {
    const going = this.flappingBefore(openings, at);
    if (going !== null) return going;
    const fifthLast = openings.at(-4);
    return fifthLast && at - fifthLast.at <= 60 * minute ? at : null;
  }
  private flappingBefore(
    openings: readonly { at: number; flapping: number | null }[],
    at: number,
  ): number | null {
    const last = openings.at(-1);
    return last && at - last.at < 30 * minute ? last.flapping : null;
  }

  /** Why neither flapping nor cooldown let an alert be told at `at`. */
  private quietByRule(
    flapping: number | null,
    told: readonly Told[],
    at: number,
  ): "flapping" | "cooldown" | null {
    const isKnown = told.some((message) => flapping !== null && message.at >= flapping - 60 * minute);
    if (flapping !== null && isKnown) return "flapping";
    const cooldown = this.rule.cooldownMinutes * minute;
    return told.some((message) => at - message.at < cooldown) ? "cooldown" : null;
  }

  private opening(
    i: number,
    pendingSince: number,
    openings: readonly { at: number; flapping: number | null }[],
    told: readonly Told[],
  ): { change: Extract<AlertChange, { kind: "open" }>; episode: Episode } {
    const at = this.now(i);
    const before = this.flappingBefore(openings, at);
    const kept = this.isQuietByOwner(i);
    const change = {
      kind: "open",
      pendingSince,
      value: this.value(i),
      flapping: this.flappingAfter(openings, at) !== null,
      quiet: kept ?? this.quietByRule(before, told, at),
    } as const;
    return {
      change,
      episode: { from: i, openedAt: at, wasKeptBack: kept !== null, flappingBefore: before },
    };
  }

  /** Follows an open alert to its end; returns the entry after it. */
  private follow(episode: Episode, told: Told[], outcomes: Outcome[]): number {
    let owed = episode.wasKeptBack;
    for (let i = episode.from + 1; i < this.history.length; i += 1) {
      if (!this.entry(i).enabled) return i;
      const reason = this.resolvesAt(episode.from, i);
      if (reason !== null) {
        const change = { kind: "resolve", reason } as Extract<AlertChange, { kind: "resolve" }>;
        outcomes.push({ state: this.stateAt(i, false), changes: [change] });
        return i + 1;
      }
      const changes: AlertChange[] = [];
      const worst = this.worsensAt(episode.from, i);
      if (worst !== null) changes.push({ kind: "worsen", worstValue: worst });
      const acknowledged = this.history.slice(episode.from + 1, i + 1).some((entry) => entry.acknowledges);
      if (owed && !acknowledged && this.isQuietByOwner(i) === null) {
        owed = false;
        changes.push({ kind: "tell" });
        told.push({ at: this.now(i) });
      }
      outcomes.push({ state: this.stateAt(i, true), changes });
    }
    return this.history.length;
  }

  /** The value at `i` when it is worse than every one since the alert opened. */
  private worsensAt(from: number, i: number): number | null {
    const value = this.value(i);
    if (value === null || this.kind(i) !== "bad") return null;
    for (let k = from; k < i; k += 1) {
      const earlier = this.value(k);
      if (earlier === null) continue;
      if (this.rule.condition === "below" ? earlier <= value : earlier >= value) return null;
    }
    return value;
  }
}
