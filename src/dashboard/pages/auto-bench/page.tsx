import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { cancelAutoBenchJob } from "../../../endpoints/api/auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "../../../endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "../../../endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "../../../endpoints/api/auto-bench/run-auto-bench-now.ts";
import { listServers } from "../../../endpoints/api/server/list-servers.ts";
import { createTarget, mostTargets } from "../../../actions/auto-bench/create-target.ts";
import { getRunQuota } from "../../../actions/auto-bench/get-run-quota.ts";
import { personPage, type PageRequest } from "../../page.ts";
import { Button, Check, Choice, Form } from "../../parts/form.tsx";
import { LivePart } from "../../parts/live-part.tsx";
import { Card, Empty, Notice } from "../../parts/state.tsx";
import { Jobs } from "./jobs.tsx";
import { TargetFields, targetIn } from "./target-fields.tsx";
import { Targets } from "./targets.tsx";
import { Words } from "../../parts/words.tsx";

type Quota = PersonAnswer<typeof getRunQuota>;
type Request = PageRequest<SessionCaller>;
type Target = PersonAnswer<typeof listAutoBenchTargets>["data"][number];
type Server = PersonAnswer<typeof listServers>["data"][number];

const jobsAPage = 15;
/** Servers that can be chosen as a target. */
const offeredServers = 100;

/** Scheduled benchmarks: targets and their jobs. Runners belong to the operator. */
export const autoBenchPage = personPage({
  path: "/auto-bench",

  async show(request) {
    const { call, person, now } = request;
    const isLaunched = planIncludes(person.limits, "auto-bench");
    const quota = await call(getRunQuota, {});
    const targets = await readTargets(request);
    const { data: servers } = await call(listServers, { owner: "me", limit: offeredServers });
    return {
      title: "Auto-bench",
      body: (
        <>
          <h1>Auto-bench</h1>
          <QuotaLine quota={quota} isLaunched={isLaunched} />
          {targets.length === 0 ? (
            <Empty
              title="No target yet"
              next={
                <p>
                  Start a runner on the machine of the server: <Words of="tickmark runner run" />, with a key
                  from the operator of this service. Then create the target below. The runner skips a job
                  while players are online.
                </p>
              }
            >
              <p>
                A target is one of your servers that is benchmarked automatically. With a schedule its reports
                can be compared over weeks, and you are notified of a regression.
              </p>
            </Empty>
          ) : (
            <Targets rows={targets} isLaunched={isLaunched} now={now} />
          )}
          {isLaunched && <NewTarget servers={servers} quota={quota} />}
          <LivePart of="jobs">{await renderJobs(request, targets)}</LivePart>
        </>
      ),
    };
  },

  parts: { jobs: async (request) => renderJobs(request, await readTargets(request)) },

  once: {
    create:
      "This form was sent before, so no second target was made. The first is in the list above. To make another, send the form again.",
  },

  actions: {
    async create({ call, form }) {
      await call(createTarget, { server_id: form.get("server_id") ?? "", ...targetIn(form) });
      return { to: "/auto-bench" };
    },
    async run({ call, form }) {
      await call(runAutoBenchNow, { target_id: form.get("target") ?? "" });
      return { to: "/auto-bench" };
    },
    async cancel({ call, form }) {
      await call(cancelAutoBenchJob, { job_id: form.get("job") ?? "" });
      return { to: "/auto-bench" };
    },
  },
});

const readTargets = async ({ call }: Request): Promise<readonly Target[]> =>
  (await call(listAutoBenchTargets, { limit: mostTargets, include_internal: true })).data;

async function renderJobs({ call, query, now }: Request, targets: readonly Target[]) {
  const cursor = query.get("cursor") ?? undefined;
  const jobs = await call(listAutoBenchJobs, { limit: jobsAPage, cursor });
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  return (
    <Jobs all="/auto-bench" answer={jobs} query={query} now={now} nameOf={(id) => names.get(id) ?? null} />
  );
}

function QuotaLine({ quota: { limit, used }, isLaunched }: { quota: Quota; isLaunched: boolean }) {
  if (!isLaunched)
    return (
      <Notice means="watch">
        Your plan does not include auto-bench; a larger one does. Your targets stay, and no run is launched.
      </Notice>
    );
  return (
    <p class="quiet">
      {used} of the plan's {limit} runs in 24 hours are used. Each run of a job counts, scheduled or not.
    </p>
  );
}

function NewTarget({ servers, quota }: { servers: readonly Server[]; quota: Quota }) {
  if (servers.length === 0)
    return (
      <Card title="New target">
        <p>
          <a href="/servers">Link a server</a> first: a target is one of your servers.
        </p>
      </Card>
    );
  return (
    <Card title="New target">
      <Form does="create" class="form wide">
        <Choice
          name="server_id"
          label="Server"
          options={servers.map(({ id, name }) => [id, name ?? "Server without a name"])}
          of="create"
        />
        <TargetFields of="create" target={null} limit={quota.limit} />
        <Check name="enabled" label="Switch the target on at once" checked of="create" />
        <Button>Create the target</Button>
      </Form>
    </Card>
  );
}
