import type { LogLevel } from "../../core/access/dialogue.ts";

/** How long another process may use an outdated level, ms. */
const rememberedMs = 5000;
const mostRemembered = 10_000;

interface Known {
  readonly level: LogLevel | null;
  /** Of the monotonic clock. */
  readonly until: number;
}

/** Caches log levels by session and caller, so that few calls read them from the database. */
export class LogLevels {
  readonly #known = new Map<string, Known>();

  note(speaker: string, level: LogLevel | null): void {
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(speaker, { level, until: performance.now() + rememberedMs });
  }

  /** Undefined if the level is not cached. */
  known(speaker: string): LogLevel | null | undefined {
    const known = this.#known.get(speaker);
    return known && known.until > performance.now() ? known.level : undefined;
  }

  async of(speaker: string, find: () => Promise<LogLevel | null>): Promise<LogLevel | null> {
    const known = this.known(speaker);
    if (known !== undefined) return known;
    const level = await find();
    this.note(speaker, level);
    return level;
  }
}
