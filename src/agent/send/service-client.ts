import { PluginApiError, type PluginClient } from "../../outbound/plugin-client.ts";
import { oneLine } from "../one-line.ts";

/** The service takes this credential no more: nothing that is sent with it will ever arrive. */
export class Unlinked extends Error {
  constructor() {
    super(
      "The service takes this server's credential no more: it was unlinked or linked anew. Run tickmark agent link again.",
    );
    this.name = "Unlinked";
  }
}

/** How a request ended: answered, refused for what it says, or not come through (and to be sent again). */
export type SendOutcome<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed" };

/** The first rest after a failure, and the longest, ms: a service that is back hears of us within a minute. */
const [firstRestMs, longestRestMs] = [1000, 60_000];
/** The longest that a service may ask to be left alone and is obeyed, ms. */
const longestWaitMs = 15 * 60_000;

/** Statuses that say that the body is at fault, and would be every time. */
const faults: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/**
 * The way to the service: one request at a time, in the order they were asked for, and a rest after failures that
 * doubles from 1 s to 1 min. When it begins and ends to fail is told, not each failure.
 */
export class ServiceClient {
  readonly #client: PluginClient;
  readonly #elapsed: () => number;
  readonly #tell: (line: string) => void;
  #turn: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #restUntil = 0;

  constructor(client: PluginClient, elapsed: () => number, tell: (line: string) => void) {
    this.#client = client;
    this.#elapsed = elapsed;
    this.#tell = tell;
  }

  /** False during a rest. */
  get open(): boolean {
    return this.#elapsed() >= this.#restUntil;
  }

  /** Sends when everything before is through; `failed` at once during a rest. Rejects with Unlinked. */
  send<T>(request: (client: PluginClient) => Promise<T>): Promise<SendOutcome<T>> {
    const sent = this.#turn.then(() => (this.open ? this.#attempt(request) : failed));
    this.#turn = sent.catch(() => {});
    return sent;
  }

  /** Tries at once, whatever failed before: for the last word of a process. */
  insist(): void {
    this.#restUntil = 0;
  }

  async #attempt<T>(request: (client: PluginClient) => Promise<T>): Promise<SendOutcome<T>> {
    try {
      const answer = await request(this.#client);
      if (this.#failures > 0) this.#tell("The service is reached again.");
      this.#failures = 0;
      return { kind: "answered", answer };
    } catch (error) {
      if (error instanceof PluginApiError && error.status === 401) throw new Unlinked();
      if (error instanceof PluginApiError && faults.has(error.status))
        return { kind: "refused", why: oneLine(error) };
      this.#rest(error);
      return failed;
    }
  }

  #rest(error: unknown): void {
    this.#failures += 1;
    const doubled = Math.min(longestRestMs, firstRestMs * 2 ** (this.#failures - 1));
    // So that agents that lost a service together do not come back in one instant.
    const own = doubled * (0.75 + Math.random() / 4);
    const asked = error instanceof PluginApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    this.#restUntil = this.#elapsed() + Math.max(own, Math.min(asked, longestWaitMs));
    if (this.#failures === 1)
      this.#tell(`The service is not reached (${oneLine(error)}). What is measured waits on disk.`);
  }
}

const failed = { kind: "failed" } as const;
