import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject } from "../../contract/endpoint/json-body.ts";

/** How often the list of tools is checked, ms; more often while the service is away. */
export interface CheckIntervals {
  readonly usualMs: number;
  readonly awayMs: number;
}

export const usualIntervals: CheckIntervals = { usualMs: 15_000, awayMs: 2_000 };

interface Watched {
  readonly offered: () => Promise<string | null>;
  readonly notify: () => void;
  readonly every: CheckIntervals;
}

/** Notifies a client over stdio when the tools have changed since it read the list or failed to read it. */
export class ToolsWatch {
  readonly #watched: Watched;
  readonly #over = new AbortController();
  #known: string | null = null;
  #looking: Promise<void> | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Called after the client has read the list, or an error; starts watching. */
  read(answer: object): void {
    const { result } = answer as { result?: unknown };
    const tools = isJsonObject(result) && Array.isArray(result["tools"]) ? result["tools"] : null;
    this.#known = tools && tools.map((tool: unknown) => (isJsonObject(tool) ? tool["name"] : "")).join();
    this.#looking ??= this.#look();
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { offered, notify: tell, every } = this.#watched;
    const { signal } = this.#over;
    while (!signal.aborted) {
      const pause = this.#known === null ? every.awayMs : every.usualMs;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      const now = await offered();
      if (now === null || now === this.#known || signal.aborted) continue;
      this.#known = now;
      tell();
    }
  }
}
