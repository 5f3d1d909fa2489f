import { createHash } from "node:crypto";
import { Refusal } from "../../core/errors.ts";
import { minuteMs, type Instant } from "../../core/time.ts";

export interface CacheLimits {
  /** The most pages, and the most bytes of all of them. */
  readonly mostPages: number;
  readonly mostBytes: number;
  /** Older answers are made again, ms. */
  readonly renewedAfterMs: number;
}

export const statusLimits: CacheLimits = {
  mostPages: 500,
  mostBytes: 16 * 1024 * 1024,
  renewedAfterMs: minuteMs,
};

/** Pages that wait to be made; the next one is refused. */
const mostWaiting = 200;
const retryAfterSeconds = 5;

export interface PublicBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

export type PublicBodies<Part extends string> = Readonly<Record<Part, PublicBody>>;

interface Entry<Part extends string> {
  /** The owner's version of the page. */
  readonly version: string;
  readonly madeAt: Instant;
  readonly bodies: PublicBodies<Part>;
  readonly size: number;
}

const bodyOf = (text: string): PublicBody => {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
};

/**
 * Answers of public pages, in memory. Each page is made once at a time and again only after a while, and all
 * pages one after another, so that readers cannot make the service work harder.
 */
export class PublicCache<Part extends string> {
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry<Part>>();
  readonly #waiting = new Map<string, Promise<PublicBodies<Part>>>();
  #turn: Promise<unknown> = Promise.resolve();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  /** Whether an address has an answer of any age: it leads to a page, or did a moment ago. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  get size(): { readonly pages: number; readonly bytes: number } {
    return { pages: this.#entries.size, bytes: this.#bytes };
  }

  /** Calls `make` if there are no answers of this version, or they are too old. */
  async of(
    address: string,
    version: string,
    now: Instant,
    make: () => Promise<Readonly<Record<Part, string>>>,
  ): Promise<PublicBodies<Part>> {
    const kept = this.#entries.get(address);
    if (kept?.version === version && now >= kept.madeAt && now - kept.madeAt < this.#limits.renewedAfterMs)
      return kept.bodies;
    const key = `${address} ${version}`;
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    if (this.#waiting.size >= mostWaiting) throw busy();
    const made = this.#turn.then(async () => this.#keep(address, version, now, await make()));
    this.#turn = made.catch(() => {});
    this.#waiting.set(key, made);
    try {
      return await made;
    } finally {
      this.#waiting.delete(key);
    }
  }

  forget(address: string): void {
    this.#bytes -= this.#entries.get(address)?.size ?? 0;
    this.#entries.delete(address);
  }

  #keep(
    address: string,
    version: string,
    madeAt: Instant,
    texts: Readonly<Record<Part, string>>,
  ): PublicBodies<Part> {
    const made = Object.entries<string>(texts).map(([part, text]) => [part, bodyOf(text)] as const);
    // Sound: the parts are those of `texts`.
    const bodies = Object.fromEntries(made) as unknown as PublicBodies<Part>;
    const size = made.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
    this.forget(address);
    this.#entries.set(address, { version, madeAt, bodies, size });
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.mostPages && this.#bytes <= this.#limits.mostBytes) break;
      this.forget(oldest);
    }
    return bodies;
  }
}

const busy = (): Refusal => {
  const words = "Too many public pages are being made at the moment. Wait, then open the page again.";
  return new Refusal("rate_limited", words, {}, retryAfterSeconds);
};
