/** Least time between two warnings: a replica that comes and goes fills no log, ms. */
const warnAgainMs = 60_000;

export type TellOfReplica = (level: "warn" | "info", words: string) => void;

/** Says when a replica begins to be used and when it ends, each once. */
export class ReplicaLog {
  readonly #tell: TellOfReplica;
  /** What was said last; null: nothing. */
  #last: "used" | "unused" | null = null;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(tell: TellOfReplica) {
    this.#tell = tell;
  }

  noteUsed(): void {
    if (this.#last === "used") return;
    this.#last = "used";
    this.#tell("info", "The read replica answers series and lists.");
  }

  /** `why`: a part of a sentence, without a password. `now`: ms of a clock that never goes back. */
  noteUnused(now: number, why: string): void {
    if (this.#last === "unused" || now - this.#warnedAt < warnAgainMs) return;
    this.#last = "unused";
    this.#warnedAt = now;
    this.#tell("warn", `The read replica is not used, and the primary answers every read: ${why}.`);
  }
}
