import * as fc from "fast-check";
import type {
  AlertCondition,
  AlertMetric,
  RuleRecord,
  SampleMetric,
} from "../../../src/core/alert/alert-rule.ts";
import type { Fact, WatchedServer } from "../../../src/core/alert/fact.ts";
import { freshProgress } from "../../../src/core/alert/alert-rule.ts";
import type { Entry } from "./driver.ts";
import { minute, ruleOf, sampleAt, second, start } from "./facts.ts";

/** What a server does for a while, in steps of half a minute. */
export interface Spell {
  readonly steps: number;
  readonly doing: "sends" | "beats" | "silent" | "stopped" | "paused" | "empty" | "unmonitored";
  readonly values: "bad" | "good" | "between" | "unknown" | "flapping" | "mixed";
  readonly maintenance: boolean;
  readonly mutedMinutes: number;
  readonly enabled: boolean;
  readonly acknowledges: boolean;
}

const spell: fc.Arbitrary<Spell> = fc.record({
  steps: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.integer({ min: 1, max: 45 })),
  doing: fc.oneof(
    { weight: 14, arbitrary: fc.constant("sends" as const) },
    fc.constantFrom("beats" as const, "silent" as const, "stopped" as const, "paused" as const),
    fc.constantFrom("empty" as const, "unmonitored" as const, "silent" as const),
  ),
  values: fc.constantFrom(
    "bad",
    "good",
    "flapping",
    "mixed",
    "between",
    "unknown",
    "bad",
    "good",
    "flapping",
  ),
  maintenance: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  mutedMinutes: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(1, 5, 20)),
  enabled: fc.oneof({ weight: 15, arbitrary: fc.constant(true) }, fc.constant(false)),
  acknowledges: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
});

const thresholds: Record<SampleMetric, readonly number[]> = {
  tps: [18, 20, 19.9, 0],
  mspt: [50, 0.5, 0],
  player_count: [10, 0],
  entity_count: [4000],
  ram_used_mb: [3000, 1],
  cpu_usage: [90, 99, 1, 100],
  disk_free_mb: [5120, 1],
};

const definition: fc.Arbitrary<RuleRecord> = fc
  .record({
    metric: fc.constantFrom<AlertMetric>(
      "tps",
      "mspt",
      "cpu_usage",
      "ram_used_mb",
      "disk_free_mb",
      "player_count",
      "offline",
      "offline",
    ),
    condition: fc.constantFrom<AlertCondition>("below", "above"),
    pick: fc.nat(3),
    durationMinutes: fc.constantFrom(0, 0, 1, 2, 5),
    cooldownMinutes: fc.constantFrom(0, 0, 3, 30),
    notify: fc.oneof(
      { weight: 6, arbitrary: fc.constant({ email: false, chat: true, in_app: true }) },
      fc.constant({ email: false, chat: false, in_app: false }),
    ),
  })
  .map(({ metric, condition, pick, ...rest }) => {
    if (metric === "offline") return ruleOf({ ...rest, metric, condition: null, threshold: null });
    const some = thresholds[metric];
    return ruleOf({ ...rest, metric, condition, threshold: some[pick % some.length] ?? 0 });
  });

/** Values at, beside and far from what decides: the threshold and the recovery level. */
function candidates({ metric, threshold }: RuleRecord): readonly number[] {
  const at = threshold ?? 0;
  const margin = metric === "tps" ? 0.2 : metric === "mspt" ? 1 : metric === "cpu_usage" ? 2 : at * 0.01;
  const near = [at, at - margin, at + margin, at - margin / 2, at + margin / 2, at - 5, at + 5, at * 2, 0];
  return near.map((value) => Math.max(0, Math.round(value * 100) / 100));
}

function valueFor(rule: RuleRecord, values: Spell["values"], step: number, dice: number): number | null {
  const at = rule.threshold ?? 0;
  const side = rule.condition === "above" ? 1 : -1;
  const bad = Math.max(0, at + side * (1 + (dice % 4)));
  const good = Math.max(0, at - side * (at * 0.02 + 3));
  if (values === "bad") return bad;
  if (values === "good") return good;
  if (values === "between") return at;
  if (values === "unknown") return null;
  if (values === "flapping") return step % 4 === 0 ? bad : good;
  return dice % 9 === 8 ? null : (candidates(rule)[dice % 9] ?? at);
}

