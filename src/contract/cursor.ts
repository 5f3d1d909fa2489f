import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import type { Position } from "../core/position.ts";

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

interface Keys {
  readonly cipher: Buffer;
  readonly nonce: Buffer;
}

const nonceLength = 12;
const tagLength = 16;

/** The first secret seals; all of them open, so that a secret can be replaced without breaking open lists. */
export function cursorSeal(secrets: readonly string[]): CursorSeal {
  const keys = secrets.map(deriveKeys);
  const [current] = keys;
  if (!current) throw new Error("Sealing cursors takes a secret.");
  return {
    seal: (position, binding) => seal(current, position, binding),
    open: (cursor, binding) => {
      for (const key of keys) {
        const position = open(key, cursor, binding);
        if (position) return position;
      }
      return null;
    },
  };
}

function deriveKeys(secret: string): Keys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "", `tickmark cursor ${purpose}`, 32));
  return { cipher: derive("cipher"), nonce: derive("nonce") };
}

function seal(keys: Keys, position: Position, binding: string): string {
  const plain = JSON.stringify(position);
  const nonce = createHmac("sha256", keys.nonce)
    .update(binding)
    .update("\0")
    .update(plain)
    .digest()
    .subarray(0, nonceLength);
  const cipher = createCipheriv("aes-256-gcm", keys.cipher, nonce).setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

function open(keys: Keys, cursor: string, binding: string): Position | null {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length <= nonceLength + tagLength || bytes.toString("base64url") !== cursor) return null;
  const decipher = createDecipheriv("aes-256-gcm", keys.cipher, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(binding))
    .setAuthTag(bytes.subarray(-tagLength));
  try {
    const plain =
      decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
    return JSON.parse(plain) as Position;
  } catch {
    return null;
  }
}
