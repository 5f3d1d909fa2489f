import { ReportPayload } from "./payload.ts";
import type { ReportRecord } from "./records.ts";

/** What a judgement of a stored report says of the report itself. */
export type JudgedReport = Pick<ReportRecord, "id" | "shortId"> & {
  readonly content: Pick<ReportRecord["content"], "algorithm_version">;
};

/** Reads an upload back from the JSON text it is stored as; null when this version would not accept it. */
export function storedPayload(json: string): ReportPayload | null {
  try {
    return ReportPayload.safeParse(JSON.parse(json)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
