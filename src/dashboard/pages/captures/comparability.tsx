import { inWords } from "./capture-words.ts";
import { Card, State, type Meaning } from "../../parts/state.tsx";
import { Text } from "../../parts/value.tsx";

interface Issue {
  readonly code: string;
  readonly severity: "info" | "caution" | "blocking";
  readonly base: string | number | null;
  readonly target: string | number | null;
}

const levels: Readonly<Record<string, readonly [Meaning, string]>> = {
  comparable: ["good", "Comparable"],
  caution: ["watch", "Comparable with caution"],
  "not-comparable": ["bad", "Not comparable"],
};

const severities: Readonly<Record<Issue["severity"], readonly [Meaning, string]>> = {
  info: ["unknown", "Note"],
  caution: ["watch", "Caution"],
  blocking: ["bad", "Prevents the comparison"],
};

export function Comparability({ level, issues }: { level: string; issues: readonly Issue[] }) {
  const [means, word] = levels[level] ?? ["unknown", level];
  return (
    <Card title="How comparable the two are" aside={<State means={means}>{word}</State>}>
      {issues.length === 0 ? (
        <p>No difference limits this comparison.</p>
      ) : (
        <ul class="plain-list">
          {issues.map((issue) => (
            <li key={issue.code}>
              <State means={severities[issue.severity][0]}>{severities[issue.severity][1]}</State>{" "}
              {inWords(issue.code)}
              {(issue.base !== null || issue.target !== null) && (
                <span class="quiet">
                  {" "}
                  Base: <Text value={textOf(issue.base)} none="not reported" />, newer:{" "}
                  <Text value={textOf(issue.target)} none="not reported" />.
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="hint">A change is not a cause: something else may have changed between the two.</p>
    </Card>
  );
}

const textOf = (value: string | number | null): string | null => (value === null ? null : String(value));
