import { descriptionProblem, maxLinks, type DescriptionProblem } from "../../core/report/description.ts";
import type { AccountCaller } from "../call/caller.ts";
import type { Fail } from "../call/context.ts";

const messages: Record<DescriptionProblem, string> = {
  too_many_links: `A description takes ${maxLinks} links at most. Remove some.`,
  text_rejected: "The description holds words that are not published here. Rephrase it.",
};

/** Refuses a description that others may not be shown. */
export function refuseBadDescription(
  text: string | null,
  isAcceptable: (text: string) => boolean,
  fail: Fail<DescriptionProblem>,
): void {
  const problem = text === null ? null : descriptionProblem(text, isAcceptable);
  if (problem) fail(problem, messages[problem], problem === "too_many_links" ? { limit: maxLinks } : {});
}

/** Refuses to publish for an account whose address nobody has proven to be theirs. */
export function requireVerifiedEmail({ account }: AccountCaller, fail: Fail<"email_not_verified">): void {
  if (!account.emailVerified)
    fail("email_not_verified", "Publishing takes a verified e-mail address. Verify it in Settings, Account.");
}
