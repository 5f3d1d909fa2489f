import { longestMinutes, shortestMinutes } from "../../../../core/maintenance/maintenance.ts";
import type { RecurringMaintenance } from "../../../../core/maintenance/recurring.ts";
import { weekdays, weeklyOf, type Weekday } from "../../../../core/maintenance/weekly.ts";
import { currentDisplay, zones } from "../../../display.ts";
import { Button, Check, Choice, FormField, Form } from "../../../parts/form.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Text, Time } from "../../../parts/value.tsx";
import { dayNames, scheduleInWords } from "../../../words/schedule.ts";

/** A cron expression that is not weekly is shown as it was typed. */
const timesInWords = ({ schedule_cron, time_zone }: RecurringMaintenance): string =>
  `${scheduleInWords(schedule_cron) ?? schedule_cron} (${time_zone})`;

interface RecurringProps {
  readonly recurring: readonly RecurringMaintenance[];
  /** The id of the opened form, from the address. */
  readonly edit: string | null;
  /** Whether the form for a new one is open. */
  readonly isNew: boolean;
}

export function RecurringMaintenanceCard({ recurring, edit, isNew }: RecurringProps) {
  const edited = recurring.find(({ id }) => id === edit) ?? null;
  return (
    <>
      <Card title="Recurring maintenance" id="recurring-maintenance">
        {recurring.length === 0 && (
          <p class="quiet">
            There is none. Recurring maintenance begins by itself, such as every Monday at 02:30.
          </p>
        )}
        {recurring.length > 0 && (
          <ul class="plain-list">
            {recurring.map((each) => (
              <RecurringRow key={each.id} recurring={each} />
            ))}
          </ul>
        )}
        {!isNew && (
          <p>
            <a href="?new_maintenance#recurring-form">Add recurring maintenance</a>
          </p>
        )}
      </Card>
      {edited && <ChangeCard recurring={edited} />}
      {isNew && !edited && (
        <Card title="New recurring maintenance" id="recurring-form">
          <RecurringForm recurring={null} zone={recurring.at(-1)?.time_zone ?? currentDisplay().zone} />
        </Card>
      )}
    </>
  );
}

/** A narrow column has no room for a table. */
function RecurringRow({ recurring }: { recurring: RecurringMaintenance }) {
  const { title, enabled, next_starts_at, duration_minutes } = recurring;
  return (
    <li>
      <strong>
        <Text value={title} />
      </strong>
      <p class="small quiet">
        {timesInWords(recurring)}, for {duration_minutes} min
      </p>
      <p class="small">
        {enabled ? (
          <>
            Next: <Time at={next_starts_at} />
          </>
        ) : (
          <State means="silenced">paused</State>
        )}
      </p>
      <RowButtons recurring={recurring} />
    </li>
  );
}

function RowButtons({ recurring: { id, enabled } }: { recurring: RecurringMaintenance }) {
  return (
    <div class="row">
      <a href={`?edit_maintenance=${id}#recurring-form`}>Change</a>
      <Form
        does="switch-recurring"
        hidden={{ recurring_id: id, enabled: enabled ? "no" : "yes" }}
        class="form inline"
      >
        <Button plain>{enabled ? "Pause" : "Resume"}</Button>
      </Form>
    </div>
  );
}

function ChangeCard({ recurring }: { recurring: RecurringMaintenance }) {
  return (
    <Card title="Change recurring maintenance" id="recurring-form">
      <RecurringForm recurring={recurring} zone={recurring.time_zone} />
      <p class="hint">A change, a pause and a deletion leave maintenance that is in progress as it is.</p>
      <Form does="delete-recurring" hidden={{ recurring_id: recurring.id }} class="form inline">
        <Button danger>Delete this recurring maintenance</Button>
      </Form>
    </Card>
  );
}

function RecurringForm({ recurring, zone }: { recurring: RecurringMaintenance | null; zone: string }) {
  const of = recurring ? "change-recurring" : "create-recurring";
  const weekly = recurring ? weeklyOf(recurring.schedule_cron) : { days: ["MON" as const], time: "02:30" };
  return (
    <Form does={of} class="form wide" {...(recurring && { hidden: { recurring_id: recurring.id } })}>
      <FormField
        name="title"
        label="Title"
        hint="It is shown as the reason of the maintenance."
        value={recurring?.title ?? null}
        maxLength={80}
        required
        of={of}
      />
      <Days ticked={weekly?.days ?? []} of={of} />
      <FormField name="time" label="Begins at" type="time" value={weekly?.time ?? null} of={of} />
      <FormField
        name="schedule_cron"
        label="Or by a cron expression"
        hint="Minute, hour, day, month and weekday, such as 0 4 1 * * for the first of each month. It replaces the days and the time above. If this stays empty, the days and the time above count."
        value={recurring && weekly === null ? recurring.schedule_cron : null}
        maxLength={200}
        autoComplete="off"
        of={of}
      />
      <Choice
        name="time_zone"
        label="Time zone"
        hint="If the clock of the zone is set forward over the time, the maintenance begins as much later. If it is set back, the maintenance begins once."
        options={(zones.includes(zone) ? zones : [...zones, zone]).map((name) => [name, name] as const)}
        value={zone}
        of={of}
      />
      <FormField
        name="duration_minutes"
        label="Duration, minutes"
        hint={`${shortestMinutes} to ${longestMinutes}.`}
        type="number"
        min={shortestMinutes}
        max={longestMinutes}
        step={1}
        value={recurring?.duration_minutes ?? 60}
        required
        of={of}
      />
      <Button>{recurring ? "Save" : "Add recurring maintenance"}</Button>
    </Form>
  );
}

function Days({ ticked, of }: { ticked: readonly Weekday[]; of: string }) {
  return (
    <fieldset>
      <legend>Every week on</legend>
      {weekdays.map((day) => (
        <Check
          key={day}
          name="days"
          value={day}
          label={dayNames[day]}
          checked={ticked.includes(day)}
          of={of}
        />
      ))}
    </fieldset>
  );
}
