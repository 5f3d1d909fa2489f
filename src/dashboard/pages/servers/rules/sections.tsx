import { AlertMetric, type AlertRule } from "../../../../core/alert/alert-rule.ts";
import {
  eventPresets,
  presetSeverity,
  type EventPreset,
  type EventRule,
} from "../../../../core/alert/event-rule.ts";
import { firstRule } from "../../../../core/alert/first-rule.ts";
import type { EventSeverity } from "../../../../core/event/server-event.ts";
import type { Instant } from "../../../../core/time.ts";
import type { ComponentChildren } from "preact";
import { Button, Form } from "../../../parts/form.tsx";
import { Card, Empty } from "../../../parts/state.tsx";
import { EventRuleForm, presetOf } from "./event-rule-form.tsx";
import { ReadyRules, readyRules } from "./ready-rules.tsx";
import { MuteAndDelete } from "./rule-buttons.tsx";
import { metricName, RuleForm } from "./rule-form.tsx";
import { EventRuleTable, RuleTable } from "./rule-table.tsx";

interface SectionProps<R> {
  readonly rules: readonly R[];
  /** The plan's rules for a server. */
  readonly limit: number;
  readonly canChange: boolean;
  /** The edited rule, from the address. */
  readonly edit: string | null;
  readonly now: Instant;
}

const counted = (count: number, limit: number) => (
  <span class="quiet">
    {count} of {limit}
  </span>
);

/** Rules on metrics, and on missing heartbeats. */
export function ThresholdRules({
  rules,
  limit,
  canChange,
  edit,
  metric,
  isWatched,
  withPreview,
  now,
}: SectionProps<AlertRule> & {
  metric: AlertMetric | null;
  /** Whether a rule on events watches the server. */
  isWatched: boolean;
  /** Adds the preview to the form, or a link to its page while there is no form. */
  withPreview: (form: ComponentChildren) => ComponentChildren;
}) {
  const edited = rules.find(({ id }) => id === edit);
  return (
    <>
      <Card title="Alert rules" id="rules" aside={counted(rules.length, limit)}>
        {rules.length > 0 ? (
          <>
            <RuleTable rules={rules} canChange={canChange} now={now} />
            {canChange && <ReadyRules rules={rules} />}
          </>
        ) : (
          canChange && <FirstRule isWatched={isWatched} />
        )}
        {rules.length === 0 && !canChange && <p class="quiet">There are no rules.</p>}
      </Card>
      {edited && (
        <div class="aside-columns" id="edit">
          {canChange && (
            <Card title="Change the rule">
              {withPreview(<RuleForm metric={edited.metric} rule={edited} />)}
            </Card>
          )}
          <div class="stack">
            <MuteAndDelete rule={edited} kind="rule" canChange={canChange} now={now} />
          </div>
        </div>
      )}
      {canChange && !edited && (
        <Card title="New alert rule" id="new">
          <nav aria-label="What the rule watches">
            <p class="row">
              A rule on{" "}
              {AlertMetric.options.map((each) => (
                <a
                  key={each}
                  href={`?metric=${each}#new`}
                  aria-current={each === metric ? "true" : undefined}
                >
                  {metricName(each)}
                </a>
              ))}
            </p>
          </nav>
          {withPreview(metric && <RuleForm metric={metric} rule={null} />)}
        </Card>
      )}
    </>
  );
}

/** The rule that every server needs first, then those on measurements that suit most servers. */
function FirstRule({ isWatched }: { isWatched: boolean }) {
  if (!isWatched)
    return (
      <Empty
        title="No rule watches this server"
        next={
          <Form does="create-event-rule" hidden={readyMade[0].hidden}>
            <Button>Create the first: {readyMade[0].name}</Button>
          </Form>
        }
      >
        <p>
          Without a rule no alert is raised. This rule notifies in-app and by e-mail when the server is down,
          does not tick, or is in a critical state:
        </p>
      </Empty>
    );
  const [first, ...others] = readyRules;
  return (
    <Empty
      title="No rule watches a measurement"
      next={
        <>
          <Form does="create-rule" hidden={first.hidden}>
            <Button>Create one: {first.words}</Button>
          </Form>
          <ReadyRules rules={[]} offered={others} />
        </>
      }
    >
      <p>This rule suits most servers; it notifies in-app and by e-mail:</p>
    </Empty>
  );
}

