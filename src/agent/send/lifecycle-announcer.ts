import type { Instant } from "../../core/time.ts";
import type { Reading } from "../sources/source.ts";

/** Figures that nothing but a living server tells. */
const living = ["tps", "mspt", "player_count"] as const;

/** Whether the server itself answered something of what was read. */
export const isAnswer = ({ measured }: Reading): boolean =>
  living.some((field) => (measured?.[field] ?? null) !== null);

/** What a turn saw of the server. */
export interface Observation {
  /** Null: no process of the server is to be seen from here. */
  readonly pid: number | null;
  /** Whether the server itself answered something. */
  readonly answered: boolean;
}

/** A server that answers so long after it said that it stops did not stop, ms. */
const stoppingMs = 120_000;

/** A stop that is older when it is read is history: nobody has to hear of it at once, ms. */
const newsMs = 90_000;

/**
 * Whether the game server is there, so that a heartbeat may speak for it: while its process runs or it answers, and
 * not from its stop on until it is there anew.
 */
export class LifecycleAnnouncer {
  #seen = false;
  #pid: number | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;
  #stop: { readonly at: Instant; readonly pid: number | null; left: boolean } | null = null;

  /** True while a heartbeat may say that the server lives. */
  get speaks(): boolean {
    return this.state === "there";
  }

  get state(): "there" | "stopped" | "gone" {
    if (this.#stop) return "stopped";
    return this.#seen ? "there" : "gone";
  }

  /** Takes what the server announced; true when it is news that it stops. */
  hear(announced: Reading["announced"], now: Instant): boolean {
    if (!announced || announced.at <= this.#heardAt) return false;
    this.#heardAt = announced.at;
    if (announced.what === "started") {
      this.#stop = null;
      return false;
    }
    if (this.#stop) return false;
    this.#stop = { at: announced.at, pid: this.#pid, left: false };
    return announced.at > now - newsMs;
  }

  see({ pid, answered }: Observation, now: Instant): void {
    this.#seen = pid !== null || answered;
    this.#pid = pid;
    const stop = this.#stop;
    if (!stop) return;
    if (!this.#seen) {
      stop.left = true;
      return;
    }
    const isAnother = pid !== null && stop.pid !== null && pid !== stop.pid;
    if (stop.left || isAnother || (answered && now - stop.at > stoppingMs)) this.#stop = null;
  }
}
