import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** The rules for calling an address that a user typed in. */
export interface Reach {
  /** Every address a name stands for. */
  readonly resolve: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly isAllowed: (address: string) => boolean;
  /** PEM of the one authority to trust; undefined for those of Node. */
  readonly authority?: string;
}

/** The public internet, by its name servers alone: the names this machine has of its own mean nothing outside. */
export const publicReach: Reach = { resolve: lookUp(), isAllowed: isPublicAddress };

/** Why a host is not called; a fixed sentence, since it stands in logs. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/**
 * The addresses of a URL's host, all of them checked: one that is not allowed rules out the others, since a name
 * that also points inside is not called at all.
 */
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

/** Looking up a name takes no longer, ms. */
const lookUpMs = 3_000;

/** Whether a URL's host may be called at this moment; the caller does not learn its addresses. */
export async function isReachable(url: URL, reach: Reach): Promise<boolean> {
  try {
    await checkedAddresses(url, reach, AbortSignal.timeout(lookUpMs));
    return true;
  } catch {
    return false;
  }
}

/** A lookup that returns only these addresses, so that the checked addresses are the called ones. */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, done) => {
    const [first] = found;
    if (all || !first) done(null, found);
    else done(null, first.address, first.family);
  };
}

/** Queries name servers for both kinds of address; those of this machine by default. */
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
