import { randomBytes } from "node:crypto";
import type { Sealer } from "../../app/access/sealed.ts";
import { canAsk } from "../consent/person.ts";

/** Older clients declare their abilities once; the sealed id carries them, so that no process stores them. */
export interface McpSession {
  readonly name: string;
  /** Whether its client can ask a person. */
  readonly asks: boolean;
}

/** Text sealed for another purpose does not open as an id. */
const binding = "session";
/** Characters; no longer id was ever issued. */
const longestId = 400;
/** Opened ids are cached, so that not every call opens its id again. */
const mostOpened = 10_000;

export class Sessions {
  readonly #sealer: Sealer;
  readonly #opened = new Map<string, McpSession>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Printable ASCII. */
  begin(capabilities: unknown): string {
    const session: McpSession = { name: randomBytes(18).toString("base64url"), asks: canAsk(capabilities) };
    return this.#sealer.seal(JSON.stringify(session), binding);
  }

  /** Null for an id that this service did not issue. */
  of(id: string | undefined): McpSession | null {
    if (id === undefined || id.length > longestId) return null;
    const known = this.#opened.get(id);
    if (known) return known;
    const plain = this.#sealer.open(id, binding);
    if (plain === null) return null;
    // Sound: only this class seals with that binding.
    const session = JSON.parse(plain) as McpSession;
    if (this.#opened.size >= mostOpened) this.#opened.clear();
    this.#opened.set(id, session);
    return session;
  }
}
