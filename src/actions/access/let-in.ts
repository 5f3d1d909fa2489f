import { mailPerson } from "../../contract/call/mail-person.ts";
import type { AnonymousCaller, SessionCaller } from "../../contract/call/caller.ts";
import type { Context, Fail } from "../../contract/call/context.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { newSession } from "../../contract/call/person.ts";
import { newDeviceMail } from "../../core/access/account-mail.ts";
import { browserName } from "../../core/access/browser-name.ts";
import type { StoredPassword } from "../../core/access/stored-password.ts";
import { beginSession } from "../../services/access/begin-session.ts";
import { deleteSession } from "../../store/access/sessions.ts";

type SigningIn = Omit<Context<AnonymousCaller | SessionCaller, never>, "fail"> & {
  readonly fail: Fail<"unauthorized">;
};

export const ownerOf = ({ account, deviceGeneration }: StoredPassword) => ({
  accountId: account.id,
  generation: deviceGeneration,
});

interface Browser {
  readonly user_agent: string | null;
  /** The cookie that remembers earlier sign-ins in this browser. */
  readonly device: string | null;
}

/** Ends the browser's previous session. Refuses if all sessions were ended during this sign-in. */
export async function letIn(
  known: StoredPassword,
  { user_agent, device }: Browser,
  context: SigningIn,
): Promise<{ secret: string; device: string }> {
  const { db, caller, secrets, now, people, fail } = context;
  const { account } = known;
  const isNew = people.devices.nameOf(device, ownerOf(known), now) === null;
  const { secret, session } = newSession(context, account, user_agent, now);
  if (!(await db.write(beginSession, session, secrets.digest(secret), known.deviceGeneration)))
    return fail("unauthorized", "The account changed during this sign-in. Sign in again.");
  if (caller.kind === "session") await db.write(deleteSession, caller.session.id, caller.account.id);
  if (isNew) tellOfNewDevice(account, user_agent, context);
  return { secret, device: people.devices.remember(device, ownerOf(known), now) };
}

function tellOfNewDevice(
  account: StoredPassword["account"],
  userAgent: string | null,
  context: SigningIn,
): void {
  const { caller, now } = context;
  const name = browserName(userAgent);
  noteSecurity(context, "new_device", { accountId: account.id, detail: name });
  mailPerson(account, newDeviceMail(name, caller.address, now), context);
}
