import type { HealthFinding, NextStep } from "../../../../../core/health/health.ts";
import { healthFindingNames } from "../../../../../core/health/finding-words.ts";
import { shownDuration } from "../../../../../core/text/plain-words.ts";
import { minuteMs, type Instant } from "../../../../../core/time.ts";
import { Age, clock, Quantity, Text } from "../../../../parts/value.tsx";
import { evidenceName, evidenceUnits, stepWords } from "../../../../words/health.ts";
import { ChangeWords } from "../../change-words.tsx";
import { SeverityWord } from "./severity-word.tsx";

interface FindingsProps {
  readonly serverId: string;
  readonly findings: readonly HealthFinding[];
  /** Findings that the answer counts but does not list. */
  readonly more: number;
  readonly now: Instant;
}

/** Worst first: each finding with its evidence, changes around its start, and what to do. */
export function Findings({ serverId, findings, more, now }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <>
      <ul class="entries">
        {findings.map((finding) => (
          <li key={finding.code} id={findingAnchor(finding)}>
            <h3>
              <SeverityWord of={finding.severity} /> {healthFindingNames[finding.code]}
            </h3>
            <p class="small quiet">
              <Beginning of={finding} now={now} /> ·{" "}
              <a href={`/docs/guides/health#${finding.code}`}>How this is judged</a>
            </p>
            {finding.subject !== null && (
              <p>
                Plugin: <Text value={finding.subject} />
              </p>
            )}
            {finding.suspects.length > 0 && (
              <p>
                The crash report suspects: <Text value={finding.suspects.join(", ")} />
              </p>
            )}
            <EvidenceList of={finding} now={now} />
            <Coincidences of={finding} />
            <NextSteps serverId={serverId} steps={finding.next} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="small quiet">
          {more === 1 ? "One more finding is" : `${more} more findings are`} not listed.
        </p>
      )}
    </>
  );
}

function Beginning({ of: { since, since_is_at_least, intermittent, held_by }, now }: BeginningProps) {
  if (since === null)
    return <>{since_is_at_least ? "It has held in the whole period." : "The start is not known."}</>;
  return (
    <>
      since {clock(since)}, <Age at={since} now={now} />
      {intermittent && ", with breaks"}
      {held_by !== null && ", less than at first"}
    </>
  );
}

interface BeginningProps {
  readonly of: HealthFinding;
  readonly now: Instant;
}

/** The fragment of a finding on the page. */
export const findingAnchor = ({ code }: Pick<HealthFinding, "code">): string => `finding-${code}`;

function EvidenceList({ of: { code, evidence }, now }: { of: HealthFinding; now: Instant }) {
  if (evidence.length === 0) return null;
  return (
    <ul class="evidence">
      {evidence.map(({ key, value, unit, threshold, measured_at }) => (
        <li key={key}>
          {evidenceName(key, code)}{" "}
          <strong>
            <Quantity value={value} unit={evidenceUnits[unit]} />
          </strong>{" "}
          <span class="small quiet">
            {threshold !== null && (
              <>
                threshold <Quantity value={threshold} unit={evidenceUnits[unit]} />
                {" · "}
              </>
            )}
            <Age at={measured_at} now={now} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Changes near the start of a finding, which are not proven to be its cause. */
function Coincidences({ of: { coincides_with } }: { of: HealthFinding }) {
  if (coincides_with.length === 0) return null;
  return (
    <div class="small">
      <p class="quiet">Changed around its start, which need not be the cause:</p>
      <ul class="caveats">
        {coincides_with.map((change) => (
          <li key={`${change.kind} ${change.at} ${change.subject}`}>
            <ChangeWords of={change} />, {distance(change.minutes_before)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How long before or after the start of a finding something changed. */
function distance(minutesBefore: number): string {
  const length = shownDuration(Math.abs(minutesBefore) * minuteMs);
  if (minutesBefore === 0) return "at the same time";
  return minutesBefore > 0 ? `${length} before` : `${length} after`;
}

function NextSteps({ serverId, steps }: { serverId: string; steps: readonly NextStep[] }) {
  if (steps.length === 0) return null;
  return (
    <p class="row small">
      Next:{" "}
      {steps.map(({ action }) => {
        const { text, page } = stepWords[action];
        return page === null ? (
          <span key={action}>{text}</span>
        ) : (
          <a key={action} href={page(serverId)}>
            {text}
          </a>
        );
      })}
    </p>
  );
}
