import { createHmac } from "node:crypto";
import type { Position } from "../../core/position.ts";
import { keyFor, openText, sealText } from "../../app/access/sealed.ts";

/**
 * Cursors are sealed: AES-256-GCM over the position, with what they belong to (route, account, filters) as
 * associated data. The nonce is a keyed fingerprint of both, so the same page has the same cursor on every
 * face; two different messages share a nonce only where 96 bits of the fingerprint collide.
 */
export interface CursorSeal {
  seal(position: Position, binding: string): string;
  /** Null for anything but a cursor this service made for that binding. */
  open(cursor: string, binding: string): Position | null;
}

/** The first secret seals; all of them open, so that a secret can be replaced without breaking open lists. */
export function cursorSeal(secrets: readonly string[]): CursorSeal {
  const keys = secrets.map((secret) => ({
    cipher: keyFor(secret, "cursor cipher"),
    nonce: keyFor(secret, "cursor nonce"),
  }));
  const [current] = keys;
  if (!current) throw new Error("Sealing cursors takes a secret.");
  return {
    seal: (position, binding) => {
      const plain = JSON.stringify(position);
      const nonce = createHmac("sha256", current.nonce).update(binding).update("\0").update(plain).digest();
      return sealText(current.cipher, nonce, plain, binding);
    },
    open: (cursor, binding) => {
      for (const { cipher } of keys) {
        const plain = openText(cipher, cursor, binding);
        if (plain !== null) return JSON.parse(plain) as Position;
      }
      return null;
    },
  };
}
