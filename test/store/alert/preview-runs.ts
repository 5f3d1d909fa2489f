import * as fc from "fast-check";
import type { AlertMetric, RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import { RulePreview } from "../../../src/core/alert/preview.ts";
import type { Episode } from "../../../src/core/alert/rule-replay.ts";
import { sweepMs } from "../../../src/core/alert/step.ts";
import { maintenanceStart } from "../../../src/core/event/own-event.ts";
import { pastWindows } from "../../../src/core/maintenance/past-windows.ts";
import { clockToleranceMs } from "../../../src/core/metric/clock.ts";
import { evaluateServer } from "../../../src/services/alert/evaluate-server.ts";
import { beginMaintenance } from "../../../src/services/maintenance/begin-maintenance.ts";
import { recordHeartbeat, storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import type { Database, Work } from "../../../src/store/engine/database.ts";
import { selectEvents } from "../../../src/store/event/timeline.ts";
import { maintenanceOf } from "../../../src/store/maintenance/maintenance.ts";
import { readRuleSamples } from "../../../src/store/metric/rule-samples.ts";
import type { Json } from "../../support/payload.ts";
import { minute, newId, noon, sampleAt } from "../engine/rows.ts";
import { limits, limitsOf, second, type Watched } from "./alerting.ts";

/** What a server does for a while, in steps of half a minute. */
interface Spell {
  readonly steps: number;
  readonly doing: "sends" | "silent" | "uploads" | "empty";
  readonly values: "bad" | "good" | "between" | "unknown" | "flapping" | "mixed";
  readonly maintenanceMinutes: number;
}

const spell: fc.Arbitrary<Spell> = fc.record({
  // An alert is given up after 15 minutes without a sample: 30 steps.
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) },
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 31, max: 45 }),
  ),
  doing: fc.oneof(
    { weight: 5, arbitrary: fc.constant("sends" as const) },
    fc.constantFrom("silent" as const, "uploads" as const, "empty" as const),
  ),
  values: fc.constantFrom("bad", "good", "flapping", "mixed", "between", "unknown", "bad", "flapping"),
  maintenanceMinutes: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(5, 9, 20)),
});

export interface History {
  readonly rules: readonly {
    readonly metric: AlertMetric;
    readonly durationMinutes: number;
    readonly cooldownMinutes: number;
  }[];
  readonly spells: readonly Spell[];
  /** How far the plugin's clock is ahead of ours. */
  readonly skew: number;
  readonly dice: readonly number[];
}

const rule = (metric: AlertMetric) =>
  fc.record({
    metric: fc.constant(metric),
    durationMinutes: fc.constantFrom(0, 0, 1, 2, 5),
    cooldownMinutes: fc.constantFrom(0, 0, 3, 30),
  });

export const history: fc.Arbitrary<History> = fc.record({
  rules: fc.tuple(rule("tps"), rule("cpu_usage"), rule("offline")),
  spells: fc.array(spell, { minLength: 3, maxLength: 6 }),
  skew: fc.constantFrom(0, 0, -4 * minute, 4 * minute, -45 * second),
  dice: fc.array(fc.nat(1000), { minLength: 13, maxLength: 13 }),
});

/** Below 18 TPS and above 90 % of CPU are bad; 18.1 and 89 are neither bad nor good. */
function valuesOf({ values }: Spell, step: number, die: number): Json {
  const bad = { tps: 17 - (die % 7), cpu_usage: 91 + (die % 8) };
  const good = { tps: 20, cpu_usage: 30 };
  const between = { tps: 18.1, cpu_usage: 89 };
  const unknown = { tps: null, cpu_usage: null };
  if (values === "flapping") return step % 4 === 0 ? bad : good;
  if (values === "mixed") return [bad, good, between, unknown, bad][die % 5] ?? bad;
  return { bad, good, between, unknown }[values];
}

interface Act {
  readonly at: number;
  readonly work: () => Work<unknown>;
}

