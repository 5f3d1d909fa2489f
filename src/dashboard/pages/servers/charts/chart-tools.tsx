import { minuteMs, toTimestamp, type Instant } from "../../../../core/time.ts";
import { clock } from "../../../parts/value.tsx";
import { isShown, oldestShown, presets, type Chosen } from "./period.ts";

interface PeriodProps {
  readonly id: string;
  readonly chosen: Chosen;
  readonly retentionDays: number;
}

/** Links to the periods that end now. */
export function Presets({ id, chosen, retentionDays }: PeriodProps) {
  return (
    <nav aria-label="Period of the charts">
      <ul class="chips">
        {presets.map((preset) => (
          <li key={preset[0]}>
            {isShown(preset, retentionDays) ? (
              <a
                href={`/servers/${id}/charts?range=${preset[0]}`}
                aria-current={chosen.preset === preset ? "true" : undefined}
              >
                {preset[1]}
              </a>
            ) : (
              <span class="quiet" title={`The plan shows the last ${retentionDays} days`}>
                {preset[1]}
              </span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Two times to choose; with a script also the buttons that move and save the charts. */
export function ChartTools({ id, chosen, retentionDays, now }: PeriodProps & { readonly now: Instant }) {
  const limits = { first: oldestShown(retentionDays, now), last: now + minuteMs };
  return (
    <div class="row small">
      <div class="row keeps-room" data-with-script hidden>
        <MoveButton id="charts-earlier" shift={-0.5} words="Earlier" />
        <MoveButton id="charts-later" shift={0.5} words="Later" />
        <MoveButton id="charts-in" scale={0.5} words="Zoom in" />
        <MoveButton id="charts-out" scale={2} words="Zoom out" />
      </div>
      <details>
        <summary>Choose dates</summary>
        <form class="form inline" action={`/servers/${id}/charts`}>
          <TimeField name="from" label="From (UTC)" at={chosen.from} {...limits} />
          <TimeField name="to" label="To (UTC)" at={chosen.to} {...limits} />
          <button class="plain">Show</button>
        </form>
      </details>
      <details class="keeps-room" data-with-script hidden>
        <summary>Save or grab</summary>
        <div class="row">
          <button type="button" class="plain" data-save="csv">
            Save as CSV
          </button>
          <button type="button" class="plain" data-save="png">
            Save as PNG
          </button>
        </div>
        <p class="hint">
          Drag over a chart to zoom in, double-click to go back. Ctrl and the wheel, or two fingers, zoom;
          Shift and the wheel, or one finger, move. With the keyboard: arrow keys move, + and - zoom.
        </p>
      </details>
    </div>
  );
}

interface MoveButtonProps {
  /** By this id the button keeps the focus when the charts are loaded again. */
  readonly id: string;
  /** As a share of the period's length. */
  readonly shift?: number;
  /** A factor of the period's length. */
  readonly scale?: number;
  readonly words: string;
}

const MoveButton = ({ id, shift, scale, words }: MoveButtonProps) => (
  <button type="button" class="plain" id={id} data-shift={shift} data-scale={scale}>
    {words}
  </button>
);

interface TimeFieldProps {
  readonly name: string;
  readonly label: string;
  readonly at: Instant;
  /** The first and the last time that can be chosen. */
  readonly first: Instant;
  readonly last: Instant;
}

function TimeField({ name, label, at, first, last }: TimeFieldProps) {
  const id = `charts-${name}`;
  const written = (time: Instant) => toTimestamp(time).slice(0, 16);
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        name={name}
        required
        value={written(at)}
        min={written(first)}
        max={written(last)}
      />
    </p>
  );
}

/** The newest measurement is named as missing after this many intervals of the charts' points. */
const lateIntervals = 3;
/** But not before this time, ms. */
const lateMs = 3 * minuteMs;

interface NewestProps {
  /** Unix seconds. */
  readonly at: number | undefined;
  readonly bucketSeconds: number | null;
  readonly chosen: Chosen;
  readonly now: Instant;
}

/** In a period that ends now. The script writes newer times here. */
export function Newest({ at, bucketSeconds, chosen, now }: NewestProps) {
  if (chosen.preset === null || at === undefined) return null;
  const newest = toTimestamp(at * 1000);
  const isLate = now - at * 1000 > Math.max(lateMs, lateIntervals * (bucketSeconds ?? 0) * 1000);
  return isLate ? (
    <strong data-newest="">Nothing was measured since {clock(newest)}.</strong>
  ) : (
    <span data-newest="">The newest point is from {clock(newest)}.</span>
  );
}
