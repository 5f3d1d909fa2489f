import { AlertMetric, type AlertRule } from "../../../../../core/alert/alert-rule.ts";
import {
  defaultCooldownMinutes,
  defaultDurationMinutes,
  metricLimits,
} from "../../../../../core/alert/limits.ts";
import type { ComponentChildren } from "preact";
import type { FormProblem } from "../../../../page.ts";
import type { RuleHistoryData } from "../../../../scripts/rule-preview/rule-history-data.ts";
import { RuleHistory } from "./history.tsx";
import { PreviewPart } from "./preview-part.tsx";
import type { ReadPreview } from "./read-preview.ts";

/** Episodes beside a form. */
export const listedBeside = 5;

/** The rule in the page's form; null if there is no form. */
export function draftOf(
  edited: AlertRule | null,
  metric: AlertMetric | null,
  problem: FormProblem | null,
): URLSearchParams | null {
  const watched = edited?.metric ?? metric;
  if (watched === null) return null;
  const usual = watched === "offline" ? null : metricLimits[watched].usual;
  const shown = {
    condition: edited ? edited.condition : (usual?.condition ?? null),
    threshold: edited ? edited.threshold : (usual?.threshold ?? null),
    duration_minutes: edited?.duration_minutes ?? defaultDurationMinutes,
    cooldown_minutes: edited?.cooldown_minutes ?? defaultCooldownMinutes,
  };
  const draft = new URLSearchParams({ metric: watched });
  const isRefused = problem?.action === (edited ? "change-rule" : "create-rule");
  for (const [name, value] of Object.entries(shown)) {
    const typed = isRefused ? problem.form.get(name) : null;
    if (typed !== null || value !== null) draft.set(name, typed ?? String(value));
  }
  return draft;
}

interface FormPreviewProps {
  readonly server: string;
  readonly draft: URLSearchParams;
  readonly preview: ReadPreview;
  /** Null for a rule that watches no metric. */
  readonly history: RuleHistoryData | null;
  readonly children: ComponentChildren;
}

/** The form of a rule below the history of its metric, with a link to the preview's page. */
export function FormPreview({ server, draft, preview, history, children }: FormPreviewProps) {
  const page = `/servers/${server}/rules/preview`;
  const metric = AlertMetric.safeParse(draft.get("metric")).data ?? null;
  return (
    <>
      <PreviewPart
        preview={preview}
        metric={metric}
        source={`${page}?${new URLSearchParams({ metric: metric ?? "", beside: "form" })}`}
        listed={listedBeside}
        history={history && <RuleHistory history={history} threshold={thresholdIn(draft)} />}
      >
        {children}
      </PreviewPart>
      <p class="small">
        <a href={`${page}?${draft}`}>This preview on a page of its own</a>
      </p>
    </>
  );
}

/** Null without a threshold. */
export const thresholdIn = (draft: URLSearchParams): number | null => {
  const threshold = Number(draft.get("threshold") || Number.NaN);
  return Number.isFinite(threshold) ? threshold : null;
};

export const PreviewLink = ({ server }: { server: string }) => (
  <p class="small">
    <a href={`/servers/${server}/rules/preview`}>When would a rule have fired?</a>
  </p>
);
