import type { AppContext } from "../../contract/call/app-context.ts";
import { apiLimits } from "../../contract/limits/body-limits.ts";
import { chargeRefused, requireNothingOwed } from "../../contract/limits/sender-throttle.ts";

/** What is done with the bodies of one sender, by the id of its token. */
export interface SenderBodies {
  /** Throws Refusal where the sender owes for bodies that were refused. */
  readonly admit: (sender: string) => void;
  /** Reads the JSON of a long one, in the sender's turn; throws Refusal. */
  readonly readLong: (sender: string, bytes: Buffer) => Promise<unknown>;
  /** Counts one that was refused. */
  readonly refused: (sender: string, status: number, bytes: number) => void;
}

export function senderBodies({ throttle, clock, readDocuments }: AppContext): SenderBodies {
  const admit = (sender: string): void => requireNothingOwed(throttle, sender, clock());
  return {
    admit,
    readLong: (sender, bytes) =>
      readDocuments(sender, "readJson", { bytes, form: "any", limits: apiLimits }, () => admit(sender)),
    refused: (sender, status, bytes) =>
      chargeRefused(throttle, sender, { status, bodyBytes: null }, bytes, clock()),
  };
}
