import { Client, type ClientBase, type ClientConfig } from "pg";
import { Unavailable } from "../../core/errors.ts";
import type { TellOperator } from "./file-watch.ts";
import { isDirect, isShared, isSignOfPooler, SharedConnections } from "./postgres-pooler.ts";

/** How often connections behind a pooler are looked at: its mode can be changed while the service runs, ms. */
const lookMs = 5000;

/** Two connections of the pool at once, whatever is known against them. */
type WithTwo = (use: (one: ClientBase, other: ClientBase) => Promise<void>) => Promise<void>;

const inUse =
  "The connection pooler before the database gives each transaction another connection now (transaction or statement pooling). Nothing is read or written until it keeps them apart: set pool_mode = session for this database, or connect to PostgreSQL itself.";

/** Refuses to work over connections that a pooler shares, before anything of a session is left on them. */
export async function refuseShared(config: ClientConfig): Promise<{ readonly isDirect: boolean }> {
  const opened: Client[] = [];
  const connected = async (): Promise<Client> => {
    const client = new Client(config);
    // A pooler of statements hangs up on a transaction; the query says so.
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

/** Looks from time to time whether the pooler still keeps the connections of this process apart. */
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

  /** How often the pooler began or ended to share: what a connection from before prepared may be another one's since. */
  get changes(): number {
    return this.#changes;
  }

  get refusal(): Unavailable | null {
    return this.#isShared ? new Unavailable(null, "pooler") : null;
  }

  /** A new connection: behind an address that was direct there can be a pooler by now, and the other way round. */
  async connected(client: ClientBase): Promise<void> {
    const found = await isDirect(client);
    if (found === this.#isDirect) return;
    this.#isDirect = found;
    void this.look();
  }

  /** The failure of a call as its caller reads it; a sign of a pooler has its connections looked at. */
  explained(error: unknown): unknown {
    if (!isSignOfPooler(error)) return error;
    void this.look();
    return new Unavailable(error, "pooler");
  }

  /** Looks now, once at a time; a database that does not answer says nothing of the pooler. */
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
