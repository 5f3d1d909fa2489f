import type { RunConditions } from "../../../core/report/conditions.ts";
import { Notice } from "../../parts/state.tsx";
import { conditionWords } from "../../words/reports.ts";

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
