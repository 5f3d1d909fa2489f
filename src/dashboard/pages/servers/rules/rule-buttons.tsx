import { isMuted as isMutedAt, longestMuteMinutes } from "../../../../core/alert/quiet.ts";
import { dayMs, hourMs, minuteMs, type Instant } from "../../../../core/time.ts";
import { Button, Choice, Form } from "../../../parts/form.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { clock, span, Text } from "../../../parts/value.tsx";

/** What the buttons need of both kinds of rules. */
interface AnyRule {
  readonly id: string;
  readonly enabled: boolean;
  readonly muted_until: string | null;
}

/** The end of the names of a rule's actions. */
export type RuleKind = "rule" | "event-rule";

const mutes = [hourMs, 8 * hourMs, dayMs, longestMuteMinutes * minuteMs].map(
  (length) => [String(length / minuteMs), `for ${span(length)}`] as const,
);

const isMuted = ({ muted_until }: AnyRule, now: Instant): boolean =>
  isMutedAt({ mutedUntil: muted_until === null ? null : Date.parse(muted_until) }, now);

export function Muted({ rule, now }: { rule: AnyRule; now: Instant }) {
  if (!isMuted(rule, now)) return null;
  return <State means="silenced">{`muted until ${clock(rule.muted_until ?? now)}`}</State>;
}

interface RowButtonsProps {
  readonly rule: AnyRule;
  readonly kind: RuleKind;
  readonly edit: string;
  /** False if the plan lacks monitoring: a rule can then only be deleted. */
  readonly canChange: boolean;
}

export function RowButtons({ rule, kind, edit, canChange }: RowButtonsProps) {
  const hidden = { rule_id: rule.id };
  if (!canChange) return <a href={edit}>Delete</a>;
  return (
    <div class="row">
      <a href={edit}>Change</a>
      <Form does={`test-${kind}`} hidden={hidden} class="form inline">
        <Button plain>Test</Button>
      </Form>
      <Form
        does={`switch-${kind}`}
        hidden={{ ...hidden, enabled: rule.enabled ? "no" : "yes" }}
        class="form inline"
      >
        <Button plain>{rule.enabled ? "Switch off" : "Switch on"}</Button>
      </Form>
    </div>
  );
}

interface SwitchedOffProps {
  readonly rules: readonly (AnyRule & { readonly name: string })[];
  /** The rule that was just switched off, from the address. */
  readonly id: string | null;
  readonly kind: RuleKind;
}

/** Confirms that a rule was switched off, and offers to switch it on again. */
export function SwitchedOff({ rules, id, kind }: SwitchedOffProps) {
  const rule = rules.find((each) => each.id === id && !each.enabled);
  if (!rule) return null;
  return (
    <Notice means="silenced">
      <div class="row" role="status">
        <span>
          The rule <Text value={rule.name} /> is switched off: it raises no alert.
          {kind === "rule" && " If an alert of it was open, it was closed."}
        </span>
        <Form does={`switch-${kind}`} hidden={{ rule_id: rule.id, enabled: "yes" }} class="form inline">
          <Button plain>Undo</Button>
        </Form>
      </div>
    </Notice>
  );
}

interface MuteAndDeleteProps {
  readonly rule: AnyRule;
  readonly kind: RuleKind;
  readonly canChange: boolean;
  readonly now: Instant;
}

export function MuteAndDelete({ rule, kind, canChange, now }: MuteAndDeleteProps) {
  return (
    <>
      {canChange && <MuteCard rule={rule} kind={kind} now={now} />}
      <Card title="Delete">
        <p>
          {kind === "rule"
            ? "The rule and its cooldown are deleted for good. An open alert of the rule is closed. Its earlier alerts stay in the list."
            : "The rule is deleted for good. Its earlier alerts stay in the list."}
        </p>
        <Form does={`delete-${kind}`} hidden={{ rule_id: rule.id }}>
          <Button danger>Delete this rule</Button>
        </Form>
      </Card>
    </>
  );
}

function MuteCard({ rule, kind, now }: Omit<MuteAndDeleteProps, "canChange">) {
  const hidden = { rule_id: rule.id };
  return (
    <Card title="Mute">
      <Muted rule={rule} now={now} />
      <p class="hint">
        While the rule is muted, its alerts are recorded and nobody is notified. If the problem is still there
        afterwards, a message is sent then.
      </p>
      <Form does={`mute-${kind}`} hidden={hidden}>
        <Choice name="mute_minutes" label="Mute" options={mutes} of={`mute-${kind}`} />
        <Button plain>Mute</Button>
      </Form>
      {isMuted(rule, now) && (
        <Form does={`mute-${kind}`} hidden={{ ...hidden, mute_minutes: "0" }}>
          <Button plain>End the mute</Button>
        </Form>
      )}
    </Card>
  );
}
