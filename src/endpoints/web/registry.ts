import type { Endpoint } from "../../contract/endpoint.ts";
import { changeEmail } from "./accounts/change-email.ts";
import { changePassword } from "./accounts/change-password.ts";
import { checkCode } from "./accounts/check-code.ts";
import { createInvitation } from "./accounts/create-invitation.ts";
import { getWaysIn } from "./accounts/get-ways-in.ts";
import { listInvitations } from "./accounts/list-invitations.ts";
import { needsSetUp } from "./accounts/needs-set-up.ts";
import { requestEmailVerification } from "./accounts/request-email-verification.ts";
import { requestPasswordReset } from "./accounts/request-password-reset.ts";
import { resetPassword } from "./accounts/reset-password.ts";
import { setUpService } from "./accounts/set-up-service.ts";
import { signUp } from "./accounts/sign-up.ts";
import { verifyEmail } from "./accounts/verify-email.ts";
import { withdrawInvitation } from "./accounts/withdraw-invitation.ts";
import { endOtherSessions } from "./sessions/end-other-sessions.ts";
import { endSession } from "./sessions/end-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { signIn } from "./sessions/sign-in.ts";
import { signOut } from "./sessions/sign-out.ts";

/** What only people do, with a browser: pages call these, no route and no tool leads to them. */
export const webEndpoints: readonly Endpoint[] = [
  needsSetUp,
  setUpService,
  getWaysIn,
  signUp,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  checkCode,
  requestEmailVerification,
  verifyEmail,
  requestPasswordReset,
  resetPassword,
  changePassword,
  changeEmail,
  signIn,
  signOut,
  listSessions,
  endSession,
  endOtherSessions,
];