/** Everything that reaches the service in the course of a history, in order of time, and when it ends. */
function actsOf({ spells, skew, dice }: History, serverId: string): { acts: Act[]; end: number } {
  const acts: Act[] = [];
  let now = noon;
  const beat = (at: number, values: Json): void => {
    const sample = sampleAt(at + skew, values);
    const rest = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits };
    acts.push({ at, work: () => recordHeartbeat({ serverId, receivedAt: at, sample, ...rest }) });
  };
  for (const one of spells) {
    const begin = now;
    if (one.maintenanceMinutes > 0) acts.push(maintenanceAt(serverId, now + 1, one.maintenanceMinutes));
    const missed: [number, Json][] = [];
    for (let step = 0; step < one.steps; step += 1, now += 30 * second) {
      const die = dice[(step * 7 + one.steps) % dice.length] ?? 0;
      const at = now + (die % 9) * second + (die % 100) + 1;
      const values = valuesOf(one, step, die);
      if (one.doing === "sends") beat(at, values);
      else if (one.doing === "empty") beat(at, { ...values, paused_empty: true });
      else if (one.doing === "uploads") missed.push([at + skew, values]);
    }
    if (missed.length > 1) {
      const samples = missed.map(([at, values]) => sampleAt(at, values));
      acts.push({ at: now, work: () => storeLateSamples(serverId, samples, now) });
      now += begin === now ? 0 : 30 * second;
    }
  }
  return { acts, end: now };
}

function maintenanceAt(serverId: string, now: number, durationMinutes: number): Act {
  const request = { serverId, durationMinutes, reason: null, by: "api", now } as const;
  const work = () =>
    beginMaintenance(request, ({ record, previousEnd }) =>
      previousEnd === null
        ? { event: maintenanceStart({ id: newId(), serverId, now }, null, record), notice: null }
        : null,
    );
  return { at: now, work };
}

/** Lives through a history as the service does: what comes in, and the sweep every half minute. */
export async function live(db: Database, { id }: Watched, history: History): Promise<number> {
  const { acts, end } = actsOf(history, id);
  await db.write(function* () {
    let next = 0;
    for (let sweep = noon; sweep <= end; sweep += sweepMs) {
      for (let act = acts[next]; act && act.at < sweep; act = acts[next]) {
        yield* act.work();
        next += 1;
      }
      yield* evaluateServer(id, limitsOf, sweep, null);
    }
  });
  return end;
}

const starts = {
  from: noon - minute,
  to: null,
  category: null,
  severity: null,
  source: null,
  type: "maintenance_start",
};

/** What a preview says that live evaluation saw. */
export async function previewed(db: Database, { id }: Watched, rule: RuleRecord, to: number) {
  const maintenance = pastWindows(
    await db.read(selectEvents, id, starts, null, 100),
    await db.read(maintenanceOf, id),
    to,
  );
  const preview = new RulePreview({ rule, from: noon, to, maintenance });
  const metric = rule.metric === "offline" ? null : rule.metric;
  const [from, before] = [noon - clockToleranceMs, to + clockToleranceMs];
  for await (const samples of readRuleSamples(db, id, metric, from, before)) preview.add(samples);
  return preview.outcome().live;
}

/** What the store holds of a rule: its alerts as a preview shows them, and the messages about them. */
export async function raised(server: Watched, rule: RuleRecord) {
  const alerts = (await server.alerts()).filter(({ ruleId }) => ruleId === rule.id);
  const ids = new Set(alerts.map(({ id }) => id));
  const messages = (await server.inbox()).filter(({ alertId }) => alertId !== null && ids.has(alertId));
  const episodes = alerts.map(
    ({ openedAt, resolvedAt, resolutionReason, worstValue, delivery }): Episode => ({
      openedAt,
      resolvedAt,
      resolutionReason,
      worstValue,
      notified: delivery.in_app.status === "sent",
      quiet: delivery.in_app.reason as Episode["quiet"],
    }),
  );
  return {
    episodes,
    openedMessages: messages.filter(({ kind }) => kind === "alert").length,
    resolvedMessages: messages.filter(({ kind }) => kind === "resolved").length,
  };
}
