import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { diagnoseReport } from "../../../../endpoints/api/report/diagnose-report.ts";
import type { Attempt } from "../../../request-input.ts";
import { Mark } from "../../../parts/mark.tsx";
import { Shortened } from "../../../parts/shortened.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { measuredFigure, Text } from "../../../parts/value.tsx";
import { findingTitle, measuredName, unitSign } from "../../../words/diagnosis.ts";
import { testReasonWords, spelled } from "../../../words/reports.ts";

type DiagnosisAnswer = PersonAnswer<typeof diagnoseReport>;
type Finding = DiagnosisAnswer["findings"][number];

export function DiagnosisCard({ diagnosis }: { diagnosis: Attempt<DiagnosisAnswer> }) {
  const { value, refusal } = diagnosis;
  return (
    <Card
      id="diagnosis"
      title="Diagnosis"
      aside={value && <span class="small quiet">rules version {value.diagnosis_version}</span>}
    >
      {refusal && <Notice>{refusal.message}</Notice>}
      {value?.findings.length === 0 && (
        <p>
          <State means="good">The measurements show no problem.</State>
        </p>
      )}
      {value && value.findings.length > 0 && (
        <Shortened
          items={value.findings}
          first={4}
          others="more findings"
          keyOf={({ code, subject }) => `${code} ${subject}`}
        >
          {(finding) => <OneFinding finding={finding} />}
        </Shortened>
      )}
    </Card>
  );
}

function OneFinding({ finding }: { finding: Finding }) {
  const { code, severity, subject, cause, evidence, reason_code } = finding;
  return (
    <>
      <div class="title">
        <h3>{findingTitle(finding)}</h3>
        <Severity value={severity} />
      </div>
      <p class="small">
        <a class="mono" href={`/docs/guides/diagnosis#${code}`}>
          {code}
        </a>
        {subject !== null && (
          <>
            {" · "}of <Text value={subject} />
          </>
        )}
        {" · "}
        {cause === null ? "cause not known" : `cause: ${spelled(cause).toLowerCase()}`}
        {reason_code !== null && (
          <>
            {" · "}reason: <Text value={testReasonWords(reason_code)} />
          </>
        )}
      </p>
      <ul class="evidence">
        {evidence.map(({ key, value, unit }, index) => (
          <li key={`${index} ${key}`}>
            <span class="quiet">
              <Text value={key && measuredName(key, unit)} />
            </span>{" "}
            {value === null ? "not measured" : measuredFigure(value)}
            {value !== null && unit !== null && unitSign(unit) !== "" && (
              <span class="unit">
                {" "}
                <Text value={unitSign(unit)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Severity({ value }: { value: Finding["severity"] }) {
  if (value === "info") return <Mark shape="info">info</Mark>;
  return <State means={value === "critical" ? "bad" : "watch"}>{value}</State>;
}
