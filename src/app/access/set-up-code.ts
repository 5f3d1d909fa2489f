import { createHash, timingSafeEqual } from "node:crypto";
import { formatSetUpCode, normalizeSetUpCode, setUpCodeLength } from "../../core/access/one-time-code.ts";
import { linkCodeAlphabet } from "../../core/server/link-code.ts";
import { keyFor } from "./sealed.ts";

/** The code for the first account, derived from the secret: the same in every process, and not stored. */
export const setUpCode = (secret: string): string => {
  const code = [...keyFor(secret, "set-up code")]
    .slice(0, setUpCodeLength)
    .map((byte) => linkCodeAlphabet.charAt(byte % linkCodeAlphabet.length));
  return formatSetUpCode(code.join(""));
};

/** Whether the code belongs to one of the secrets; takes the same time for every text. */
export const setUpCheck =
  (secrets: readonly string[]): ((typed: string) => boolean) =>
  (typed) => {
    const given = fingerprint(typed);
    return secrets.map((secret) => timingSafeEqual(given, fingerprint(setUpCode(secret)))).includes(true);
  };

const fingerprint = (code: string): Buffer => createHash("sha256").update(normalizeSetUpCode(code)).digest();
