import { minuteMs, type Instant } from "../time.ts";
import type { ServerHealth } from "./health.ts";
import { endedText, type UncleanEnd } from "./unclean-end.ts";

export type Headline = ServerHealth["headline"];

/** For a server with too few measurements; `judged`: when it has enough. */
export const startingText = (judged: Instant, now: Instant): string =>
  `Starting: the server is judged in ${Math.max(1, Math.ceil((judged - now) / minuteMs))} min.`;

/**
 * A headline and, where it says how long ago or in how many minutes something is, the instant of that: the text
 * is then written anew when it is read.
 */
export interface StoredHeadline extends Headline {
  readonly ended?: UncleanEnd;
  readonly judgedAt?: Instant;
  /** Set while a server that was never judged is starting. */
  readonly isFirst?: true;
}

export const headlineAt = ({ code, text, ended, judgedAt }: StoredHeadline, now: Instant): Headline => {
  if (ended) return { code, text: endedText(ended, now) };
  return { code, text: judgedAt === undefined ? text : startingText(judgedAt, now) };
};
