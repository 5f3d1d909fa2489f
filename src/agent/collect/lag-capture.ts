import { dayMs, hourMs, minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { oneLine } from "../one-line.ts";
import type { Finding, Measured, ServerConsole } from "../sources/source.ts";
import { LagWatch } from "./lag-watch.ts";

/** Seconds that spark records. */
const recordedSeconds = 60;

/**
 * Only ticks of more than 50 ms, the time that a tick has. Without the file spark would upload the profile to a
 * service of its own.
 */
export const lagCommand = `spark profiler start --timeout ${recordedSeconds} --only-ticks-over 50 --save-to-file`;

/** At least so long after any other profile of this server, ms. */
const apartMs = hourMs;
const mostPerDay = 6;

/** A profile that is not there so long after the recording will not come, ms. */
const patienceMs = recordedSeconds * secondMs + 3 * minuteMs;
/** A profile that is there and cannot be uploaded is tried again for so long, ms. */
const uploadMs = hourMs;

/** spark refuses a second recording, and a server without spark does not know the command. */
const refusals: readonly { readonly answer: RegExp; readonly says: string }[] = [
  { answer: /already running/i, says: "spark records a profile already, so none was started" },
  { answer: /tick counting is not supported/i, says: "spark counts no ticks on this server" },
  { answer: /unknown (?:or incomplete )?command/i, says: "the server knows no command of spark" },
];

export interface LagCaptureParts {
  /** When spark saved the profiles of the last day that are still there; null if spark is not installed. */
  readonly savedSince: (since: Instant) => Promise<readonly Instant[] | null>;
  /** Uploads what spark saved since `since`. Resolves with a sentence about it; null while there is nothing. */
  readonly upload: (since: Instant) => Promise<string | null>;
  readonly clock: () => Instant;
  readonly elapsed: () => number;
  readonly tell: (line: string) => void;
}

interface Recording {
  readonly from: Instant;
  /** By `elapsed`, ms. */
  readonly startedAt: number;
  /** Why the last upload failed. */
  failure: string | null;
}

/** Has spark record a profile when the server lags, and uploads the file that spark saves. */
export class LagCapture {
  readonly #parts: LagCaptureParts;
  readonly #watch = new LagWatch();
  #tried: readonly Instant[] = [];
  #recording: Recording | null = null;
  #underWay: Promise<void> | null = null;

  constructor(parts: LagCaptureParts) {
    this.#parts = parts;
  }

  /** Takes the figures of each turn; `console` is null if the server's console cannot be asked. */
  see(measured: Measured, console: ServerConsole | null, signal: AbortSignal): void {
    const lags = this.#watch.note(measured, this.#parts.elapsed());
    if (this.#underWay !== null) return;
    const work = this.#recording
      ? this.#collect(this.#recording)
      : lags && console
        ? this.#start(console, signal)
        : null;
    this.#underWay =
      work
        ?.catch((error: unknown) => this.#say(`it failed (${oneLine(error)})`))
        .finally(() => {
          this.#underWay = null;
        }) ?? null;
  }

  async settled(): Promise<void> {
    await this.#underWay;
  }

  #say(words: string): void {
    this.#parts.tell(`Profile of the lag: ${words}.`);
  }

  async #start(console: ServerConsole, signal: AbortSignal): Promise<void> {
    const { clock, elapsed, savedSince } = this.#parts;
    const from = clock();
    const saved = await savedSince(from - dayMs);
    if (saved === null) return;
    const others = saved.filter(
      (at) => !this.#tried.some((tried) => at >= tried && at <= tried + patienceMs),
    );
    if (!mayRecord([...others, ...this.#tried], from)) return;
    this.#tried = [...this.#tried, from].filter((at) => at > from - dayMs);
    const answer = await console.run(lagCommand, signal);
    const refusal = refusals.find(({ answer: pattern }) => pattern.test(answer));
    if (refusal) return this.#say(refusal.says);
    this.#recording = { from, startedAt: elapsed(), failure: null };
    this.#say(`ticks have been over their budget for 2 min, and spark records for ${recordedSeconds} s`);
  }

  async #collect(recording: Recording): Promise<void> {
    const { elapsed, upload } = this.#parts;
    const done = await upload(recording.from).catch((error: unknown) => {
      recording.failure = oneLine(error);
      return null;
    });
    const tookMs = elapsed() - recording.startedAt;
    if (done === null && tookMs < (recording.failure === null ? patienceMs : uploadMs)) return;
    this.#recording = null;
    this.#say(
      done ??
        (recording.failure === null
          ? "spark saved none, so the server may refuse the command"
          : `it could not be uploaded (${recording.failure})`),
    );
  }
}

/** `times` are those of profiles that were saved or tried in the last day. */
const mayRecord = (times: readonly Instant[], now: Instant): boolean =>
  times.length < mostPerDay && times.every((at) => at <= now - apartMs);

const about = "profile of a lag";

/** The line of `agent check`. */
export function lagFinding({
  hasSpark,
  hasConsole,
}: {
  readonly hasSpark: boolean;
  readonly hasConsole: boolean;
}): Finding {
  if (!hasSpark)
    return {
      able: false,
      about,
      says: "spark is not installed: the server has neither plugins/spark nor config/spark. With it and RCON, a lag is profiled while it lasts.",
    };
  if (!hasConsole)
    return { able: false, about, says: "spark is installed, but only RCON can start it, which is off." };
  return {
    able: true,
    about,
    says: `If ticks are over their budget for 2 min, spark records ${recordedSeconds} s of them and the file is uploaded, at most once an hour and ${mostPerDay} times a day. --no-lag-profiles of agent run switches it off.`,
  };
}
