import { Troubles } from "../troubles.ts";

/** The owner's pause, and whether the service knows of it. */
export interface KeptPause {
  isOn(): Promise<boolean>;
  isAnnounced(): Promise<boolean>;
  announced(): Promise<void>;
}

const words = ["The file of the pause cannot be used", "The file of the pause can be used again."] as const;

/** Follows the owner's pause, and announces it to the service. */
export class OwnerPause {
  readonly #kept: KeptPause;
  readonly #tell: (line: string) => void;
  readonly #troubles: Troubles;
  /** `wanted`: the service does not know of the pause yet. */
  #state: "none" | "wanted" | "announced" = "none";

  constructor(kept: KeptPause, tell: (line: string) => void) {
    this.#kept = kept;
    this.#tell = tell;
    this.#troubles = new Troubles(tell);
  }

  get isOn(): boolean {
    return this.#state !== "none";
  }

  get isUnannounced(): boolean {
    return this.#state === "wanted";
  }

  /** True if a pause ended. If the file cannot be used, the state stays. */
  async look(): Promise<boolean> {
    const isOn = (await this.#troubles.attempt(words, () => this.#kept.isOn())) ?? this.isOn;
    if (isOn === this.isOn) return false;
    if (!isOn) {
      this.#state = "none";
      this.#tell("Monitoring continues.");
      return true;
    }
    const isAnnounced = await this.#troubles.attempt(words, () => this.#kept.isAnnounced());
    this.#state = isAnnounced ? "announced" : "wanted";
    this.#tell("Monitoring is paused. tickmark agent resume ends the pause.");
    return false;
  }

  /** Announces the pause once; a failed announcement is tried again. */
  async announce(send: () => Promise<boolean>): Promise<void> {
    if (this.#state !== "wanted") return;
    this.#state = "announced";
    if (await send()) await this.#troubles.attempt(words, () => this.#kept.announced());
    else if (this.isOn) this.#state = "wanted";
  }
}
