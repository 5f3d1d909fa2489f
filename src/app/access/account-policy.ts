import { passkeyParty, type PasskeyParty } from "../../core/access/passkey.ts";
import type { SignUpPolicy } from "../../core/access/sign-in.ts";
import type { Message } from "../../core/notice/message.ts";
import type { Notifier, SendResult } from "../../core/notice/notifier.ts";
import { devices, type Devices } from "./devices.ts";
import { factorSealer } from "./factor-secrets.ts";
import { passwords, type Passwords } from "./passwords.ts";
import { sealer, type Sealer } from "./sealed.ts";
import type { Secrets } from "./secrets.ts";
import { setUpCheck } from "./set-up-code.ts";

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

/** As much of the settings as says how people are let in. */
interface PolicySettings {
  readonly signUp: SignUpPolicy;
  readonly secrets: () => readonly string[];
  /** Null: this service sends no mail. */
  readonly smtpUrl: string | null;
}

/** What an account policy rests on. */
interface PolicyParts {
  readonly send: Notifier["send"];
  readonly afterwards: AccountPolicy["afterwards"];
  readonly mailFailed: (id: string, reason: string) => void;
  readonly ids: Secrets;
  /** The address others reach the service at, once it listens. */
  readonly baseUrl: () => string;
}

/** How people are let in, as the operator decided it. */
export function accountPolicy(
  { signUp, secrets, smtpUrl }: PolicySettings,
  { send, afterwards, mailFailed, ids, baseUrl }: PolicyParts,
): AccountPolicy {
  const mail: AccountPolicy["mail"] = async (address, message, id) => {
    const result = await send("email", address, message, id);
    if (result.status === "failed") mailFailed(id, result.detail);
    return result;
  };
  return {
    signUp,
    passwords: passwords(),
    devices: devices(sealer(secrets(), "devices"), ids),
    factors: factorSealer(secrets()),
    passkeyParty: () => passkeyParty(baseUrl()),
    mail: smtpUrl === null ? null : mail,
    afterwards,
    isSetUpCode: setUpCheck(secrets()),
  };
}
