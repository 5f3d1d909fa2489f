import type { AlertCondition, RuleDefinition, SampleMetric } from "../core/alert/alert-rule.ts";
import { eventPresets, type EventPreset, type EventRuleRecord } from "../core/alert/event-rule.ts";
import type { ChannelSwitches } from "../core/alert/delivery.ts";

/** Muted for `mutedMinutes` from its creation on; 0: not muted. */
export interface RuleSpec extends Omit<RuleDefinition, "mutedUntil"> {
  readonly mutedMinutes: number;
}

export type EventRuleSpec = Pick<
  EventRuleRecord,
  "name" | "preset" | "eventTypes" | "categories" | "minSeverity" | "sources" | "notify"
>;

export interface DemoRules {
  readonly rules: readonly RuleSpec[];
  readonly eventRules: readonly EventRuleSpec[];
}

const inApp: ChannelSwitches = { email: false, chat: false, in_app: true };
const byMail: ChannelSwitches = { email: true, chat: false, in_app: true };
/** Without a mail server its messages reach nobody. */
const byMailAlone: ChannelSwitches = { email: true, chat: false, in_app: false };

const rule = (
  name: string,
  [metric, condition, threshold]: readonly [SampleMetric, AlertCondition, number],
  differences: Partial<RuleSpec> = {},
): RuleSpec => ({
  name,
  metric,
  condition,
  threshold,
  durationMinutes: 5,
  cooldownMinutes: 30,
  notify: inApp,
  enabled: true,
  mutedMinutes: 0,
  ...differences,
});

const offline = (durationMinutes: number, notify = byMail): RuleSpec => ({
  ...rule("Server is down", ["tps", "below", 0]),
  metric: "offline",
  condition: null,
  threshold: null,
  durationMinutes,
  notify,
});

const lowTps = (threshold: number, differences: Partial<RuleSpec> = {}): RuleSpec =>
  rule("Low TPS", ["tps", "below", threshold], differences);

const preset = (name: string, preset: EventPreset, notify = inApp): EventRuleSpec => ({
  name,
  preset,
  eventTypes: eventPresets[preset],
  categories: [],
  minSeverity: null,
  sources: [],
  notify,
});
const bans = preset("Bans", "bans");
const crashes = preset("Crashes", "crashes", byMail);
const restarts = preset("Restarts", "restarts");

const nothing: DemoRules = { rules: [], eventRules: [] };

/** Two alerts open at once: ticks of Foundry SMP always take over 40 ms, and Evergreen Creative stopped. */
const watches: Readonly<Record<string, DemoRules>> = {
  "Evergreen Survival": {
    rules: [
      offline(2),
      lowTps(18, { notify: byMail }),
      rule("Slow ticks", ["mspt", "above", 45]),
      rule("Full house", ["player_count", "above", 60], { durationMinutes: 10 }),
    ],
    eventRules: [bans, crashes],
  },
  "Evergreen Creative": { rules: [offline(0, byMailAlone), lowTps(18)], eventRules: [restarts] },
  "Foundry SMP": {
    rules: [
      offline(2),
      lowTps(18, { notify: byMail }),
      rule("Slow ticks", ["mspt", "above", 40], { durationMinutes: 0, notify: byMail }),
      rule("Heap nearly full", ["ram_used_mb", "above", 9800], { durationMinutes: 10 }),
      rule("CPU saturated", ["cpu_usage", "above", 85], { durationMinutes: 10 }),
    ],
    eventRules: [{ ...bans, notify: byMail }, crashes, restarts],
  },
  "Worldgen Lab": {
    rules: [offline(5, inApp), rule("Slow generation", ["mspt", "above", 25], { mutedMinutes: 12 * 60 })],
    eventRules: [],
  },
  "Old Mill": {
    rules: [
      offline(5),
      lowTps(18, { enabled: false }),
      rule("Too many entities", ["entity_count", "above", 4000]),
    ],
    eventRules: [restarts],
  },
  Archipelago: {
    rules: [
      offline(2),
      lowTps(15, { durationMinutes: 10, notify: byMail }),
      rule("Slow region", ["mspt", "above", 48]),
      rule("Heap nearly full", ["ram_used_mb", "above", 22_000], { durationMinutes: 10 }),
      rule("CPU saturated", ["cpu_usage", "above", 85], { durationMinutes: 10 }),
      rule("Full house", ["player_count", "above", 140], { durationMinutes: 0 }),
    ],
    eventRules: [bans, crashes, restarts],
  },
  Harbour: {
    rules: [offline(2), lowTps(18, { notify: byMail })],
    eventRules: [
      crashes,
      {
        ...bans,
        name: "Cheating",
        preset: null,
        eventTypes: [],
        categories: ["security"],
        minSeverity: "error",
      },
    ],
  },
  "Night Owls": {
    rules: [lowTps(18), rule("Empty for half a day", ["player_count", "below", 1], { durationMinutes: 720 })],
    eventRules: [],
  },
  Quarry: { rules: [offline(2)], eventRules: [] },
  Smithy: { rules: [offline(2), lowTps(18)], eventRules: [] },
  Cannery: { rules: [offline(2), lowTps(18)], eventRules: [] },
  "Spare Blade": { rules: [offline(5)], eventRules: [] },
  Operations: { rules: [offline(2), lowTps(18)], eventRules: [bans] },
};

export const watchOf = (server: string): DemoRules => watches[server] ?? nothing;
