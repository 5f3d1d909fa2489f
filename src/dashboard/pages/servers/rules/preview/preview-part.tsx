import { absence } from "../../../../words/glossary.ts";
import type { ComponentChildren } from "preact";
import type { AlertMetric } from "../../../../../core/alert/alert-rule.ts";
import type { AlertRulePreview } from "../../../../../core/alert/preview-answer.ts";
import { withUnit } from "../../../../../core/alert/message.ts";
import { shownDuration } from "../../../../../core/text/plain-words.ts";
import { Notice } from "../../../../parts/state.tsx";
import { Table } from "../../../../parts/table.tsx";
import { Time } from "../../../../parts/value.tsx";
import {
  episodeMs,
  keptBackWords,
  lateSentence,
  previewMessages,
  previewRefusal,
  previewSentence,
  unrecordedWords,
  type PreviewedAlert,
} from "../../../../words/rule-preview.ts";
import { secondsOf } from "../../plot-data.ts";
import type { ReadPreview } from "./read-preview.ts";

interface PreviewProps {
  readonly preview: ReadPreview;
  /** Null if no metric is chosen yet. */
  readonly metric: AlertMetric | null;
  /** The preview's page, to whose address the script adds the form's fields. */
  readonly source: string;
  /** The most listed episodes. */
  readonly listed: number;
  /** Above the sentence on what the rule would have done. */
  readonly history?: ComponentChildren;
  /** Between the sentence and the details. */
  readonly children?: ComponentChildren;
}

/** The form's script replaces the sentence and the details as the form changes. */
export function PreviewPart({ preview, metric, source, listed, history, children }: PreviewProps) {
  const { value, refusal } = preview;
  return (
    <div class="stack-half" data-preview={source}>
      <h3>On the recorded history</h3>
      {history}
      <div role="status" data-preview-part="sentence">
        {value && <p data-alerts={JSON.stringify(alertTimes(value))}>{previewSentence(value)}</p>}
        {refusal && <Notice means="bad">{previewRefusal(refusal, metric)}</Notice>}
        {!value && !refusal && <p class="quiet">Type a threshold to see when this rule would have fired.</p>}
      </div>
      <p class="quiet" data-preview-busy hidden>
        The preview is being worked out …
      </p>
      <div class="notice bad" data-preview-failed hidden>
        The preview could not be loaded. Check the connection, or reload the page. The next change tries
        again.
      </div>
      {children}
      <div class="stack-half" data-preview-part="details">
        {value && <Details preview={value} listed={listed} />}
      </div>
    </div>
  );
}

/** Unix seconds. */
const alertTimes = ({ episodes, to }: AlertRulePreview) =>
  episodes.map(({ opened_at, resolved_at }) => [secondsOf(opened_at), secondsOf(resolved_at ?? to)]);

function Details({ preview, listed }: { preview: AlertRulePreview; listed: number }) {
  const { episodes, episodes_total, not_recorded, samples } = preview;
  if (samples === 0) return null;
  const shown = episodes.slice(0, listed);
  const late = lateSentence(preview);
  return (
    <>
      <p class="small">{previewMessages(preview)}</p>
      {late !== null && <p class="small quiet">{late}</p>}
      <Episodes preview={preview} shown={shown} />
      {episodes_total > shown.length && (
        <p class="small quiet">{episodes_total - shown.length} earlier alerts are not listed.</p>
      )}
      {not_recorded.map((what) => (
        <p key={what} class="small quiet">
          {unrecordedWords[what]}
        </p>
      ))}
    </>
  );
}

interface EpisodesProps {
  readonly preview: AlertRulePreview;
  readonly shown: readonly PreviewedAlert[];
}

function Episodes({ preview: { metric, to }, shown }: EpisodesProps) {
  const isOffline = metric === "offline";
  return (
    <Table
      caption="Alerts that this rule would have raised"
      rows={shown}
      rowKey={({ opened_at }) => opened_at}
      columns={[
        { head: "Would have opened", cell: ({ opened_at }) => <Time at={opened_at} /> },
        {
          head: "For",
          cell: (episode) =>
            `${shownDuration(episodeMs(episode, Date.parse(to)))}${episode.resolved_at === null ? ", still open" : ""}`,
        },
        ...(isOffline
          ? []
          : [
              {
                head: "Worst value",
                number: true,
                cell: ({ worst_value }: PreviewedAlert) =>
                  worst_value === null ? absence.notMeasured : withUnit(metric, worst_value),
              },
            ]),
        {
          head: "Message",
          cell: ({ quiet_reason }) => (quiet_reason === null ? "yes" : `no: ${keptBackWords[quiet_reason]}`),
        },
      ]}
    />
  );
}
