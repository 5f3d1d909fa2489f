import { senderThrottle, type SenderThrottle } from "../../src/contract/limits/sender-throttle.ts";

/** Counts requests, and no refused body: a test has more of them refused than people do. */
export const forgivingThrottle = (): SenderThrottle => ({ ...senderThrottle(), charge: () => {} });

/** What limits the senders of a service of tests. */
export const throttleOf = ({ countsRefused = false }: { readonly countsRefused?: boolean }): SenderThrottle =>
  countsRefused ? senderThrottle() : forgivingThrottle();
