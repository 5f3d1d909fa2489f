import { randomBytes } from "node:crypto";
import type { Sealer } from "../../app/access/sealed.ts";
import { canAsk } from "../consent/person.ts";

/**
 * What the id of a session says. Clients of older revisions tell what they can do once, in their first message: the
 * id carries it sealed, so that any process can go on with the session and none has to keep it.
 */
export interface McpSession {
  readonly name: string;
  /** Whether its client can ask a person. */
  readonly asks: boolean;
}

/** No id of one thing opens as the other. */
const binding = "session";
/** A longer one was never given. */
const longestId = 400;
/** Ids that were opened lately are not opened again for every call. */
const mostOpened = 10_000;

/** Gives sessions their ids, and reads them. */
export class Sessions {
  readonly #sealer: Sealer;
  readonly #opened = new Map<string, McpSession>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The id of a new session, of printable ASCII. */
  begin(capabilities: unknown): string {
    const session: McpSession = { name: randomBytes(18).toString("base64url"), asks: canAsk(capabilities) };
    return this.#sealer.seal(JSON.stringify(session), binding);
  }

  /** Null for an id that this service never gave. */
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
