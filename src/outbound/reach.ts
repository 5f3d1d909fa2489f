import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** How to call an address that a user typed in. */
export interface Reach {
  /** Every address of a name. */
  readonly resolve: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly isAllowed: (address: string) => boolean;
  /** PEM of the only trusted authority; undefined for Node's own ones. */
  readonly authority?: string;
}

/** Asks name servers only: this machine's own names have no meaning outside. */
export const publicReach: Reach = { resolve: lookUp(), isAllowed: isPublicAddress };

/** The message is a fixed sentence, because it is logged. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** Refuses the host if one of its addresses is not allowed: a name that also points inside is not called. */
export async function checkedAddresses(
  { hostname }: URL,
  { resolve, isAllowed }: Reach,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  if (addresses.length === 0) throw new UnreachableError("the name has no address");
  if (!addresses.every(isAllowed)) throw new UnreachableError("an address of the host is not allowed");
  return addresses;
}

/** The longest lookup, ms. */
const lookUpMs = 3_000;

/** The caller does not learn the addresses. */
export async function isReachable(url: URL, reach: Reach): Promise<boolean> {
  try {
    await checkedAddresses(url, reach, AbortSignal.timeout(lookUpMs));
    return true;
  } catch {
    return false;
  }
}

/** A lookup that returns only these addresses, so that only checked addresses are called. */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all || !first) done(null, found);
    else done(null, first.address, first.family);
  };
}

/** Queries name servers for IPv4 and IPv6; this machine's name servers by default. */
export function lookUp(servers?: readonly string[]): Reach["resolve"] {
  return async (name, signal) => {
    signal.throwIfAborted();
    const resolver = new Resolver();
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener("abort", cancel);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}
