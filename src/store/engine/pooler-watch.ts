import { Client, type ClientBase, type ClientConfig } from "pg";
import { Unavailable } from "../../core/errors.ts";
import type { TellOperator } from "./file-watch.ts";
import { isDirect, isShared, isSignOfPooler, SharedConnections } from "./postgres-pooler.ts";

/** Time between two checks, ms: a pooler's mode can change while the service runs. */
const lookMs = 5000;

/** Lends two connections of the pool at once, even while the pooler is refused. */
type WithTwo = (use: (one: ClientBase, other: ClientBase) => Promise<void>) => Promise<void>;

const inUse =
  "The connection pooler before the database gives each transaction another connection now (transaction or statement pooling). Nothing is read or written until it keeps them apart: set pool_mode = session for this database, or connect to PostgreSQL itself.";

/** Throws SharedConnections if a pooler shares connections, before any session state is left on them. */
export async function refuseShared(config: ClientConfig): Promise<{ readonly isDirect: boolean }> {
  const opened: Client[] = [];
  const connected = async (): Promise<Client> => {
    const client = new Client(config);
    // A statement pooler closes the connection on BEGIN; the query reports the error itself.
    client.on("error", () => {});
    opened.push(client);
    await client.connect();
    return client;
  };
  try {
    const one = await connected();
    if (await isDirect(one)) return { isDirect: true };
    if (await isShared(one, await connected())) throw new SharedConnections();
    return { isDirect: false };
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})));
  }
}

/** Checks regularly whether the pooler still gives each client its own connection. */
export class PoolerWatch {
  readonly #withTwo: WithTwo;
  readonly #tell: TellOperator;
  readonly #timer: NodeJS.Timeout;
  #isDirect: boolean;
  #isShared = false;
  #changes = 0;
  #looking: Promise<void> | null = null;

  constructor(isDirectAtStart: boolean, withTwo: WithTwo, tell: TellOperator) {
    this.#isDirect = isDirectAtStart;
    this.#withTwo = withTwo;
    this.#tell = tell;
    this.#timer = setInterval(() => {
      if (!this.#isDirect) void this.look();
    }, lookMs).unref();
  }

  /** Starts and ends of sharing so far: what was prepared before may belong to another client since. */
  get changes(): number {
    return this.#changes;
  }

  get refusal(): Unavailable | null {
    return this.#isShared ? new Unavailable(null, "pooler") : null;
  }

  /** Checks a new connection: a pooler may have come between since the start, or may be gone. */
  async connected(client: ClientBase): Promise<void> {
    const found = await isDirect(client);
    if (found === this.#isDirect) return;
    this.#isDirect = found;
    void this.look();
  }

  /** Turns the error of a call into the one its caller gets; a sign of a pooler also starts a check. */
  explained(error: unknown): unknown {
    if (!isSignOfPooler(error)) return error;
    void this.look();
    return new Unavailable(error, "pooler");
  }

  /** Checks now, one check at a time. If the database does not answer, the last result stays. */
  look(): Promise<void> {
    this.#looking ??= this.#withTwo(async (one, other) => this.#note(await isShared(one, other)))
      .catch(() => {})
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  #note(isSharedNow: boolean): void {
    if (isSharedNow === this.#isShared) return;
    this.#isShared = isSharedNow;
    this.#changes += 1;
    if (isSharedNow) this.#tell("error", inUse);
    else this.#tell("info", "The connection pooler keeps connections apart again: the service goes on.");
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}
