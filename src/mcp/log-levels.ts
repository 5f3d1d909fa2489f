import type { LogLevel } from "../core/access/dialogue.ts";

/** So long another process may go on with a level that was changed, ms. */
const rememberedMs = 5000;
const mostRemembered = 10_000;

interface Known {
  readonly level: LogLevel | null;
  /** Of the monotonic clock. */
  readonly until: number;
}

/**
 * The levels that sessions asked for, so that a call seldom has to look its own up. A session is told of its own
 * calls alone, so that its name is enough of a key.
 */
export class LogLevels {
  readonly #known = new Map<string, Known>();

  note(session: string, level: LogLevel | null): void {
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(session, { level, until: performance.now() + rememberedMs });
  }

  /** Undefined where it has to be looked up. */
  known(session: string): LogLevel | null | undefined {
    const known = this.#known.get(session);
    return known && known.until > performance.now() ? known.level : undefined;
  }

  async of(session: string, find: () => Promise<LogLevel | null>): Promise<LogLevel | null> {
    const known = this.known(session);
    if (known !== undefined) return known;
    const level = await find();
    this.note(session, level);
    return level;
  }
}
