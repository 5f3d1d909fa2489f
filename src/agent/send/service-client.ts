import { PluginApiError, type PluginClient } from "../../outbound/plugin-client.ts";
import { oneLine } from "../one-line.ts";

/** The service refuses the credential; nothing sent with it will ever arrive. */
export class Unlinked extends Error {
  constructor() {
    super(
      "The service refuses this server's credential, because the server was unlinked or linked again. Run tickmark agent link.",
    );
    this.name = "Unlinked";
  }
}

/** How a request ended: answered, refused for its content, or failed and to be sent again. */
export type SendOutcome<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed" };

/** First and longest rest after a failure, ms: a service that is back hears from us within a minute. */
const [firstRestMs, longestRestMs] = [1000, 60_000];
/** The longest Retry-After that is obeyed, ms. */
const longestWaitMs = 15 * 60_000;

/** Statuses for a fault in the body, which would be refused again. */
const faults: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Sends one request at a time, in order, and rests after failures, from 1 s doubling to 1 min. */
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

  /** Sends after all earlier requests; `failed` at once during a rest. Rejects with Unlinked. */
  send<T>(request: (client: PluginClient) => Promise<T>): Promise<SendOutcome<T>> {
    const sent = this.#turn.then(() => (this.open ? this.#attempt(request) : failed));
    this.#turn = Promise.allSettled([sent]);
    return sent;
  }

  /** Ends the rest, so that the last request of a process is sent at once. */
  insist(): void {
    this.#restUntil = 0;
  }

  async #attempt<T>(request: (client: PluginClient) => Promise<T>): Promise<SendOutcome<T>> {
    try {
      const answer = await request(this.#client);
      if (this.#failures > 0) this.#tell("The service can be reached again.");
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
    // Random, so that agents that lost the service together do not come back together.
    const own = doubled * (0.75 + Math.random() / 4);
    const retryAfterMs = error instanceof PluginApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    this.#restUntil = this.#elapsed() + Math.max(own, Math.min(retryAfterMs, longestWaitMs));
    if (this.#failures === 1)
      this.#tell(`The service cannot be reached (${oneLine(error)}). New data waits on disk.`);
  }
}

const failed = { kind: "failed" } as const;
