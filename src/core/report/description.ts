import { countLinks } from "../text/links.ts";

/** The specification's limit for a published description. */
export const maxLinks = 3;

export type DescriptionProblem = "too_many_links" | "text_rejected";

/** Null: the description may be published. `isAcceptable` is the operator's moderation. */
export function descriptionProblem(
  text: string,
  isAcceptable: (text: string) => boolean,
): DescriptionProblem | null {
  if (countLinks(text) > maxLinks) return "too_many_links";
  return isAcceptable(text) ? null : "text_rejected";
}