export function EventRules({
  rules,
  limit,
  canChange,
  edit,
  isNew,
  now,
}: SectionProps<EventRule> & { isNew: boolean }) {
  const edited = rules.find(({ id }) => id === edit);
  return (
    <>
      <Card title="Rules on events" id="event-rules" aside={counted(rules.length, limit)}>
        {rules.length > 0 ? (
          <EventRuleTable rules={rules} canChange={canChange} now={now} />
        ) : (
          <p class="quiet">
            {canChange
              ? "There are none. A rule on events raises an alert when a ban, a crash or a restart is in the timeline."
              : "There are no rules."}
          </p>
        )}
        {canChange && <PresetButtons rules={rules} />}
        {canChange && !isNew && (
          <p>
            <a href="?new_event#new-event">Create a rule on other events</a>
          </p>
        )}
      </Card>
      {edited && (
        <div class="aside-columns" id="edit-event">
          {canChange && (
            <Card title="Change the rule on events">
              <EventRuleForm rule={edited} />
            </Card>
          )}
          <div class="stack">
            <MuteAndDelete rule={edited} kind="event-rule" canChange={canChange} now={now} />
          </div>
        </div>
      )}
      {canChange && isNew && !edited && (
        <Card title="New rule on events" id="new-event">
          <EventRuleForm rule={null} />
        </Card>
      )}
    </>
  );
}

interface ReadyMade {
  readonly name: string;
  readonly preset: EventPreset;
  readonly minSeverity: EventSeverity | null;
  /** The fields of the form that makes the rule. */
  readonly hidden: Readonly<Record<string, string>>;
}

const readyMadeOf = ({ name, preset, minSeverity }: Omit<ReadyMade, "hidden">): ReadyMade => ({
  name,
  preset,
  minSeverity,
  hidden: { preset, name, min_severity: minSeverity ?? "", notify_in_app: "on", notify_email: "on" },
});

const ofPreset = (preset: EventPreset, name: string): ReadyMade =>
  readyMadeOf({ name, preset, minSeverity: presetSeverity[preset] });

/** What every server needs comes first. */
const readyMade = [
  readyMadeOf(firstRule),
  ofPreset("bans", "Bans"),
  ofPreset("crashes", "Crashes"),
  ofPreset("restarts", "Restarts"),
  ofPreset("health", "Health"),
] as const;

/** Whether a rule has the conditions of a ready-made rule. Its channels may differ. */
const isReadyMade = (rule: EventRule, { preset, minSeverity }: ReadyMade): boolean =>
  presetOf(rule) === preset &&
  rule.categories.length === 0 &&
  rule.min_severity === minSeverity &&
  rule.sources.length === 0;

/** Ready-made rules that do not exist yet. They notify in-app and by e-mail. */
function PresetButtons({ rules }: { rules: readonly EventRule[] }) {
  const missing = readyMade.filter((each) => !rules.some((rule) => isReadyMade(rule, each)));
  if (missing.length === 0) return null;
  return (
    <div class="row">
      <span>Ready-made rules, which notify in-app and by e-mail:</span>
      {missing.map(({ name, preset, minSeverity, hidden }) => (
        <Form key={name} does="create-event-rule" hidden={hidden} class="form inline">
          <Button plain>
            {name} ({[...eventPresets[preset], minSeverity ?? []].flat().join(", ")})
          </Button>
        </Form>
      ))}
    </div>
  );
}
