import type { Availability, ServerHealth } from "../../../../core/health/health.ts";
import { shownDuration } from "../../../../core/text/plain-words.ts";
import { secondMs, type Instant } from "../../../../core/time.ts";
import { Card, State } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Age, clock, Quantity } from "../../../parts/value.tsx";
import { availabilityParts } from "../../../words/health.ts";
import { PartsBar } from "./parts-bar.tsx";
import { ChangeWords } from "../change-words.tsx";

/** Changes on the server, and how its time was spent. */
export function HealthPeriod({ health, now }: { health: ServerHealth; now: Instant }) {
  const { changes, availability, period } = health;
  const words = `${clock(period.from)} to ${clock(period.to)}`;
  return (
    <div class="columns">
      <Card title="What changed" id="changes">
        <p class="small quiet">{words}</p>
        {changes.length === 0 ? (
          <p class="quiet">
            No change was reported: no start, crash, backup or maintenance, and no change of software or
            settings.
          </p>
        ) : (
          <ol class="timeline">
            {changes.map((change) => (
              <li key={change.event_id}>
                <div class="when small quiet">
                  <Age at={change.at} now={now} /> <br />
                  {clock(change.at)}
                </div>
                <p>
                  <ChangeWords of={change} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title="Availability" id="availability">
        <p class="small quiet">{words}</p>
        <AvailabilityFigures availability={availability} />
      </Card>
    </div>
  );
}

function AvailabilityFigures({ availability }: { availability: Availability }) {
  const { percent, incidents } = availability;
  return (
    <>
      <p class="judged">
        {percent === null ? (
          "Nothing was monitored in this period."
        ) : (
          <>
            <strong>
              <Quantity value={percent} unit="%" digits={2} />
            </strong>{" "}
            up,{" "}
            {incidents === 0 ? "no incident" : incidents === 1 ? "one incident" : `${incidents} incidents`}
          </>
        )}
      </p>
      <PartsBar availability={availability} />
      <Facts
        of={availabilityParts
          .filter(([part]) => availability[part] > 0)
          .map(([part, name, means]) => [
            name,
            <State key={part} means={means}>
              {shownDuration(availability[part] * secondMs)}
            </State>,
          ])}
      />
      <p class="small quiet">
        The percentage is the share of up in up and down: the other parts are no fault.
      </p>
    </>
  );
}
