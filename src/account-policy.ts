import type { Config } from "./config.ts";
import type { Secrets } from "./contract/call/context.ts";
import { devices } from "./contract/access/devices.ts";
import { factorSealer } from "./contract/access/factor-secrets.ts";
import { passwords } from "./contract/access/passwords.ts";
import { setUpCheck, type AccountPolicy } from "./contract/access/account-policy.ts";
import { sealer } from "./contract/access/sealed.ts";
import { passkeyParty } from "./core/access/passkey.ts";
import type { OpenNotifier } from "./outbound/notifier.ts";

/** How people are let in, as the operator decided it. */
export function peopleOf(
  config: Config,
  { send }: OpenNotifier,
  later: AccountPolicy["afterwards"],
  mailFailed: (id: string, reason: string) => void,
  secrets: Secrets,
  baseUrl: () => string,
): AccountPolicy {
  const mail: AccountPolicy["mail"] = async (address, message, id) => {
    const result = await send("email", address, message, id);
    if (result.status === "failed") mailFailed(id, result.detail);
    return result;
  };
  return {
    signUp: config.signUp,
    passwords: passwords(),
    devices: devices(sealer(config.secrets(), "devices"), secrets),
    factors: factorSealer(config.secrets()),
    passkeyParty: () => passkeyParty(baseUrl()),
    mail: config.smtpUrl === null ? null : mail,
    afterwards: later,
    isSetUpCode: setUpCheck(config.secrets()),
  };
}
