import { ReportPayload } from "./payload.ts";
import type { ReportRecord } from "./records.ts";

export type JudgedReport = Pick<ReportRecord, "id" | "shortId"> & {
  readonly content: Pick<ReportRecord["content"], "algorithm_version">;
};

/** Null if this version does not accept the stored upload any more. */
export function storedPayload(json: string): ReportPayload | null {
  try {
    return ReportPayload.safeParse(JSON.parse(json)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
