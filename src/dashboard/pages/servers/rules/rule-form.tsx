import { AlertCondition, type AlertMetric, type AlertRule } from "../../../../core/alert/alert-rule.ts";
import {
  defaultCooldownMinutes,
  defaultDurationMinutes,
  longestRuleMinutes,
  metricLimits,
} from "../../../../core/alert/limits.ts";
import { metricWords } from "../../../../core/alert/message.ts";
import { ChannelChecks } from "../../../parts/channel-checks.tsx";
import { Button, Choice, FormField, Form } from "../../../parts/form.tsx";

export const metricName = (metric: AlertMetric): string =>
  metric === "offline" ? "No heartbeat" : metricWords[metric][0];

/** A rule on no heartbeat (`offline`) has no condition. */
function Watched({ metric, rule, of }: { metric: AlertMetric; rule: AlertRule | null; of: string }) {
  if (metric === "offline")
    return (
      <p class="hint">
        This rule raises an alert when the server stops sending or reports that it stops. It has no threshold.
      </p>
    );
  const { min, max, integer, usual } = metricLimits[metric];
  const [name, unit] = metricWords[metric];
  return (
    <>
      <Choice
        name="condition"
        label={`${name} is`}
        value={rule?.condition ?? usual.condition}
        options={AlertCondition.options.map((condition) => [condition, condition] as const)}
        of={of}
      />
      <FormField
        name="threshold"
        label={unit === "" ? "Threshold" : `Threshold, ${unit}`}
        type="number"
        hint={`${integer ? "A whole number" : "A number"} from ${min} to ${max}${unit && ` ${unit}`}. The threshold itself does not raise an alert.`}
        value={rule ? rule.threshold : usual.threshold}
        min={min}
        max={max}
        step={integer ? 1 : "any"}
        required
        of={of}
      />
    </>
  );
}

function Minutes({ rule, of }: { rule: AlertRule | null; of: string }) {
  const bounds = { type: "number", min: 0, max: longestRuleMinutes, step: 1, of } as const;
  return (
    <>
      <FormField
        name="duration_minutes"
        label="For how long, minutes"
        hint={`The condition must hold for this time before the alert opens: 0 (at once) to ${longestRuleMinutes}.`}
        value={rule?.duration_minutes ?? defaultDurationMinutes}
        {...bounds}
      />
      <FormField
        name="cooldown_minutes"
        label="Cooldown, minutes"
        hint={`After a message was sent, further alerts of this rule are only recorded for this time: 0 to ${longestRuleMinutes}.`}
        value={rule?.cooldown_minutes ?? defaultCooldownMinutes}
        {...bounds}
      />
    </>
  );
}

/** Creates a rule on `metric`, or changes `rule`. */
export function RuleForm({ metric, rule }: { metric: AlertMetric; rule: AlertRule | null }) {
  const of = rule ? "change-rule" : "create-rule";
  return (
    <Form does={of} class="form wide" hidden={rule ? { rule_id: rule.id } : { metric }}>
      <FormField
        name="name"
        label="Name"
        value={rule?.name ?? metricName(metric)}
        maxLength={80}
        required
        of={of}
      />
      <Watched metric={metric} rule={rule} of={of} />
      <Minutes rule={rule} of={of} />
      <ChannelChecks switches={rule} of={of} />
      {rule?.open_alert_id && (
        <p class="hint">If you change what this rule watches, its open alert is closed.</p>
      )}
      <Button>{rule ? "Save" : "Create the rule"}</Button>
    </Form>
  );
}
