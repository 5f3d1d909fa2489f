import { z } from "zod";
import { Id } from "../id.ts";
import { callerText, thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";

/** The longest label, characters. */
export const labelAtMost = 80;

/** How its users recognise a report. */
export const ReportName = z.object({
  id: Id,
  /** Null for everybody but the author. */
  label: callerText(labelAtMost).nullable(),
  /** Null for everybody but the account that the server is linked to. */
  server_name: thirdPartyText(80).nullable(),
  /** The end of the run, by the server's clock. */
  measured_at: Timestamp,
});
export type ReportName = z.infer<typeof ReportName>;
