import { addOneTimeCode } from "../../../services/access/add-one-time-code.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { invitationMail } from "../../../core/access/account-mail.ts";
import { codeLifetimeMs, type OneTimeCode } from "../../../core/access/one-time-code.ts";
import { newEmail } from "../../../core/access/sign-in.ts";
import { exampleInvitation, Invitation, showInvitation } from "./invitation.ts";

export const createInvitation = defineEndpoint({
  id: "accounts.create_invitation",
  method: "POST",
  path: "/account/invitations",
  params: {},
  access: { face: "web", who: "admin" },
  summary:
    "Make a link with which one person can make an account within 7 days; it is mailed if an address is given.",
  input: z.object({ email: newEmail().nullable() }),
  output: z.object({
    invitation: Invitation,
    /** Shown once: only a digest of its code is kept. */
    link: z.string(),
    mailed: z.boolean(),
  }),
  success: [201],
  errors: ["invalid_state"],
  example: {
    input: { email: "friend@example.org" },
    output: {
      invitation: exampleInvitation,
      link: "https://tickmark.example/sign-up?invitation=3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA",
      mailed: true,
    },
  },

  async handle({ email }, { db, caller, now, secrets, people, baseUrl, fail }) {
    if (people.signUp === "closed")
      return fail(
        "invalid_state",
        "Sign-up is closed, so an invitation could not be used. Set TICKMARK_SIGN_UP=invite first.",
      );
    const code = secrets.newNonce();
    const invitation: OneTimeCode = {
      id: secrets.newId(now),
      purpose: "invitation",
      accountId: caller.account.id,
      email,
      createdAt: now,
      expiresAt: now + codeLifetimeMs.invitation,
    };
    await db.write(addOneTimeCode, invitation, secrets.digest(code), adminAct({ caller, now }));
    const path = `/sign-up?${new URLSearchParams({ invitation: code })}`;
    const result =
      email === null || people.mail === null
        ? null
        : await people.mail(email, invitationMail(path), invitation.id);
    return created({
      invitation: showInvitation(invitation),
      link: baseUrl + path,
      mailed: result?.status === "sent",
    });
  },
});
