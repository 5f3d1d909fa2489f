import type { AlertRule } from "../../../../core/alert/alert-rule.ts";
import { defaultDurationMinutes, metricLimits } from "../../../../core/alert/limits.ts";
import { watchedWords } from "../../../../core/alert/message.ts";
import { Button, Form } from "../../../parts/form.tsx";

const readyRule = <M extends "mspt" | "disk_free_mb">(name: string, metric: M) => {
  const { condition, threshold } = metricLimits[metric].usual;
  return {
    words: watchedWords({ metric, condition, threshold, durationMinutes: defaultDurationMinutes }),
    /** The fields of the form that makes the rule. */
    hidden: {
      name,
      metric,
      condition,
      threshold: String(threshold),
      duration_minutes: String(defaultDurationMinutes),
      notify_in_app: "on",
      notify_email: "on",
    },
  };
};

/** Rules on measurements that suit most servers, the one that a server needs first in front. */
export const readyRules = [
  readyRule("Slow ticks", "mspt"),
  readyRule("Disk nearly full", "disk_free_mb"),
] as const;

/** Those of `offered` on a measurement that no rule watches yet. */
export function ReadyRules({
  rules,
  offered = readyRules,
}: {
  rules: readonly AlertRule[];
  offered?: readonly (typeof readyRules)[number][];
}) {
  const missing = offered.filter(({ hidden }) => !rules.some(({ metric }) => metric === hidden.metric));
  if (missing.length === 0) return null;
  return (
    <div class="row">
      <span>Rules that suit most servers, which notify in-app and by e-mail:</span>
      {missing.map(({ words, hidden }) => (
        <Form key={hidden.name} does="create-rule" hidden={hidden} class="form inline">
          <Button plain>
            {hidden.name} ({words})
          </Button>
        </Form>
      ))}
    </div>
  );
}
