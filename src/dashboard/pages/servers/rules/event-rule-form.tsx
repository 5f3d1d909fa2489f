import { EventPreset, eventPresets, type EventRule } from "../../../../core/alert/event-rule.ts";
import { defaultCooldownMinutes, longestRuleMinutes } from "../../../../core/alert/limits.ts";
import { EventCategory, EventSeverity } from "../../../../core/event/server-event.ts";
import { usePageContext } from "../../../frame.tsx";
import { ChannelChecks } from "../../../parts/channel-checks.tsx";
import { Button, Check, Choice, FormField, Form } from "../../../parts/form.tsx";

/** Chooses typed event types in place of a preset. */
export const ownTypeChoices = "own";

/** The preset with exactly these types, because the API answers only the types. */
export const presetOf = ({ event_types }: Pick<EventRule, "event_types">): EventPreset | null =>
  EventPreset.options.find((name) => eventPresets[name].join() === event_types.join()) ?? null;

/** Creates a rule, or changes `rule`. */
export function EventRuleForm({ rule }: { rule: EventRule | null }) {
  const of = rule ? "change-event-rule" : "create-event-rule";
  return (
    <Form does={of} class="form wide" {...(rule && { hidden: { rule_id: rule.id } })}>
      <FormField name="name" label="Name" value={rule?.name ?? null} maxLength={80} required of={of} />
      <Choice
        name="preset"
        label="Events"
        value={rule ? (presetOf(rule) ?? ownTypeChoices) : "crashes"}
        options={[
          ...EventPreset.options.map((name) => [name, `${name}: ${eventPresets[name].join(", ")}`] as const),
          [ownTypeChoices, "the types below, or every type if none is typed"],
        ]}
        of={of}
      />
      <FormField
        name="event_types"
        label="Types of your own"
        hint="Separated by commas, such as warn, kick. These types replace the events chosen above. Leave the field empty to use the events above."
        value={rule && presetOf(rule) === null ? rule.event_types.join(", ") : null}
        of={of}
      />
      <Categories rule={rule} of={of} />
      <Choice
        name="min_severity"
        label="At least as severe as"
        value={rule?.min_severity ?? ""}
        options={[
          ["", "any severity"],
          ...EventSeverity.options.map((severity) => [severity, severity] as const),
        ]}
        of={of}
      />
      <FormField
        name="sources"
        label="Reported by"
        hint="Names of plugins, separated by commas. If this stays empty, events of every plugin count."
        value={rule?.sources.join(", ") ?? null}
        of={of}
      />
      <FormField
        name="cooldown_minutes"
        label="Cooldown, minutes"
        hint={`After a message was sent, further events are only recorded for this time: 0 to ${longestRuleMinutes}.`}
        type="number"
        min={0}
        max={longestRuleMinutes}
        step={1}
        value={rule?.cooldown_minutes ?? defaultCooldownMinutes}
        of={of}
      />
      <ChannelChecks switches={rule} of={of} />
      <Button>{rule ? "Save" : "Create the rule"}</Button>
    </Form>
  );
}

function Categories({ rule, of }: { rule: EventRule | null; of: string }) {
  const { problem } = usePageContext();
  const ticked: readonly string[] =
    problem?.action === of ? problem.form.getAll("categories") : (rule?.categories ?? []);
  return (
    <fieldset>
      <legend>Categories</legend>
      {EventCategory.options.map((category) => (
        <Check
          key={category}
          name="categories"
          value={category}
          label={category}
          checked={ticked.includes(category)}
        />
      ))}
      <p class="hint">If none is ticked, events of every category count.</p>
    </fieldset>
  );
}
