import { TargetMode } from "../../../actions/auto-bench/target-input.ts";
import { chosen, typed, typedNumber } from "../../form-values.ts";
import { Choice, FormField } from "../../parts/form.tsx";
import type { TargetCard } from "./targets.tsx";

interface FieldsProps {
  /** The form's action. */
  readonly of: string;
  /** Null for a new target. */
  readonly target: TargetCard | null;
  /** The plan's runs in 24 hours. */
  readonly limit: number;
}

export function TargetFields({ of, target, limit }: FieldsProps) {
  return (
    <>
      <FormField name="name" label="Name" required maxLength={80} value={target?.name ?? null} of={of} />
      {target?.benchmark_mode !== "custom" && (
        <Choice
          name="benchmark_mode"
          label="Mode"
          value={target?.benchmark_mode ?? null}
          options={[
            ["standard", "Standard: a fixed load, to compare and to watch for regressions"],
            ["stresslimit", "Stress limit: more load until the server falls behind"],
          ]}
          of={of}
        />
      )}
      <FormField
        name="runs_per_job"
        label="Runs per job"
        type="number"
        min={1}
        max={Math.max(1, Math.min(3, limit))}
        value={target?.runs_per_job ?? 1}
        hint="1 to 3. A verdict on a change needs three runs before it and three after it."
        of={of}
      />
      <FormField
        name="schedule_cron"
        label="Schedule"
        hint="Minute, hour, day, month and weekday in UTC, such as 30 4 * * MON. Runs are at least 60 minutes apart. If this stays empty, you start each run by hand."
        value={target?.schedule_cron ?? null}
        maxLength={200}
        autoComplete="off"
        of={of}
      />
      <FormField name="notes" label="Notes" maxLength={2000} value={target?.notes ?? null} of={of} />
    </>
  );
}

export const targetIn = (form: URLSearchParams) => ({
  name: form.get("name") ?? "",
  benchmark_mode: chosen(TargetMode, form, "benchmark_mode"),
  runs_per_job: typedNumber(form, "runs_per_job"),
  schedule_cron: typed(form, "schedule_cron") ?? null,
  notes: typed(form, "notes") ?? null,
  enabled: form.get("enabled") === "on",
});
