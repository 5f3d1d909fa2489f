import type { RunConditions } from "../../../core/report/conditions.ts";
import { Notice } from "../../parts/state.tsx";
import type { UsualScores } from "../../../core/report/usual-scores.ts";
import { conditionWords, unusualWords } from "../../words/reports.ts";

/** Nothing for a run of a machine that did nothing else. */
export function ConditionsNotice({ conditions }: { conditions: RunConditions | null }) {
  const words = conditions === null ? [] : conditionWords(conditions);
  if (words.length === 0) return null;
  return (
    <Notice means="watch">
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}

/** Nothing for scores that are usual for the server, and without earlier runs. */
export function UnusualNotice({ usual }: { usual: UsualScores | null }) {
  const words = unusualWords(usual);
  return words === null ? null : <Notice means="watch">{words}</Notice>;
}
