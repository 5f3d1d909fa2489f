/**
 * A message for a person, before any channel gives it a form. Every text in it that others wrote has been made
 * visible by `neutralise` already; no channel may read it as markup.
 */
export interface Message {
  /** One line: the subject of a mail, the first line in a chat. */
  readonly title: string;
  /** What happened, one fact a line. */
  readonly lines: readonly string[];
  /** Where to look: a path of the dashboard, made whole where it is sent; null when there is no page for it. */
  readonly link: string | null;
  /** How it should look: `bad` opens, `good` resolves, `info` only tells. */
  readonly tone: "bad" | "good" | "info";
}
