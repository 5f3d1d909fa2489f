import { createHash } from "node:crypto";
import { Refusal } from "../../core/errors.ts";
import { minuteMs, type Instant } from "../../core/time.ts";

/** An answer of a status page is renewed after a minute. */
export const renewedAfterMs = minuteMs;

/** Pages that are kept, and the bytes of all of them. */
const mostPages = 500;
const mostBytes = 16 * 1024 * 1024;
/** Pages that wait for their turn to be made; the next one is refused. */
const mostWaiting = 200;
const retryAfterSeconds = 5;

/** The texts that are made of one status page. */
export type StatusTexts = Readonly<Record<"page" | "badge" | "chart", string>>;
export type StatusPart = keyof StatusTexts;

export interface StatusBody {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** What one status page answers. */
export type StatusBodies = Readonly<Record<StatusPart, StatusBody>>;

interface Entry {
  /** Of the page, as its owner left it. */
  readonly version: string;
  readonly madeAt: Instant;
  readonly bodies: StatusBodies;
  readonly size: number;
}

const bodyOf = (text: string): StatusBody => {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
};

/**
 * The answers of public status pages in the memory of this process. Each is made at most once a minute and once at a
 * time, whoever asks, and all of them one after another, so that readers cannot make the service work harder.
 */
export class StatusCache {
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Map<string, Promise<StatusBodies>>();
  #turn: Promise<unknown> = Promise.resolve();
  #bytes = 0;

  /** Whether an address has an answer, of whatever age: then it is the address of a page, or was a moment ago. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  /** Number of pages and of bytes that are kept. */
  get size(): { readonly pages: number; readonly bytes: number } {
    return { pages: this.#entries.size, bytes: this.#bytes };
  }

  /** The answers of a page; `make` is called where they are missing, older than a minute, or of another version. */
  async of(
    address: string,
    version: string,
    now: Instant,
    make: () => Promise<StatusTexts>,
  ): Promise<StatusBodies> {
    const kept = this.#entries.get(address);
    if (kept?.version === version && now >= kept.madeAt && now - kept.madeAt < renewedAfterMs)
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

  #keep(address: string, version: string, madeAt: Instant, texts: StatusTexts): StatusBodies {
    const bodies = { page: bodyOf(texts.page), badge: bodyOf(texts.badge), chart: bodyOf(texts.chart) };
    const size = Object.values(bodies).reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.forget(address);
    this.#entries.set(address, { version, madeAt, bodies, size });
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= mostPages && this.#bytes <= mostBytes) break;
      this.forget(oldest);
    }
    return bodies;
  }
}

const busy = (): Refusal => {
  const words = "Too many status pages are being renewed at the moment. Wait, then open the page again.";
  return new Refusal("rate_limited", words, {}, retryAfterSeconds);
};
