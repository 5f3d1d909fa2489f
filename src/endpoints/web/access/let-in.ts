import type { AnonymousCaller, SessionCaller } from "../../../contract/call/caller.ts";
import type { Context } from "../../../contract/call/context.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { startSession } from "../../../contract/access/person.ts";
import { newDeviceMail } from "../../../core/access/account-mail.ts";
import { browserName } from "../../../core/access/browser-name.ts";
import type { StoredPassword } from "../../../core/access/stored-password.ts";
import { deleteSession } from "../../../store/access/sessions.ts";

type SigningIn = Omit<Context<AnonymousCaller | SessionCaller, never>, "fail">;

export const ownerOf = ({ account, deviceGeneration }: StoredPassword) => ({
  accountId: account.id,
  generation: deviceGeneration,
});

interface Browser {
  readonly user_agent: string | null;
  /** What the browser kept of earlier sign-ins. */
  readonly device: string | null;
}

/** Signs a browser in, after everything that a sign-in needs was right; the session that it had ends. */
export async function letIn(
  known: StoredPassword,
  { user_agent, device }: Browser,
  context: SigningIn,
): Promise<{ secret: string; device: string }> {
  const { db, caller, now, people } = context;
  const { account } = known;
  const isNew = people.devices.nameOf(device, ownerOf(known), now) === null;
  if (caller.kind === "session") await db.write(deleteSession, caller.session.id, caller.account.id);
  const { secret } = await startSession(context, account, user_agent, now);
  if (isNew) tellOfNewDevice(account, user_agent, context);
  return { secret, device: people.devices.remember(device, ownerOf(known), now) };
}

function tellOfNewDevice(
  { id, email, emailVerified }: StoredPassword["account"],
  userAgent: string | null,
  context: SigningIn,
): void {
  const { people, secrets, caller, now } = context;
  const name = browserName(userAgent);
  noteSecurity(context, "new_device", { accountId: id, detail: name });
  if (!emailVerified) return;
  const mail = newDeviceMail(name, caller.address, now);
  people.afterwards(async () => void (await people.mail?.(email, mail, secrets.newId(now))));
}
