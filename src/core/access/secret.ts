/**
 * `prefix_`, 256 random bits in base62 (43 characters) and a checksum (6 characters): secret scanners find
 * such credentials, and a typing mistake is refused without a database look-up.
 */
export const secretPrefixes = { api: "tkm", server: "tks", claim: "tkc", runner: "tkr" } as const;
export type SecretKind = keyof typeof secretPrefixes;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 43;
const checksumLength = 6;
const pattern = /^(tkm|tks|tkc|tkr)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Throws unless `random` has 32 bytes. */
export function formatSecret(kind: SecretKind, random: Uint8Array): string {
  if (random.length !== 32) throw new Error("A secret takes 32 random bytes.");
  let value = 0n;
  for (const byte of random) value = (value << 8n) | BigInt(byte);
  const head = `${secretPrefixes[kind]}_${toBase62(value, bodyLength)}`;
  return head + checksum(head);
}

/** Null if the secret is malformed or its checksum is wrong. */
export function secretKind(secret: string): SecretKind | null {
  const match = pattern.exec(secret);
  if (!match) return null;
  const head = secret.slice(0, -checksumLength);
  if (checksum(head) !== match[3]) return null;
  return secret.startsWith("tkm")
    ? "api"
    : secret.startsWith("tks")
      ? "server"
      : secret.startsWith("tkc")
        ? "claim"
        : "runner";
}

function checksum(head: string): string {
  let rest = crc32(head);
  let text = "";
  for (let index = 0; index < checksumLength; index += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function toBase62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO 3309) of ASCII text, unsigned. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
