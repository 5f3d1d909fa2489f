import { createHash, timingSafeEqual } from "node:crypto";
import { formatSetUpCode, normalizeSetUpCode, setUpCodeLength } from "../../core/access/one-time-code.ts";
import { linkCodeAlphabet } from "../../core/server/link-code.ts";
import { keyFor } from "./sealed.ts";

/**
 * The code that makes the first account, in groups. It follows from the secret: every process of a service, and
 * every start of it, tells the same one, and nothing of it is stored.
 */
export const setUpCode = (secret: string): string => {
  const code = [...keyFor(secret, "set-up code")]
    .slice(0, setUpCodeLength)
    .map((byte) => linkCodeAlphabet.charAt(byte % linkCodeAlphabet.length));
  return formatSetUpCode(code.join(""));
};

/** Whether a person typed the code of one of the secrets; in the same time whatever they typed. */
export const setUpCheck =
  (secrets: readonly string[]): ((typed: string) => boolean) =>
  (typed) => {
    const given = fingerprint(typed);
    return secrets.map((secret) => timingSafeEqual(given, fingerprint(setUpCode(secret)))).includes(true);
  };

const fingerprint = (code: string): Buffer => createHash("sha256").update(normalizeSetUpCode(code)).digest();
