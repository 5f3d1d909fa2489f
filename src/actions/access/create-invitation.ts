import { newOneTimeCode } from "../../app/access/new-one-time-code.ts";
import { action } from "../../contract/endpoint/action.ts";
import { addOneTimeCode } from "../../services/access/add-one-time-code.ts";
import { adminAct } from "../admin-log-entry.ts";
import { invitationMail } from "../../core/access/account-mail.ts";
import { newEmail } from "../../core/access/sign-in.ts";
import { showInvitation } from "./invitation.ts";

/** The link lets one person create an account within 7 days. It is mailed if an address is given. */
export const createInvitation = action({
  id: "accounts.create_invitation",
  who: "admin",
  input: { email: newEmail().nullable() },
  errors: ["invalid_state"],

  async run({ email }, { db, caller, now, secrets, people, baseUrl, fail }) {
    if (people.signUp === "closed")
      return fail(
        "invalid_state",
        "Sign-up is closed, so an invitation could not be used. Set TICKMARK_SIGN_UP=invite first.",
      );
    const of = { id: caller.account.id, email };
    const { code, kept: invitation, digest } = newOneTimeCode("invitation", of, { secrets, now });
    await db.write(addOneTimeCode, invitation, digest, adminAct({ caller, now }));
    const path = `/sign-up?${new URLSearchParams({ invitation: code })}`;
    const result =
      email === null || people.mail === null
        ? null
        : await people.mail(email, invitationMail(path), invitation.id);
    // The link is shown once: only a digest of its code is stored.
    return {
      invitation: showInvitation(invitation),
      link: baseUrl + path,
      mailed: result?.status === "sent",
    };
  },
});
