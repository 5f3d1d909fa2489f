import type { Instant } from "../../core/time.ts";
import type { Reading } from "../sources/source.ts";

/** Figures that only a running server gives. */
const living = ["tps", "mspt", "player_count"] as const;

/** Whether a figure shows that the server itself answered. */
export const isAnswer = ({ measured }: Reading): boolean =>
  living.some((field) => (measured?.[field] ?? null) !== null);

/** Printed when the state changes; null for a stop, which is printed once it is reported. */
export const stateSentence: Readonly<Record<LifecycleAnnouncer["state"], string | null>> = {
  there: "The server runs.",
  stopped: null,
  gone: "The server does not run (no process, no answer). The agent sends no heartbeat until it runs.",
};

export interface Observation {
  /** Null if no process of the server is visible from here. */
  readonly pid: number | null;
  readonly answered: boolean;
}

/** A server that still answers this long after it announced its stop did not stop, ms. */
const stoppingMs = 120_000;

/** An older stop is not announced at once, ms. */
const newsMs = 90_000;

/** Heartbeats are sent while the server runs or answers, but not from its stop to its next start. */
export class LifecycleAnnouncer {
  #seen = false;
  #pid: number | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;
  #stop: { readonly at: Instant; readonly pid: number | null; left: boolean } | null = null;

  get speaks(): boolean {
    return this.state === "there";
  }

  get state(): "there" | "stopped" | "gone" {
    if (this.#stop) return "stopped";
    return this.#seen ? "there" : "gone";
  }

  /** True for a stop that has to be sent at once. */
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

  /** Moves known times along when the clock is set, so that later announcements stay later. */
  moveClock(byMs: number): void {
    this.#heardAt += byMs;
    if (this.#stop) this.#stop = { ...this.#stop, at: this.#stop.at + byMs };
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
