import { absence } from "../../words/glossary.ts";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../core/time.ts";
import type { listAutoBenchTargets } from "../../../endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { Button, Form } from "../../parts/form.tsx";
import { Card, State } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Text, Time } from "../../parts/value.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { scheduleInWords } from "../../words/schedule.ts";
import { statuses } from "./words.ts";

export type TargetCard = PersonAnswer<typeof listAutoBenchTargets>["data"][number];

interface TargetsProps {
  readonly rows: readonly TargetCard[];
  /** Whether the plan includes auto-bench. */
  readonly isLaunched: boolean;
  readonly now: Instant;
}

export function Targets({ rows, isLaunched, now }: TargetsProps) {
  return (
    <Card title="Targets">
      <Table
        caption="Targets, newest first"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            head: "Target",
            cell: ({ id, name, internal }) =>
              internal ? (
                <>
                  <Text value={name} /> <span class="quiet small">the operator's own</span>
                </>
              ) : (
                <a href={`/auto-bench/${id}`}>
                  <Text value={name} />
                </a>
              ),
          },
          { head: "Server", cell: ({ server_name }) => <Text value={server_name} none="without a name" /> },
          { head: "State", cell: (target) => <TargetState target={target} isLaunched={isLaunched} /> },
          {
            head: "Schedule (UTC)",
            cell: (target) => <TargetSchedule target={target} isLaunched={isLaunched} now={now} />,
          },
          { head: "Last job", cell: (target) => <LastJob target={target} now={now} /> },
          {
            head: "Action",
            cell: ({ id, internal, job_in_flight_id: job }) =>
              !isLaunched || internal || job !== null ? null : (
                <Form does="run" hidden={{ target: id }} class="form inline">
                  <Button plain>Run now</Button>
                </Form>
              ),
          },
        ]}
      />
    </Card>
  );
}

interface TargetProps {
  readonly target: TargetCard;
  readonly isLaunched: boolean;
}

export function TargetState({ target, isLaunched }: TargetProps) {
  const { enabled, internal, disabled_reason, consecutive_failures: failures } = target;
  if (enabled && !internal && !isLaunched)
    return <State means="silenced">On, but the plan launches no runs</State>;
  return (
    <>
      {enabled ? (
        <State means="good">On</State>
      ) : (
        <State means={disabled_reason === null ? "silenced" : "bad"}>Off</State>
      )}
      {disabled_reason !== null && (
        <p class="small">Three jobs in a row failed. Switch the target on to start the count again.</p>
      )}
      {enabled && failures > 0 && (
        <p class="small">Jobs failed in a row: {failures}. After three the target is switched off.</p>
      )}
    </>
  );
}

function Schedule({ cron }: { cron: string }) {
  const words = scheduleInWords(cron);
  return words === null ? <code>{cron}</code> : <>{capitalised(words)}</>;
}

export function TargetSchedule({ target, isLaunched, now }: TargetProps & { now: Instant }) {
  const { schedule_cron, next_run_at, runs_per_job: runs } = target;
  return (
    <>
      {schedule_cron === null ? <span class="quiet">by hand only</span> : <Schedule cron={schedule_cron} />}
      <p class="small quiet">
        {runs} {runs === 1 ? "run" : "runs"} a job
        {next_run_at !== null && isLaunched && (
          <>
            , next <Age at={next_run_at} now={now} />, <Time at={next_run_at} />
          </>
        )}
      </p>
    </>
  );
}

function LastJob({ target: { last_job }, now }: { target: TargetCard; now: Instant }) {
  if (last_job === null) return <span class="quiet">{absence.none}</span>;
  const [means, words] = statuses[last_job.status] ?? (["unknown", last_job.status] as const);
  return (
    <>
      <State means={means}>{words}</State>
      {last_job.finished_at !== null && (
        <p class="small">
          <Age at={last_job.finished_at} now={now} />
        </p>
      )}
      {last_job.report_id !== null && (
        <p class="small">
          <a href={`/reports/${last_job.report_id}`}>Newest report</a>
        </p>
      )}
    </>
  );
}
