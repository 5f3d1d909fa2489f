import type { Instant } from "../../core/time.ts";
import type { Reading } from "../sources/source.ts";

/** Figures that only a running server gives. */
const living = ["tps", "mspt", "player_count"] as const;

/** Whether the server itself answered something of what was read. */
export const isAnswer = ({ measured }: Reading): boolean =>
  living.some((field) => (measured?.[field] ?? null) !== null);

/** What the agent prints when the server's state changed; null for a stop, which is printed once it was reported. */
export const stateSentence: Readonly<Record<LifecycleAnnouncer["state"], string | null>> = {
  there: "The server runs.",
  stopped: null,
  gone: "The server does not run (no process, no answer). The agent sends no heartbeat until it runs.",
};

/** The result of a turn's search for the server. */
export interface Observation {
  /** Null: no process of the server is to be seen from here. */
  readonly pid: number | null;
  /** Whether the server itself answered something. */
  readonly answered: boolean;
}

/** A server that still answers this long after it announced its stop did not stop, ms. */
const stoppingMs = 120_000;

/** An older stop is not announced at once, ms. */
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

  /** Takes an announcement of the server; true if it is a stop that has to be sent at once. */
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

  /** The machine's clock was set by so much: what happened before is moved along, so that what follows comes later. */
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
