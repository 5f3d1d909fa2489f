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

export interface AccountPolicy {
  readonly signUp: SignUpPolicy;
  readonly passwords: Passwords;
  /** Recognises browsers of earlier sign-ins. */
  readonly devices: Devices;
  /** Seals the secrets of second factors. */
  readonly factors: Sealer;
  /** Null if browsers offer no passkeys for this service. */
  readonly passkeyParty: () => PasskeyParty | null;
  /** Sends one mail at once; null: this service sends none. Never throws. */
  readonly mail: ((address: string, message: Message, id: string) => Promise<SendResult>) | null;
  /** Does work after the answer, so that the time of the answer reveals nothing; failures are reported. */
  readonly afterwards: (work: () => Promise<void>) => void;
  readonly isSetUpCode: (typed: string) => boolean;
}

interface PolicySettings {
  readonly signUp: SignUpPolicy;
  readonly secrets: () => readonly string[];
  /** Null: this service sends no mail. */
  readonly smtpUrl: string | null;
}

interface PolicyParts {
  readonly send: Notifier["send"];
  readonly afterwards: AccountPolicy["afterwards"];
  readonly mailFailed: (id: string, reason: string) => void;
  readonly ids: Secrets;
  /** The public address of the service, known once it listens. */
  readonly baseUrl: () => string;
}

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
