import { descriptionProblem, maxLinks, type DescriptionProblem } from "../../core/report/description.ts";
import type { AccountCaller } from "./caller.ts";
import type { Fail } from "./context.ts";

const messages: Record<DescriptionProblem, string> = {
  too_many_links: `The description has too many links: at most ${maxLinks} are allowed. Remove some.`,
  text_rejected: "The description contains words that cannot be published here. Rephrase it.",
};

export function refuseBadDescription(
  text: string | null,
  isAcceptable: (text: string) => boolean,
  fail: Fail<DescriptionProblem>,
): void {
  const problem = text === null ? null : descriptionProblem(text, isAcceptable);
  if (problem) fail(problem, messages[problem], problem === "too_many_links" ? { limit: maxLinks } : {});
}

export function requireVerifiedEmail({ account }: AccountCaller, fail: Fail<"email_not_verified">): void {
  if (!account.emailVerified)
    fail(
      "email_not_verified",
      "Only an account with a verified e-mail address can publish. Verify the address in Settings, Account.",
    );
}
