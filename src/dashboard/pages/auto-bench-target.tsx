import { Refusal } from "../../core/errors.ts";
import { cancelAutoBenchJob } from "../../endpoints/api/auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "../../endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "../../endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "../../endpoints/api/auto-bench/run-auto-bench-now.ts";
import { updateAutoBenchTarget } from "../../endpoints/api/auto-bench/update-auto-bench-target.ts";
import { mostTargets } from "../../endpoints/web/auto-bench/create-target.ts";
import { deleteTarget } from "../../endpoints/web/auto-bench/delete-target.ts";
import { personPage, type Visit } from "../page.ts";
import { Button, Check, Field, Form } from "../parts/form.tsx";
import { Card } from "../parts/state.tsx";
import { Facts } from "../parts/table.tsx";
import { Text } from "../parts/value.tsx";
import { CronField } from "./auto-bench.tsx";
import { Jobs } from "./auto-bench/jobs.tsx";
import { Schedule, TargetState, type Target } from "./auto-bench/targets.tsx";

/** One target: changed, run, deleted here, with its own jobs. */
export const autoBenchTargetPage = personPage({
  path: "/auto-bench/{target}",

  async show({ ask, params, query, now }) {
    const target = await targetOf({ ask, params });
    const cursor = query.get("cursor") ?? undefined;
    const jobs = await ask(listAutoBenchJobs, { target_id: target.id, cursor });
    return {
      title: target.name,
      body: (
        <>
          <div class="title">
            <h1>
              <Text value={target.name} />
            </h1>
            <a href="/auto-bench">All targets</a>
          </div>
          <Card title="Target">
            <Facts
              of={[
                [
                  "Server",
                  <a key="s" href={`/servers/${target.server_id}`}>
                    <Text value={target.server_name} none="without a name" />
                  </a>,
                ],
                ["State", <TargetState key="t" target={target} />],
                ["Mode", target.benchmark_mode],
                ["Schedule (UTC)", <Schedule key="c" target={target} now={now} />],
              ]}
            />
            {target.job_in_flight_id === null && (
              <Form does="run">
                <Button>Run now</Button>
              </Form>
            )}
          </Card>
          <div class="columns">
            <Change target={target} />
            <Delete target={target} />
          </div>
          <Jobs answer={jobs} query={query} now={now} nameOf={() => target.name} />
        </>
      ),
    };
  },

  actions: {
    async change({ ask, params, form }) {
      const target_id = params["target"] ?? "";
      const cron = form.get("schedule_cron")?.trim() ?? "";
      const notes = form.get("notes")?.trim() ?? "";
      await ask(updateAutoBenchTarget, {
        target_id,
        name: form.get("name") ?? "",
        schedule_cron: cron === "" ? null : cron,
        notes: notes === "" ? null : notes,
        enabled: form.get("enabled") === "on",
      });
      return { to: `/auto-bench/${target_id}` };
    },
    async run({ ask, params }) {
      const target_id = params["target"] ?? "";
      await ask(runAutoBenchNow, { target_id });
      return { to: `/auto-bench/${target_id}` };
    },
    async cancel({ ask, params, form }) {
      await ask(cancelAutoBenchJob, { job_id: form.get("job") ?? "" });
      return { to: `/auto-bench/${params["target"] ?? ""}` };
    },
    async delete({ ask, params }) {
      await ask(deleteTarget, { target_id: params["target"] ?? "" });
      return { to: "/auto-bench" };
    },
  },
});

/** An own target; every other is one that does not exist, the operator's too, which nobody changes here. */
async function targetOf({ ask, params }: Pick<Visit, "ask" | "params">): Promise<Target> {
  const { data } = await ask(listAutoBenchTargets, { limit: mostTargets });
  const target = data.find(({ id }) => id === params["target"]);
  if (!target) throw new Refusal("not_found", "There is no such target, or it is not yours.");
  return target;
}

function Change({ target }: { target: Target }) {
  return (
    <Card title="Change it">
      <Form does="change">
        <Field name="name" label="Name" required maxLength={80} value={target.name} of="change" />
        <CronField of="change" value={target.schedule_cron} />
        <Field name="notes" label="Notes" maxLength={2000} value={target.notes} of="change" />
        <Check name="enabled" label="On: it runs by its schedule" checked={target.enabled} of="change" />
        <p class="hint">Switching it on counts its failures from zero.</p>
        <Button>Save</Button>
      </Form>
    </Card>
  );
}

function Delete({ target }: { target: Target }) {
  return (
    <Card title="Delete it">
      <p>
        The target and its schedule are lost. Its jobs stay listed and its reports stay; the runs they took of
        today's quota stay taken.
      </p>
      {target.job_in_flight_id === null ? (
        <Form does="delete">
          <Button danger>Delete the target</Button>
        </Form>
      ) : (
        <p class="quiet">A job is in flight. Cancel it or wait for its end first.</p>
      )}
    </Card>
  );
}
