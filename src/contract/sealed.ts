import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

const nonceLength = 12;
const tagLength = 16;

/** Each purpose has a key of its own: what is sealed for one opens for no other. */
export const keyFor = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `tickmark ${purpose}`, 32));

/** AES-256-GCM with `binding` as associated data; of `nonce` the first 96 bits, never the same for two messages. */
export function sealText(key: Buffer, nonce: Buffer, plain: string, binding: string): string {
  const first = nonce.subarray(0, nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, first).setAAD(Buffer.from(binding));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([first, body, cipher.getAuthTag()]).toString("base64url");
}

/** Null for anything but what was sealed with that key for that binding, letter for letter. */
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
