import type { PastWindow } from "../maintenance/past-windows.ts";
import { pausedFrom, staysShown } from "../metric/newest-sample.ts";
import { statusWhileAccepted, type StateBasis } from "../server/status.ts";
import type { Instant } from "../time.ts";
import type { ResolutionReason } from "./alert.ts";
import {
  freshProgress,
  type EvaluatedRule,
  type RuleDefinition,
  type RuleProgress,
  type SampleMetric,
} from "./alert-rule.ts";
import type { ReplayedSample } from "./arrivals.ts";
import { planDelivery, type Quiet } from "./delivery.ts";
import { evaluate } from "./evaluate.ts";
import { toWatchedServer, type Fact, type WatchedServer } from "./fact.ts";
import { gapMs, sweepMs } from "./step.ts";
import type { AlertChange, OpenAlert } from "./verdict.ts";
import { watchesTicks } from "./watch-metric.ts";

export interface ReplayRequest {
  readonly rule: Pick<
    RuleDefinition,
    "metric" | "condition" | "threshold" | "durationMinutes" | "cooldownMinutes"
  >;
  readonly from: Instant;
  readonly to: Instant;
  /** In order of time, without overlaps. */
  readonly maintenance: readonly PastWindow[];
}

export interface Episode {
  readonly openedAt: Instant;
  readonly resolvedAt: Instant | null;
  readonly resolutionReason: ResolutionReason | null;
  readonly worstValue: number | null;
  readonly notified: boolean;
  /** Why nobody was notified; null if somebody was. */
  readonly quiet: Quiet | null;
}

export interface ReplayOutcome {
  /** Samples within the period that the rule was evaluated on. */
  readonly samples: number;
  /** Samples before or after the period; those before it only say whether the server was there. */
  readonly outside: number;
  /** Samples that were not newer than the one before. */
  readonly repeated: number;
  readonly firstSampleAt: Instant | null;
  readonly lastSampleAt: Instant | null;
  /** The newest ones, newest first. */
  readonly episodes: readonly Episode[];
  readonly episodesTotal: number;
  readonly alertMs: number;
  readonly openedMessages: number;
  readonly resolvedMessages: number;
  /** Openings of which nobody was notified, by reason. */
  readonly keptBack: Readonly<Record<Quiet, number>>;
}

/** Further episodes are only counted. */
export const listedEpisodes = 50;

const unknownValues: Readonly<Record<SampleMetric, null>> = {
  tps: null,
  mspt: null,
  player_count: null,
  entity_count: null,
  ram_used_mb: null,
  cpu_usage: null,
  disk_free_mb: null,
};

/** In a replay every message arrives at once, so one channel stands for all. */
const channelOn = { email: false, chat: false, in_app: true };

const nothingSeen: StateBasis = {
  lastHeartbeat: null,
  announcement: null,
  lastTickAgeMs: null,
  bootTimestamp: null,
  pausedSince: null,
  sampledAt: null,
  sampleReceivedAt: null,
  sample: null,
};

/** Its progress is mutable: a copy for each sample took most of the time. */
interface ReplayedRule extends EvaluatedRule {
  progress: RuleProgress;
  lastNotifiedAt: Instant | null;
}

interface OpenEpisode extends OpenAlert {
  readonly openedAt: Instant;
  readonly quiet: Quiet | null;
}

/**
 * Replays samples through the functions for live rules, as if the rule had stood since `from` and the server
 * had been swept at every multiple of `sweepMs`. Samples come in order of `receivedAt`.
 */
export class RuleReplay {
  readonly #request: ReplayRequest;
  readonly #rule: ReplayedRule;
  #server: StateBasis = nothingSeen;
  #open: OpenEpisode | null = null;
  #nextSweep: Instant;
  #nextWindow = 0;
  #samples = 0;
  #outside = 0;
  #repeated = 0;
  #firstSampleAt: Instant | null = null;
  #lastSampleAt: Instant | null = null;
  readonly #episodes: Episode[] = [];
  #episodesTotal = 0;
  #alertMs = 0;
  #openedMessages = 0;
  #resolvedMessages = 0;
  readonly #keptBack: Record<Quiet, number> = { maintenance: 0, muted: 0, flapping: 0, cooldown: 0 };

  constructor(request: ReplayRequest) {
    const { rule, from } = request;
    this.#request = request;
    const progress = freshProgress(true, from);
    this.#rule = { ...rule, enabled: true, mutedUntil: null, progress, lastNotifiedAt: null };
    this.#nextSweep = Math.ceil(from / sweepMs) * sweepMs;
  }