export interface World {
  readonly rule: RuleRecord;
  readonly history: readonly Entry[];
}

/** One half minute: perhaps a heartbeat, some seconds late, and then a sweep. */
class Life {
  private heartbeat: number | null;
  private announcement: { kind: "stopped" | "paused"; at: number } | null = null;
  private received: number | null = null;
  private sampledAt: number | null = null;
  private emptySince: number | null = null;
  readonly entries: Entry[] = [];
  private readonly rule: RuleRecord;
  private readonly skew: number;
  private mutedUntil: number | null = null;

  constructor(rule: RuleRecord, skew: number) {
    this.rule = rule;
    this.skew = skew;
    this.heartbeat = start - second;
  }

  live(spell: Spell, from: number, dice: readonly number[]): number {
    let now = from;
    this.mutedUntil = spell.mutedMinutes === 0 ? null : now + spell.mutedMinutes * minute;
    if (spell.doing !== "empty") this.emptySince = null;
    for (let step = 0; step < spell.steps; step += 1) {
      const die = dice[(step * 7 + spell.steps) % dice.length] ?? 0;
      this.beat(spell, step, now + (die % 3) * second, die);
      const fact: Fact = {
        kind: "sweep",
        now: now + 15 * second,
        server: this.server(spell, now + 15 * second),
      };
      this.note(spell, fact, false);
      now += 30 * second;
    }
    return now;
  }

  private note(spell: Spell, fact: Fact, acknowledges: boolean): void {
    this.entries.push({ fact, enabled: spell.enabled, mutedUntil: this.mutedUntil, acknowledges });
  }

  private beat(spell: Spell, step: number, now: number, die: number): void {
    const { doing } = spell;
    if (doing === "silent" || doing === "unmonitored") return;
    if (doing === "stopped" || doing === "paused") {
      if (step === 0) this.announcement = { kind: doing, at: now };
      if (step === 0) this.heartbeat = now;
      return;
    }
    this.heartbeat = now;
    this.announcement = null;
    if (doing === "beats") {
      this.note(spell, { kind: "sweep", now, server: this.server(spell, now) }, false);
      return;
    }
    const at = now + this.skew;
    if (doing === "empty") this.emptySince ??= now;
    const previousAt = this.sampledAt;
    this.received = now;
    this.sampledAt = at;
    const { metric } = this.rule;
    const isStill = doing === "empty" && (metric === "tps" || metric === "mspt");
    const value = isStill ? null : valueFor(this.rule, spell.values, step, die);
    const values = metric === "offline" ? {} : { [metric]: value };
    const server = this.server(spell, now);
    this.note(spell, sampleAt(now, values, { at, previousAt, server }), spell.acknowledges && step === 2);
  }

  private server(spell: Spell, now: number): WatchedServer {
    const common = {
      lastHeartbeat: this.heartbeat,
      sampleReceivedAt: this.received,
      pausedEmptySince: spell.doing === "empty" ? this.emptySince : null,
      inMaintenance: spell.maintenance,
    };
    if (spell.doing === "unmonitored") {
      return { ...common, status: "not_monitored", state: "not_monitored", stateSince: null };
    }
    const { announcement, heartbeat } = this;
    if (announcement) {
      return { ...common, status: "offline", state: announcement.kind, stateSince: announcement.at };
    }
    if (heartbeat === null) return { ...common, status: "offline", state: "never_seen", stateSince: null };
    if (now - heartbeat > 90 * second) {
      return { ...common, status: "offline", state: "unreachable", stateSince: heartbeat };
    }
    return { ...common, status: "online", state: "running", stateSince: start - minute };
  }
}

/** A rule, and a server's life that it watches. */
export const world: fc.Arbitrary<World> = fc
  .record({
    rule: definition,
    spells: fc.array(spell, { minLength: 1, maxLength: 9 }),
    skew: fc.constantFrom(0, 0, -4 * minute, 4 * minute, -45 * second),
    dice: fc.array(fc.nat(1000), { minLength: 11, maxLength: 11 }),
  })
  .map(({ rule, spells, skew, dice }) => {
    const life = new Life(rule, skew);
    let now = start;
    for (const one of spells) now = life.live(one, now, dice);
    const enabled = spells[0]?.enabled ?? true;
    return { rule: { ...rule, enabled, progress: freshProgress(enabled, start) }, history: life.entries };
  });
