import { z } from "zod";
import { Id } from "../id.ts";
import { callerText, thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";

/** The longest label, characters. */
export const labelAtMost = 80;

/** What its people recognise a report by. The API does not answer it, because the documented fields of a report are fixed. */
export const ReportName = z.object({
  id: Id,
  /** What its author wrote; null for everybody else. */
  label: callerText(labelAtMost).nullable(),
  /** The name of its server; null for everybody but the account that the server is linked to. */
  server_name: thirdPartyText(80).nullable(),
  /** When the run ended, by the clock of its server. */
  measured_at: Timestamp,
});
export type ReportName = z.infer<typeof ReportName>;
