import { createHmac } from "node:crypto";
import type { Position } from "../../core/position.ts";
import { keyFor, openText, sealText } from "../../app/access/sealed.ts";

/**
 * Seals cursors with AES-256-GCM; the binding (route, account, filters) is the associated data. The nonce is
 * a keyed fingerprint of position and binding, so that the same page has the same cursor on every face; two
 * messages share a nonce only if 96 bits of the fingerprint collide.
 */
export interface CursorSeal {
  seal(position: Position, binding: string): string;
  /** Null unless this service made the cursor for that binding. */
  open(cursor: string, binding: string): Position | null;
}

/** The first secret seals and all open, so that a secret can be replaced without breaking open lists. */
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
