import { absence } from "../../words/glossary.ts";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { keptMs } from "../../../core/job/kept-for.ts";
import { dayMs, type Instant } from "../../../core/time.ts";
import { EmptyList, type Kept } from "../../parts/empty-list.tsx";
import type { listAutoBenchJobs } from "../../../endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { Button, Form } from "../../parts/form.tsx";
import { Card, State } from "../../parts/state.tsx";
import { NextPage, Table } from "../../parts/table.tsx";
import { Age, Text } from "../../parts/value.tsx";
import { isOver, reasonInWords, stages, statuses, triggers } from "./words.ts";

type Answer = PersonAnswer<typeof listAutoBenchJobs>;
type Job = Answer["data"][number];

const kept: Kept = { days: keptMs.finishedJob / dayMs, by: "service" };

interface JobsProps {
  /** The page without its place in the list. */
  readonly all: string;
  readonly answer: Answer;
  readonly query: URLSearchParams;
  readonly now: Instant;
  /** By the target's id. */
  readonly nameOf: (target: string) => string | null;
}

export function Jobs({ all, answer, query, now, nameOf }: JobsProps) {
  return (
    <Card title="Jobs">
      {answer.data.length === 0 && (
        <EmptyList query={query} now={now} one="job" all={all} kept={kept}>
          <p class="quiet">There is no job yet. Run a target now, or wait for its schedule.</p>
        </EmptyList>
      )}
      <Table
        caption="Jobs, newest first"
        rows={answer.data}
        rowKey={({ id }) => id}
        columns={[
          { head: "Queued", cell: ({ queued_at }) => <Age at={queued_at} now={now} /> },
          {
            head: "Target",
            cell: ({ target_id, trigger }) => (
              <>
                <Text value={nameOf(target_id)} none="a deleted target" />{" "}
                <span class="quiet small">{triggers[trigger]}</span>
              </>
            ),
          },
          { head: "State", cell: (job) => <JobState job={job} /> },
          { head: "Reports", cell: ({ report_ids }) => <Reports ids={report_ids} /> },
          {
            head: "Action",
            cell: ({ id, status }) =>
              isOver(status) || status === "cancelling" ? null : (
                <Form does="cancel" hidden={{ job: id }} class="form inline">
                  <Button plain>Cancel</Button>
                </Form>
              ),
          },
        ]}
      />
      <NextPage cursor={answer.page.cursor} query={query} />
    </Card>
  );
}

function JobState({ job }: { job: Job }) {
  const { status, progress, error_code } = job;
  const [means, words] = statuses[status] ?? (["unknown", status] as const);
  return (
    <>
      <State means={means}>{words}</State>
      {error_code !== null && (
        <p class="small">
          <Text value={reasonInWords(error_code)} />
        </p>
      )}
      {!isOver(status) && (
        <p class="small quiet">
          {stages[progress.stage]}, {progress.percent} %, run {progress.run_index ?? 0} of{" "}
          {progress.runs_total}
        </p>
      )}
    </>
  );
}

function Reports({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return <span class="quiet">{absence.none}</span>;
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <a href={`/reports/${id}`}>report {index + 1}</a>
        </span>
      ))}
    </>
  );
}
