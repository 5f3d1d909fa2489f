import { action } from "../../contract/endpoint/action.ts";
import { consumeWindows } from "../../store/access/rate-windows.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { upsertPendingAddress, deletePendingAddress } from "../../store/notice/notification-settings.ts";
import { changeSettings } from "../../services/notice/change-settings.ts";
import { z } from "zod";
import type { SessionCaller } from "../../contract/call/caller.ts";
import type { Context } from "../../contract/call/context.ts";
import { secondsUntil } from "../../contract/limits/quota.ts";
import { accepting } from "../../core/accepted-form.ts";
import { dayWindowMs } from "../../core/access/rate-window.ts";
import { isMailAddress } from "../../core/notice/mail-address.ts";
import { confirmationMessage } from "../../core/notice/notices.ts";
import {
  type Recipient,
  confirmationLifetimeMs,
  confirmationsPerDay,
  defaultSettings,
} from "../../core/notice/records.ts";
import { minuteMs } from "../../core/time.ts";
import { showSettings } from "./show-settings.ts";

const MailAddress = accepting(z.string().refine(isMailAddress), "one plain e-mail address");

/** Mails a code to an address other than the account's; the address is used once the code is typed in. */
export const setNotificationEmail = action({
  id: "notifications.set_email",
  who: "person",
  freshProof: true,
  input: { email: MailAddress.nullable() },
  errors: ["not_found", "invalid_state", "rate_limited"],

  async run({ email }, context) {
    const { db, caller, now, fail, found } = context;
    const { account } = caller;
    const recipient = found(await db.read(recipientOf, account.id));
    if (email === null || email.toLowerCase() === recipient.email.toLowerCase()) {
      await db.write(deletePendingAddress, account.id);
      const own = { sealedEmail: null, emailVerifiedAt: null };
      await db.write(changeSettings, account.id, now, (settings) => ({ ...settings, ...own }));
      return showSettings(context, found);
    }
    if (!context.addresses.sendsMail)
      fail("invalid_state", "This service sends no mail. Ask its operator to set a mail server.");
    await countConfirmation(context);
    const reason = await mailCode(context, recipient, email);
    if (reason !== null) {
      await db.write(deletePendingAddress, account.id);
      fail(
        "invalid_state",
        `The code could not be mailed to this address (${reason}), and nothing was changed. Check the address, and try again.`,
      );
    }
    return showSettings(context, found);
  },
});

type Asking = Context<SessionCaller, "invalid_state" | "rate_limited" | "not_found">;

/** Prevents mailing strangers: a few codes a day are enough for honest people. */
async function countConfirmation({ db, caller, now, fail }: Asking): Promise<void> {
  const { granted, states } = await consumeWindows(
    db,
    [
      {
        kind: "account_confirmation",
        key: caller.account.id,
        lengthMs: dayWindowMs,
        limit: confirmationsPerDay,
      },
    ],
    now,
  );
  if (granted) return;
  const wait = secondsUntil(states[0]?.resetAt ?? now + dayWindowMs, now);
  fail(
    "rate_limited",
    `An account can request at most ${confirmationsPerDay} codes in a day. Try again tomorrow.`,
    { limit: confirmationsPerDay },
    wait,
  );
}

/** Stores the address as pending and mails the code; returns null, or the reason why it was not sent. */
async function mailCode(
  { db, caller, now, secrets, sendMessage, addresses }: Asking,
  recipient: Recipient,
  email: string,
): Promise<string | null> {
  const { id } = caller.account;
  const code = secrets.newLinkCode();
  await db.write(upsertPendingAddress, id, {
    sealed: addresses.seal(id, "email", email),
    codeDigest: secrets.digest(code),
    createdAt: now,
    expiresAt: now + confirmationLifetimeMs,
  });
  const message = confirmationMessage(code, confirmationLifetimeMs / minuteMs, "/settings/notifications");
  // Makes the message sender treat the new address as verified: only the code verifies it.
  const stranger: Recipient = { ...recipient, email, emailVerified: true, settings: defaultSettings };
  const result = await sendMessage(stranger, "email", {
    id: secrets.newId(now),
    purpose: "notice",
    message,
    postedAlert: null,
    queuedAt: now,
    now,
  });
  return result.status === "sent" ? null : result.reason;
}
