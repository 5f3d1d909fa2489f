import type { ReportRecord } from "./records.ts";

/** What an account may change of a report. */
export interface ReportRights {
  /** Everything, its end included: its author. */
  readonly all: boolean;
  /** The description: its author, and the holder of its verified server. */
  readonly description: boolean;
}

export function rightsOver(
  { authorId, holderId, holderVerified }: Pick<ReportRecord, "authorId" | "holderId" | "holderVerified">,
  accountId: string,
): ReportRights {
  const all = authorId === accountId;
  return { all, description: all || (holderVerified && holderId === accountId) };
}