  /** To be called once, after all samples. */
  outcome(): ReplayOutcome {
    const { to } = this.#request;
    this.#sweepUntil(to);
    const open = this.#open && episodeOf(this.#open, null, null);
    const openMs = this.#open === null ? 0 : to - this.#open.openedAt;
    const episodes = open === null ? this.#episodes : [...this.#episodes, open];
    return {
      samples: this.#samples,
      outside: this.#outside,
      repeated: this.#repeated,
      firstSampleAt: this.#firstSampleAt,
      lastSampleAt: this.#lastSampleAt,
      episodes: episodes.slice(-listedEpisodes).toReversed(),
      episodesTotal: this.#episodesTotal,
      alertMs: this.#alertMs + openMs,
      openedMessages: this.#openedMessages,
      resolvedMessages: this.#resolvedMessages,
      keptBack: { ...this.#keptBack },
    };
  }

  /** False if the sample was not newer than the one before, so that no rule is evaluated on it. */
  receive(sample: ReplayedSample): boolean {
    const { from, to, rule } = this.#request;
    const { sampledAt, receivedAt, value, pausedEmpty, targetTps } = sample;
    if (receivedAt > to) {
      this.#outside += 1;
      return true;
    }
    this.#sweepUntil(receivedAt);
    const before = this.#server;
    const previousAt = before.sampledAt;
    if (previousAt !== null && before.sampleReceivedAt !== null) {
      if (staysShown({ sampledAt: previousAt, receivedAt: before.sampleReceivedAt }, sample)) {
        this.#repeated += 1;
        return false;
      }
    }
    this.#server = {
      lastHeartbeat: receivedAt,
      announcement: null,
      lastTickAgeMs: null,
      bootTimestamp: null,
      pausedSince: pausedEmpty ? pausedFrom(null, before.pausedSince, sampledAt) : null,
      sampledAt,
      sampleReceivedAt: receivedAt,
      sample: { paused_empty: pausedEmpty },
    };
    if (receivedAt < from) {
      this.#outside += 1;
      return true;
    }
    this.#samples += 1;
    this.#firstSampleAt ??= sampledAt;
    this.#lastSampleAt = sampledAt;
    const values = rule.metric === "offline" ? unknownValues : { ...unknownValues, [rule.metric]: value };
    const server = this.#watched(receivedAt);
    this.#see({ kind: "sample", now: receivedAt, at: sampledAt, previousAt, values, targetTps, server });
    return true;
  }

  /** Runs the sweeps up to `end`. */
  #sweepUntil(end: Instant): void {
    while (this.#nextSweep <= end) {
      const now = this.#nextSweep;
      const quietUntil = this.#unchangedUntil(now);
      if (quietUntil > now) {
        const skipped = Math.ceil((Math.min(quietUntil, end) - now) / sweepMs);
        this.#nextSweep = now + Math.max(1, skipped) * sweepMs;
        continue;
      }
      this.#see({ kind: "sweep", now, server: this.#watched(now) });
      this.#nextSweep += sweepMs;
    }
  }

  /** Before this instant a sweep changes nothing unless a sample comes in; `now` if the next sweep may. */
  #unchangedUntil(now: Instant): Instant {
    const { metric } = this.#request.rule;
    const { sampleReceivedAt, pausedSince } = this.#server;
    if (sampleReceivedAt === null) return Number.POSITIVE_INFINITY;
    const { progress } = this.#rule;
    const open = this.#open;
    // The last instant of the 90 s still counts as online.
    const freshUntil = sampleReceivedAt + gapMs + 1;
    if (open !== null && open.quiet === "maintenance") return now;
    if (metric === "offline") {
      if (open === null) return freshUntil;
      const isOver = now >= freshUntil && progress.state === "firing" && progress.recoveringSince === null;
      return isOver ? Number.POSITIVE_INFINITY : now;
    }
    if (open === null && progress.state === "no_data") return Number.POSITIVE_INFINITY;
    return pausedSince !== null && watchesTicks(metric) ? now : freshUntil;
  }

  #watched(now: Instant): WatchedServer {
    return toWatchedServer(this.#server, statusWhileAccepted(this.#server, now), this.#isInMaintenance(now));
  }

  /** Must be called in order of time. */
  #isInMaintenance(now: Instant): boolean {
    const { maintenance } = this.#request;
    while ((maintenance[this.#nextWindow]?.endsAt ?? Number.POSITIVE_INFINITY) <= now) this.#nextWindow += 1;
    return (maintenance[this.#nextWindow]?.startedAt ?? Number.POSITIVE_INFINITY) <= now;
  }

  #see(fact: Fact): void {
    const { progress, changes } = evaluate(this.#rule, this.#open, fact);
    this.#rule.progress = progress;
    for (const change of changes) this.#apply(change, fact);
  }

  #apply(change: AlertChange, { now, server }: Fact): void {
    if (change.kind === "open") {
      this.#episodesTotal += 1;
      const { value, quiet } = change;
      const delivery = planDelivery(channelOn, quiet);
      this.#open = { worstValue: value, acknowledged: false, delivery, openedAt: now, quiet };
      if (quiet === null) this.#notify(now);
      else this.#keptBack[quiet] += 1;
      return;
    }
    const open = this.#open;
    if (open === null) return;
    switch (change.kind) {
      case "worsen":
        this.#open = { ...open, worstValue: change.worstValue };
        return;
      case "tell":
        if (open.quiet !== null) this.#keptBack[open.quiet] -= 1;
        this.#open = { ...open, delivery: planDelivery(channelOn, null), quiet: null };
        this.#notify(now);
        return;
      case "resolve":
        if (open.quiet === null && !server.inMaintenance) this.#resolvedMessages += 1;
        this.#close(open, change.reason, now);
    }
  }

  /** The cooldown starts with the message. */
  #notify(now: Instant): void {
    this.#openedMessages += 1;
    this.#rule.lastNotifiedAt = now;
  }

  #close(open: OpenEpisode, reason: ResolutionReason, now: Instant): void {
    const resolvedAt = Math.max(now, open.openedAt);
    this.#alertMs += resolvedAt - open.openedAt;
    this.#episodes.push(episodeOf(open, resolvedAt, reason));
    if (this.#episodes.length > listedEpisodes) this.#episodes.shift();
    this.#open = null;
  }
}

const episodeOf = (
  { openedAt, worstValue, quiet }: OpenEpisode,
  resolvedAt: Instant | null,
  resolutionReason: ResolutionReason | null,
): Episode => ({ openedAt, resolvedAt, resolutionReason, worstValue, notified: quiet === null, quiet });
