import type { Client } from "undici";
import { checkedAddresses, pinnedTo, type Reach } from "./reach.ts";

/** Connects to the checked addresses of a URL's host and nowhere else. */
export async function pinnedClient(
  url: URL,
  reach: Reach,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Client> {
  const addresses = await Promise.race([checkedAddresses(url, reach, signal), aborted(signal)]);
  // Most starts of the program never call out: the client is loaded for the first call.
  const undici = await import("undici");
  return new undici.Client(url.origin, {
    connect: {
      lookup: pinnedTo(addresses),
      timeout: timeoutMs,
      // Set against NODE_TLS_REJECT_UNAUTHORIZED, which would switch the check of certificates off.
      rejectUnauthorized: true,
      ...(reach.authority !== undefined && { ca: reach.authority }),
    },
  });
}

/** Rejects on abort, for work that does not watch the signal itself: a lookup, and a request that is still connecting. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
