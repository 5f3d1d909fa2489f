import { ReplicaLag } from "./replica-lag.ts";
import { ReplicaLog, type TellOfReplica } from "./replica-log.ts";
import { replicaFault, ServerPair } from "./replica-servers.ts";

/** A replica that is further behind answers nothing, ms. */
const mostBehindMs = 2000;

/** Time from the end of one measurement to the next, ms. */
const measureMs = 500;

/** Measures twice a second how far a replica is behind, and says whether it may be read. */
export class ReplicaWatch {
  readonly #lag = new ReplicaLag();
  readonly #servers: ServerPair;
  readonly #log: ReplicaLog;
  readonly #since = performance.now();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  /** Why the replica is not used, whatever its lag is; null: nothing speaks against it. */
  #fault: string | null = "it was not measured yet";
  #server: string | null = null;

  /** `tell` hears when the replica is used and when not. */
  constructor(primaryUrl: string, replicaUrl: string, tell: TellOfReplica) {
    this.#servers = new ServerPair(primaryUrl, replicaUrl);
    this.#log = new ReplicaLog(tell);
    void this.#measure();
  }

  /** The server that was measured; null before the first measurement. */
  get server(): string | null {
    return this.#server;
  }

  /** Also false if the last measurement is older than the lag may be. */
  isUsed(): boolean {
    const behind = this.lagMs();
    return this.#fault === null && behind !== null && behind <= mostBehindMs;
  }

  lagMs(): number | null {
    return this.#lag.behindMs(performance.now());
  }

  /** A read did not reach the replica: it is not used until it is measured again. */
  noteLost(error: unknown): void {
    this.#fault = replicaFault(error);
  }

  async #measure(): Promise<void> {
    try {
      const { at, written, replayed, server } = await this.#servers.positions();
      this.#lag.noteWritten(at, written);
      this.#lag.noteReplayed(replayed);
      this.#server = server;
      this.#fault = null;
    } catch (error) {
      this.#fault = replicaFault(error);
    }
    if (this.#isClosed) return this.#servers.end();
    this.#announce();
    this.#timer = setTimeout(() => void this.#measure(), measureMs).unref();
  }

  #announce(): void {
    const now = performance.now();
    if (this.isUsed()) return this.#log.noteUsed();
    // The first measurement may need a second one before the lag is known.
    if (this.#fault === null && now - this.#since < mostBehindMs) return;
    const behind = this.lagMs();
    const lag = behind === null ? "too far" : `${(behind / 1000).toFixed(1)} s`;
    this.#log.noteUnused(now, this.#fault ?? `it is ${lag} behind`);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#servers.end();
  }
}
