import { factorBinding, factorSealer } from "../../src/app/access/factor-secrets.ts";
import { addressBinding, addressSealer } from "../../src/app/access/message-sender.ts";
import { sealWebhookSecrets } from "../../src/app/access/webhook-secrets.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { newTotpSecret } from "../../src/app/access/totp.ts";
import { defaultSettings } from "../../src/core/notice/records.ts";
import { addAccount } from "../../src/services/access/add-account.ts";
import { insertSecondFactor } from "../../src/store/access/second-factors.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { saveSettings } from "../../src/store/notice/notification-settings.ts";

/** Sealed values of each account that `fillSealed` makes. */
export const sealedPerAccount = 5;

/** Makes accounts that have all that is kept sealed for long, sealed with that secret; answers their ids. */
export async function fillSealed(
  db: Database,
  secret: string,
  accounts: number,
  at = Date.now(),
): Promise<string[]> {
  const [addresses, factors] = [addressSealer([secret]), factorSealer([secret])];
  const { newId } = systemSecrets();
  const ids: string[] = [];
  for (let number = 0; number < accounts; number += 1) {
    const id = newId(at);
    ids.push(id);
    const email = `sealed-${id}@tests.example`;
    const account = { id, email, emailVerified: true, plan: "pro", role: "user", createdAt: at } as const;
    await db.writeRelaxed(addAccount, account, null);
    const settings = {
      ...defaultSettings,
      sealedEmail: addresses.seal(`alerts-${number}@tests.example`, addressBinding(id, "email")),
      emailVerifiedAt: at,
      sealedChat: addresses.seal("https://chat.example/hook", addressBinding(id, "chat")),
      sealedWebhook: addresses.seal("https://hooks.example/tickmark", addressBinding(id, "webhook")),
      sealedWebhookSecrets: sealWebhookSecrets(addresses, id, [{ secret: "whsec_AAAA", until: null }]),
    };
    await db.writeRelaxed(saveSettings, id, settings, at);
    const sealedSecret = factors.seal(newTotpSecret(), factorBinding(id));
    await db.writeRelaxed(insertSecondFactor, { accountId: id, sealedSecret, lastStep: 0, enabledAt: at });
  }
  return ids;
}
