import type { SessionCaller } from "../../../../../contract/call/caller.ts";
import { AlertCondition, AlertMetric } from "../../../../../core/alert/alert-rule.ts";
import {
  defaultCooldownMinutes,
  defaultDurationMinutes,
  longestRuleMinutes,
} from "../../../../../core/alert/limits.ts";
import { listedEpisodes } from "../../../../../core/alert/rule-replay.ts";
import { getCaptureState } from "../../../../../actions/server/get-capture-state.ts";
import { personPage, type PageContent, type PageRequest } from "../../../../page.ts";
import { Filters } from "../../../../parts/filters.tsx";
import { Choice, FormField } from "../../../../parts/form.tsx";
import { PlanNotice } from "../../../../parts/plan.tsx";
import { ServerHead } from "../../../../parts/server-head.tsx";
import { Card } from "../../../../parts/state.tsx";
import { metricName } from "../rule-form.tsx";
import { listedBeside, thresholdIn } from "./form-preview.tsx";
import { readPast, RuleHistory } from "./history.tsx";
import { PreviewPart } from "./preview-part.tsx";
import { readPreview } from "./read-preview.ts";

/** Previews any rule: for a rule's form without its script, and for links. */
export const rulePreviewPage = personPage({ path: "/servers/{id}/rules/preview", show });

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { person, plans, query } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  const { server_name: name } = await request.call(getCaptureState, { server_id });
  const metric = AlertMetric.safeParse(query.get("metric")).data ?? null;
  // The script of a form requests only the preview, because the form has the history.
  const isBesideForm = query.get("beside") === "form";
  const { preview, history } = isBesideForm
    ? { preview: await readPreview(request, server_id, query), history: null }
    : await readPast(request, server_id, query);
  const minutes = { type: "number", min: 0, max: longestRuleMinutes, step: 1 } as const;
  return {
    title: `Preview of a rule of ${name ?? "a server without a name"}`,
    status: preview.refusal?.status ?? 200,
    styles: ["rules.css"],
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Rules are part of monitoring, and so is their preview.
        </PlanNotice>
        <Card title="When would a rule have fired?">
          <Filters label="The rule">
            <Choice
              name="metric"
              label="Watches"
              value={metric ?? "mspt"}
              options={AlertMetric.options.map((each) => [each, metricName(each)] as const)}
            />
            <Choice
              name="condition"
              label="Is"
              value={query.get("condition") ?? "above"}
              options={AlertCondition.options.map((each) => [each, each] as const)}
            />
            <FormField
              name="threshold"
              label="Threshold"
              type="number"
              step="any"
              value={query.get("threshold")}
            />
            <FormField
              name="duration_minutes"
              label="For minutes"
              value={query.get("duration_minutes") ?? defaultDurationMinutes}
              {...minutes}
            />
            <FormField
              name="cooldown_minutes"
              label="Cooldown, minutes"
              value={query.get("cooldown_minutes") ?? defaultCooldownMinutes}
              {...minutes}
            />
          </Filters>
          <PreviewPart
            preview={preview}
            metric={metric}
            source={`/servers/${server_id}/rules/preview`}
            listed={isBesideForm ? listedBeside : listedEpisodes}
            history={history && <RuleHistory history={history} threshold={thresholdIn(query)} />}
          />
        </Card>
        <p>
          <a href={`/servers/${server_id}/rules`}>Rules of this server</a>
        </p>
      </>
    ),
  };
}
