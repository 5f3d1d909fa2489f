import { ReportPayload } from "./payload.ts";
import type { ReportRecord } from "./store.ts";

/** What a judgement of a stored report says of the report itself. */
export type JudgedReport = Pick<ReportRecord, "id" | "shortId"> & {
  readonly content: Pick<ReportRecord["content"], "algorithm_version">;
};

/** Reads an upload back from the JSON text it is stored as. Throws when that text was never an accepted upload. */
export const storedPayload = (json: string): ReportPayload => ReportPayload.parse(JSON.parse(json));
