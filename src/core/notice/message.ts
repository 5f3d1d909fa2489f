/**
 * A message before a channel formats it. Third-party text in it went through `neutralise`; no channel may
 * read it as markup.
 */
export interface Message {
  /** One line: the subject of a mail, the first line in a chat. */
  readonly title: string;
  /** One fact for each line. */
  readonly lines: readonly string[];
  /** A path of the dashboard, made absolute when it is sent; null if there is no page. */
  readonly link: string | null;
  /** `bad` for an opening, `good` for a resolution, `info` for anything else. */
  readonly tone: "bad" | "good" | "info";
}
