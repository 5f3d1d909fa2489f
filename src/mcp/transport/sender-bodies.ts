import type { AppContext } from "../../contract/call/app-context.ts";
import { apiLimits } from "../../contract/limits/body-limits.ts";
import { chargeRefused, requireNothingOwed } from "../../contract/limits/sender-throttle.ts";

/** Limits on request bodies, by the id of the sender's token. */
export interface SenderBodies {
  /** Throws `Refusal` while the sender is charged for refused bodies. */
  readonly admit: (sender: string) => void;
  /** Parses a long body in the sender's turn; throws `Refusal`. */
  readonly readLong: (sender: string, bytes: Buffer) => Promise<unknown>;
  /** Charges the sender for a refused body. */
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
