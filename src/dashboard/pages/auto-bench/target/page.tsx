import { planIncludes } from "../../../../core/access/plan.ts";
import { Refusal } from "../../../../core/errors.ts";
import { cancelAutoBenchJob } from "../../../../endpoints/api/auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "../../../../endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "../../../../endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "../../../../endpoints/api/auto-bench/run-auto-bench-now.ts";
import { mostTargets } from "../../../../actions/auto-bench/create-target.ts";
import { deleteTarget } from "../../../../actions/auto-bench/delete-target.ts";
import { redefineTarget } from "../../../../actions/auto-bench/redefine-target.ts";
import { personPage, type PageRequest } from "../../../page.ts";
import { Button, Check, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import { Jobs } from "../jobs.tsx";
import { TargetFields, targetIn } from "../target-fields.tsx";
import { TargetSchedule, TargetState, type TargetCard } from "../targets.tsx";

export const autoBenchTargetPage = personPage({
  path: "/auto-bench/{target}",

  async show({ call, person, params, query, now }) {
    const isLaunched = planIncludes(person.limits, "auto-bench");
    const target = await targetOf({ call, params });
    const cursor = query.get("cursor") ?? undefined;
    const jobs = await call(listAutoBenchJobs, { target_id: target.id, cursor });
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
                ["State", <TargetState key="t" target={target} isLaunched={isLaunched} />],
                ["Mode", target.benchmark_mode],
                [
                  "Schedule (UTC)",
                  <TargetSchedule key="c" target={target} isLaunched={isLaunched} now={now} />,
                ],
              ]}
            />
            {isLaunched && target.job_in_flight_id === null && (
              <Form does="run">
                <Button>Run now</Button>
              </Form>
            )}
          </Card>
          <div class="columns">
            <Change target={target} limit={isLaunched ? person.limits.runs_per_day : null} />
            <Delete target={target} />
          </div>
          <Jobs
            all={`/auto-bench/${target.id}`}
            answer={jobs}
            query={query}
            now={now}
            nameOf={() => target.name}
          />
        </>
      ),
    };
  },

  actions: {
    async change({ call, params, form }) {
      const target_id = params["target"] ?? "";
      await call(redefineTarget, { target_id, ...targetIn(form) });
      return { to: `/auto-bench/${target_id}` };
    },
    async run({ call, params }) {
      const target_id = params["target"] ?? "";
      await call(runAutoBenchNow, { target_id });
      return { to: `/auto-bench/${target_id}` };
    },
    async cancel({ call, params, form }) {
      await call(cancelAutoBenchJob, { job_id: form.get("job") ?? "" });
      return { to: `/auto-bench/${params["target"] ?? ""}` };
    },
    async delete({ call, params }) {
      await call(deleteTarget, { target_id: params["target"] ?? "" });
      return { to: "/auto-bench" };
    },
  },
});

/** Throws 404 for targets of other accounts and of the operator. */
async function targetOf({ call, params }: Pick<PageRequest, "call" | "params">): Promise<TargetCard> {
  const { data } = await call(listAutoBenchTargets, { limit: mostTargets });
  const target = data.find(({ id }) => id === params["target"]);
  if (!target) throw new Refusal("not_found", "There is no such target, or it is not yours.");
  return target;
}

/** `limit`: the plan's runs in 24 hours; null if the plan has no auto-bench. */
function Change({ target, limit }: { target: TargetCard; limit: number | null }) {
  if (limit === null)
    return (
      <Card title="Change it">
        <p>Your plan does not include auto-bench. The target stays unchanged, and no run is launched.</p>
      </Card>
    );
  return (
    <Card title="Change it">
      <Form does="change">
        <TargetFields of="change" target={target} limit={limit} />
        <Check name="enabled" label="On: it runs by its schedule" checked={target.enabled} of="change" />
        <p class="hint">
          Switching the target on starts the count of failures again. Mode and number of runs cannot be
          changed while a job is in progress.
        </p>
        <Button>Save</Button>
      </Form>
    </Card>
  );
}

function Delete({ target }: { target: TargetCard }) {
  return (
    <Card title="Delete it">
      <p>
        The target and its schedule are deleted. Its jobs and reports stay, and its runs still count for
        today's quota.
      </p>
      {target.job_in_flight_id === null ? (
        <Form does="delete">
          <Button danger>Delete the target</Button>
        </Form>
      ) : (
        <p class="quiet">A job is in progress. Cancel it or wait for its end first.</p>
      )}
    </Card>
  );
}
