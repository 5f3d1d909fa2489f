import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { AlertCondition, AlertMetric } from "../../../../core/alert/alert-rule.ts";
import { EventPreset } from "../../../../core/alert/event-rule.ts";
import { EventCategory, EventSeverity } from "../../../../core/event/server-event.ts";
import { createAlertRule } from "../../../../endpoints/api/alert/create-alert-rule.ts";
import { updateAlertRule } from "../../../../endpoints/api/alert/update-alert-rule.ts";
import { deleteAlertRule } from "../../../../actions/alert/delete-alert-rule.ts";
import { createEventRule } from "../../../../actions/alert/create-event-rule.ts";
import { deleteEventRule } from "../../../../actions/alert/delete-event-rule.ts";
import { updateEventRule } from "../../../../actions/alert/update-event-rule.ts";
import { chosen, typedList, typedNumber } from "../../../form-values.ts";
import type { ActionResult, Submission } from "../../../page.ts";
import { switchesIn } from "../../../parts/channel-checks.tsx";
import { ownTypeChoices } from "./event-rule-form.tsx";

type Sent = Submission<SessionCaller>;

const pageOf = ({ params }: Sent): string => `/servers/${params["id"] ?? ""}/rules`;
const ruleIn = ({ form }: Sent): string => form.get("rule_id") ?? "";

/** After a rule was switched off, the page offers to switch it on again. */
const switchedPage = (sent: Sent, enabled: boolean): string =>
  enabled ? pageOf(sent) : `${pageOf(sent)}?${new URLSearchParams({ off: ruleIn(sent) })}`;

const thresholdFields = ({ form }: Sent) => ({
  name: form.get("name") ?? "",
  condition: chosen(AlertCondition, form, "condition"),
  threshold: typedNumber(form, "threshold"),
  duration_minutes: typedNumber(form, "duration_minutes"),
  cooldown_minutes: typedNumber(form, "cooldown_minutes"),
  ...switchesIn(form),
});

/** Typed types replace the preset. */
const eventFields = ({ form }: Sent) => {
  const event_types = typedList(form, "event_types");
  const isOwn = event_types.length > 0 || form.get("preset") === ownTypeChoices;
  const preset = isOwn ? undefined : chosen(EventPreset, form, "preset");
  return {
    name: form.get("name") ?? "",
    ...(preset === undefined ? { event_types } : { preset }),
    categories: EventCategory.options.filter((category) => form.getAll("categories").includes(category)),
    min_severity: chosen(EventSeverity, form, "min_severity") ?? null,
    sources: typedList(form, "sources"),
    cooldown_minutes: typedNumber(form, "cooldown_minutes"),
    ...switchesIn(form),
  };
};

/** Without the test messages. */
export const ruleActions: Readonly<Record<string, (sent: Sent) => Promise<ActionResult>>> = {
  "create-rule": async (sent) => {
    const metric = chosen(AlertMetric, sent.form, "metric") ?? "offline";
    await sent.call(createAlertRule, {
      server_id: sent.params["id"] ?? "",
      metric,
      ...thresholdFields(sent),
    });
    return { to: pageOf(sent) };
  },
  "change-rule": async (sent) => {
    await sent.call(updateAlertRule, { rule_id: ruleIn(sent), ...thresholdFields(sent) });
    return { to: pageOf(sent) };
  },
  "switch-rule": async (sent) => {
    const enabled = sent.form.get("enabled") === "yes";
    await sent.call(updateAlertRule, { rule_id: ruleIn(sent), enabled });
    return { to: switchedPage(sent, enabled) };
  },
  "mute-rule": async (sent) => {
    const mute_minutes = typedNumber(sent.form, "mute_minutes");
    await sent.call(updateAlertRule, { rule_id: ruleIn(sent), mute_minutes });
    return { to: pageOf(sent) };
  },
  "delete-rule": async (sent) => {
    await sent.call(deleteAlertRule, { rule_id: ruleIn(sent) });
    return { to: pageOf(sent) };
  },
  "create-event-rule": async (sent) => {
    await sent.call(createEventRule, { server_id: sent.params["id"] ?? "", ...eventFields(sent) });
    return { to: pageOf(sent) };
  },
  "change-event-rule": async (sent) => {
    await sent.call(updateEventRule, { rule_id: ruleIn(sent), ...eventFields(sent) });
    return { to: pageOf(sent) };
  },
  "switch-event-rule": async (sent) => {
    const enabled = sent.form.get("enabled") === "yes";
    await sent.call(updateEventRule, { rule_id: ruleIn(sent), enabled });
    return { to: switchedPage(sent, enabled) };
  },
  "mute-event-rule": async (sent) => {
    const mute_minutes = typedNumber(sent.form, "mute_minutes");
    await sent.call(updateEventRule, { rule_id: ruleIn(sent), mute_minutes });
    return { to: pageOf(sent) };
  },
  "delete-event-rule": async (sent) => {
    await sent.call(deleteEventRule, { rule_id: ruleIn(sent) });
    return { to: pageOf(sent) };
  },
};
