import { createHash, timingSafeEqual } from "node:crypto";
import { formatSetUpCode, normalizeSetUpCode, setUpCodeLength } from "../../core/access/one-time-code.ts";
import type { PasskeyParty } from "../../core/access/passkey.ts";
import type { SignUpPolicy } from "../../core/access/sign-in.ts";
import type { Message } from "../../core/notice/message.ts";
import type { SendResult } from "../../core/notice/notifier.ts";
import { linkCodeAlphabet } from "../../core/server/link-code.ts";
import type { Devices } from "./devices.ts";
import type { Passwords } from "./passwords.ts";
import { keyFor, type Sealer } from "./sealed.ts";

/** What the operator decided about people, and what it takes to let them in. */
export interface AccountPolicy {
  readonly signUp: SignUpPolicy;
  readonly passwords: Passwords;
  /** The browsers in which people signed in before. */
  readonly devices: Devices;
  /** Seals what belongs to second factors. */
  readonly factors: Sealer;
  /** Whom passkeys are made for; null where browsers offer none. */
  readonly passkeyParty: () => PasskeyParty | null;
  /** One mail to one address, right now; null: this service sends none. Never throws. */
  readonly mail: ((address: string, message: Message, id: string) => Promise<SendResult>) | null;
  /** Does work after the answer, so that how long the answer takes tells nothing of it; failures are reported. */
  readonly afterwards: (work: () => Promise<void>) => void;
  readonly isSetUpCode: (typed: string) => boolean;
}

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
  (secrets: readonly string[]): AccountPolicy["isSetUpCode"] =>
  (typed) => {
    const given = fingerprint(typed);
    return secrets.map((secret) => timingSafeEqual(given, fingerprint(setUpCode(secret)))).includes(true);
  };

const fingerprint = (code: string): Buffer => createHash("sha256").update(normalizeSetUpCode(code)).digest();

/** Work that goes on after its caller was answered; `finished` resolves when all of it has ended. */
export function afterwards(report: (error: unknown) => void): {
  readonly run: AccountPolicy["afterwards"];
  readonly finished: () => Promise<unknown>;
} {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const done = Promise.resolve()
        .then(work)
        .catch(report)
        .finally(() => running.delete(done));
      running.add(done);
    },
    finished: () => Promise.all(running),
  };
}
