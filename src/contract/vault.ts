import { randomBytes } from "node:crypto";
import { keyFor, openText, sealText } from "./sealed.ts";

/**
 * How mail addresses and webhook URLs are kept: AES-256-GCM under a random nonce. `binding` is what the text
 * belongs to, such as account and channel; moved to another row it does not open.
 */
export interface Vault {
  seal(text: string, binding: string): string;
  /** Null for anything but what this vault sealed for that binding. */
  open(sealed: string, binding: string): string | null;
}

/** The first secret seals; all of them open, so that a secret can be replaced while its texts are in use. */
export function vault(secrets: readonly string[]): Vault {
  const keys = secrets.map((secret) => keyFor(secret, "vault cipher"));
  const [current] = keys;
  if (!current) throw new Error("Sealing texts takes a secret.");
  return {
    seal: (text, binding) => sealText(current, randomBytes(12), text, binding),
    open: (sealed, binding) => {
      for (const key of keys) {
        const text = openText(key, sealed, binding);
        if (text !== null) return text;
      }
      return null;
    },
  };
}
