import type { Instant } from "../time.ts";
import { Arrivals, Measurements, type ReplayedSample, type RuleSample } from "./arrivals.ts";
import { RuleReplay, type ReplayOutcome, type ReplayRequest } from "./rule-replay.ts";

export type PreviewRequest = ReplayRequest;

export interface PreviewOutcome extends ReplayOutcome {
  /** Samples of the period that came later than they were measured, so that no live rule saw them. */
  readonly lateSamples: number;
  /** Samples without a time of their own; they are judged nowhere. */
  readonly undated: number;
  /** The same rule on the samples that came in time, in the order in which they came. */
  readonly live: ReplayOutcome;
}

/**
 * Replays recorded samples twice: as they were measured, which answers when the rule would have fired on what
 * the server went through, and as they came in, which answers what live evaluation could know. Samples come in
 * order of measuring, in any number of parts.
 */
export class RulePreview {
  readonly #request: PreviewRequest;
  readonly #measured: RuleReplay;
  readonly #live: RuleReplay;
  readonly #measurements: Measurements;
  readonly #arrivals: Arrivals;
  #added = 0;
  #undated = 0;
  #unseen = 0;
  #late = 0;

  constructor(request: PreviewRequest) {
    this.#request = request;
    this.#measured = new RuleReplay(request);
    this.#live = new RuleReplay(request);
    this.#measurements = new Measurements((sample) => this.#measured.receive(sample));
    this.#arrivals = new Arrivals(
      (sample) => {
        if (!this.#live.receive(sample)) this.#countLate(sample);
      },
      (sample) => {
        this.#unseen += 1;
        this.#countLate(sample);
      },
    );
  }

  add(samples: Iterable<RuleSample>): void {
    for (const sample of samples) {
      this.#added += 1;
      const complete = completed(sample);
      if (complete === null) {
        this.#undated += 1;
        continue;
      }
      this.#measurements.add(complete);
      this.#arrivals.add(complete);
    }
  }

  /** To be called once, after all samples. Throws an Error if a sample was lost on the way. */
  outcome(): PreviewOutcome {
    this.#measurements.end();
    this.#arrivals.end();
    const [measured, live] = [this.#measured.outcome(), this.#live.outcome()];
    const dated = this.#added - this.#undated;
    for (const [name, count] of [
      ["measured", countOf(measured)],
      ["arrived", countOf(live) + this.#unseen],
    ] as const)
      if (count !== dated)
        throw new Error(`Of ${dated} samples as they ${name}, ${count} were accounted for.`);
    return { ...measured, lateSamples: this.#late, undated: this.#undated, live };
  }

  #countLate({ sampledAt }: ReplayedSample): void {
    if (sampledAt >= this.#request.from && sampledAt <= this.#request.to) this.#late += 1;
  }
}

const countOf = ({ samples, outside, repeated }: ReplayOutcome): number => samples + outside + repeated;

const isInstant = (value: Instant | null): value is Instant => value !== null && Number.isFinite(value);

/** A sample whose receipt is not on record counts as in time; null if it has no time of its own. */
function completed(sample: RuleSample): ReplayedSample | null {
  const { sampledAt, receivedAt, value, pausedEmpty, targetTps } = sample;
  if (!isInstant(sampledAt)) return null;
  return {
    sampledAt,
    receivedAt: isInstant(receivedAt) ? receivedAt : sampledAt,
    value: Number.isNaN(value) ? null : value,
    pausedEmpty,
    targetTps,
  };
}
