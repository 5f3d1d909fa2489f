import { createHash } from "node:crypto";
import { Refusal } from "../../core/errors.ts";
import { minuteMs, type Instant } from "../../core/time.ts";

/** What a cache keeps, and for how long. */
export interface CacheLimits {
  /** Pages that are kept, and the bytes of all of them. */
  readonly mostPages: number;
  readonly mostBytes: number;
  /** An answer is made again after this time, ms. */
  readonly renewedAfterMs: number;
}

/** An answer of a status page is renewed after a minute. */
export const statusLimits: CacheLimits = {
  mostPages: 500,
  mostBytes: 16 * 1024 * 1024,
  renewedAfterMs: minuteMs,
};

/** Pages that wait for their turn to be made; the next one is refused. */
const mostWaiting = 200;
const retryAfterSeconds = 5;

export interface PublicBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** What one page answers, by the part that is asked for. */
export type PublicBodies<Part extends string> = Readonly<Record<Part, PublicBody>>;

interface Entry<Part extends string> {
  /** Of the page, as its owner left it. */
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
 * The answers of public pages in the memory of this process. Each is made at most once in a while and once at a
 * time, whoever asks, and all of them one after another, so that readers cannot make the service work harder.
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

  /** Whether an address has an answer, of whatever age: then it is the address of a page, or was a moment ago. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  /** Number of pages and of bytes that are kept. */
  get size(): { readonly pages: number; readonly bytes: number } {
    return { pages: this.#entries.size, bytes: this.#bytes };
  }

  /** The answers of a page; `make` is called where they are missing, older than that, or of another version. */
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

  /** Forgets an address that leads nowhere any more. */
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
    // The cast is safe: the parts are those of `texts`.
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
