import type { Client } from "undici";
import { checkedAddresses, pinnedTo, type Reach } from "./reach.ts";

/** Connects only to the checked addresses of a URL's host. */
export async function pinnedClient(
  url: URL,
  reach: Reach,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Client> {
  const addresses = await Promise.race([checkedAddresses(url, reach, signal), aborted(signal)]);
  // Loaded for the first call, because most runs of the program call nobody.
  const undici = await import("undici");
  return new undici.Client(url.origin, {
    connect: {
      lookup: pinnedTo(addresses),
      timeout: timeoutMs,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED, which would disable the check of certificates.
      rejectUnauthorized: true,
      ...(reach.authority !== undefined && { ca: reach.authority }),
    },
  });
}

/** Rejects on abort, for work that ignores the signal: a lookup, or a request that is still connecting. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
