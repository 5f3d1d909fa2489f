import { absence } from "../../../words/glossary.ts";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getTuningAdvice } from "../../../../endpoints/api/report/get-tuning-advice.ts";
import type { Attempt } from "../../../request-input.ts";
import { ExternalLink } from "../../../parts/external-link.tsx";
import { Shortened } from "../../../parts/shortened.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { measuredFigure } from "../../../parts/value.tsx";
import {
  adviceWords,
  areaWords,
  measuredName,
  notMeasuredWords,
  unitSign,
} from "../../../words/diagnosis.ts";
import { scoreWords, spelled } from "../../../words/reports.ts";

type TuningAnswer = PersonAnswer<typeof getTuningAdvice>;
type Area = TuningAnswer["areas"][number];
type Advice = TuningAnswer["recommendations"][number];

/** Each change has its measurement and the test that shows its effect. */
export function TuningCard({ advice, shortId }: { advice: Attempt<TuningAnswer>; shortId: string }) {
  const { value, refusal } = advice;
  return (
    <Card
      id="tuning"
      title="Tuning"
      aside={value && <span class="small quiet">rules version {value.tuning_version}</span>}
    >
      {refusal && <Notice>{refusal.message}</Notice>}
      {value && (
        <dl class="facts">
          {value.areas.map((area) => (
            <div key={area.area}>
              <dt>{areaWords[area.area]}</dt>
              <dd>
                <AreaState area={area} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {value && value.recommendations.length > 0 && (
        <Shortened
          items={value.recommendations}
          first={3}
          others="more changes to try"
          keyOf={({ code }) => code}
        >
          {(recommendation) => <OneRecommendation advice={recommendation} shortId={shortId} />}
        </Shortened>
      )}
    </Card>
  );
}

/** An area without measurements differs from one with nothing to change. */
function AreaState({ area: { status, reason, recommendations } }: { area: Area }) {
  if (status === "recommended") return <State means="watch">{recommendations} to try</State>;
  if (status === "nothing_to_change") return <State means="good">nothing to change</State>;
  return (
    <>
      <State means="unknown">not measured</State>
      {reason !== null && <div class="small quiet">{notMeasuredWords[reason]}</div>}
    </>
  );
}

const comparators: Readonly<Record<Advice["trigger"]["comparator"], string>> = {
  above: "above",
  below: "below",
  at_least: "at least",
  at_most: "at most",
  equals: "equal to",
};

function OneRecommendation({ advice, shortId }: { advice: Advice; shortId: string }) {
  const { code, area, trigger, retest, impact, risk, side_effect, source } = advice;
  const judge = new URLSearchParams({ before: shortId, target: code });
  return (
    <>
      <div class="title">
        <h3>{adviceWords[code]}</h3>
        <span class="small quiet">
          {areaWords[area]} · impact {impact} · risk {risk}
        </span>
      </div>
      <Change advice={advice} />
      <p>
        {measuredName(trigger.metric, trigger.unit)} was {measuredFigure(trigger.value)}
        <span class="unit"> {unitSign(trigger.unit)}</span>, {comparators[trigger.comparator]}{" "}
        {measuredFigure(trigger.threshold)}
        <span class="unit"> {unitSign(trigger.unit)}</span>.
      </p>
      <p>
        Then run the test <code>{retest.test_id}</code> again and look at the score{" "}
        {scoreWords[retest.metric]}: <a href={`/reports/before-after?${judge}`}>judge the change</a>.
      </p>
      <p class="small quiet">
        <span class="mono">{code}</span>
        {side_effect !== null && ` · side effect: ${spelled(side_effect).toLowerCase()}`}
        {source !== null && (
          <>
            {" · "}
            <ExternalLink href={source}>read more</ExternalLink>
          </>
        )}
      </p>
    </>
  );
}

const kinds: Readonly<Record<Advice["setting"]["kind"], string>> = {
  config: "Setting",
  jvm_flag: "JVM option",
  host: "Host",
  action: "To do",
};

/** The longest value inside a sentence, characters. */
const inSentence = 40;

const Suggested = ({ value }: { value: string }) =>
  value.length <= inSentence ? <strong>{value}</strong> : <code class="typed block">{value}</code>;

function Change({ advice: { setting, current, suggested, unit } }: { advice: Advice }) {
  const isSetting = setting.kind === "config" || setting.kind === "jvm_flag";
  return (
    <p>
      {kinds[setting.kind]}
      {setting.file !== null && (
        <>
          {" "}
          in <code>{setting.file}</code>
        </>
      )}
      {setting.key !== null && (
        <>
          : <code>{setting.key}</code>
        </>
      )}
      {isSetting && (
        <>
          {" "}
          from <strong>{current === null ? absence.unknown : String(current)}</strong>
        </>
      )}
      {suggested !== null && (
        <>
          {" "}
          to <Suggested value={String(suggested)} />
        </>
      )}
      {unit !== null && <span class="unit"> {unit}</span>}
    </p>
  );
}
