import { randomBytes } from "node:crypto";
import type { Sealer } from "../contract/sealed.ts";
import { canAsk } from "./person.ts";

/**
 * What the id of a session says. Clients of older revisions tell what they can do once, in their first message: the
 * id carries it sealed, so that any process can go on with the session and none has to keep it.
 */
export interface Session {
  readonly name: string;
  /** Whether its client can ask a person. */
  readonly asks: boolean;
}

/** No id of one thing opens as the other. */
const binding = "session";

/** The id of a new session, of printable ASCII. */
export function newSession(sealer: Sealer, capabilities: unknown): string {
  const session: Session = { name: randomBytes(18).toString("base64url"), asks: canAsk(capabilities) };
  return sealer.seal(JSON.stringify(session), binding);
}

/** Null for an id that this service never gave. */
export function sessionOf(sealer: Sealer, id: string | undefined): Session | null {
  const plain = id === undefined || id.length > 400 ? null : sealer.open(id, binding);
  // Sound: only the function above seals.
  return plain === null ? null : (JSON.parse(plain) as Session);
}
