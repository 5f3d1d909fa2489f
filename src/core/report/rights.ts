import type { ReportRecord } from "./records.ts";

export interface ReportRights {
  readonly all: boolean;
  readonly description: boolean;
}

export function rightsOver(
  { authorId, holderId, holderVerified }: Pick<ReportRecord, "authorId" | "holderId" | "holderVerified">,
  accountId: string,
): ReportRights {
  const all = authorId === accountId;
  return { all, description: all || (holderVerified && holderId === accountId) };
}
