import { Client } from "undici";
import { checkedAddresses, pinnedTo, type Reach } from "./reach.ts";

/** Connects to the checked addresses of a URL's host and nowhere else. */
export async function pinnedClient(
  url: URL,
  reach: Reach,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Client> {
  const addresses = await Promise.race([checkedAddresses(url, reach, signal), aborted(signal)]);
  return new Client(url.origin, {
    connect: {
      lookup: pinnedTo(addresses),
      timeout: timeoutMs,
      // Node trusts anybody where NODE_TLS_REJECT_UNAUTHORIZED says so; who acts for a user does not.
      rejectUnauthorized: true,
      ...(reach.authority !== undefined && { ca: reach.authority }),
    },
  });
}

/** Beside what takes no notice of the signal itself: a look-up, and a request whose connection is being made. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
