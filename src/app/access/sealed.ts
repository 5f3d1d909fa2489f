import type { SealState } from "../../core/access/stored-seals.ts";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const nonceLength = 12;
const tagLength = 16;

/** Each purpose has a key of its own: a text sealed for one does not open for another. */
export const keyFor = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `tickmark ${purpose}`, 32));

/** AES-256-GCM with `binding` as associated data. The first 96 bits of `nonce` must never repeat. */
export function sealText(key: Buffer, nonce: Buffer, plain: string, binding: string): string {
  const first = nonce.subarray(0, nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, first).setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([first, body, cipher.getAuthTag()]).toString("base64url");
}

/** Null unless the text was sealed with that key for that binding, letter for letter. */
export function openText(key: Buffer, sealed: string, binding: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < nonceLength + tagLength || bytes.toString("base64url") !== sealed) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(binding))
    .setAuthTag(bytes.subarray(-tagLength));
  try {
    return (
      decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8")
    );
  } catch {
    return null;
  }
}

/**
 * Uses a random nonce. `binding` names the owner of the text, such as account and channel: moved to another
 * owner, it does not open.
 */
export interface Sealer {
  seal(plain: string, binding: string): string;
  /** Null unless it was sealed for that binding. */
  open(sealed: string, binding: string): string | null;
  stateOf(sealed: string, binding: string): SealState;
}

/** The first secret seals; all of them open, so that a secret can be replaced. */
export function sealer(secrets: readonly string[], purpose: string): Sealer {
  const keys = secrets.map((secret) => keyFor(secret, purpose));
  const [current] = keys;
  if (!current) throw new Error("Sealing takes a secret.");
  const opened = (sealed: string, binding: string): { plain: string; key: Buffer } | null => {
    for (const key of keys) {
      const plain = openText(key, sealed, binding);
      if (plain !== null) return { plain, key };
    }
    return null;
  };
  return {
    seal: (plain, binding) => sealText(current, randomBytes(nonceLength), plain, binding),
    open: (sealed, binding) => opened(sealed, binding)?.plain ?? null,
    stateOf: (sealed, binding) => {
      const by = opened(sealed, binding)?.key;
      return by === undefined ? "closed" : by === current ? "current" : "earlier";
    },
  };
}
