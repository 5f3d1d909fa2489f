import ipaddr from "ipaddr.js";

/**
 * The part of an address that counts as one caller: an IPv4 address, or the /64 network of an IPv6 one, since
 * whoever has one IPv6 address has the other 2^64 of its network too.
 */
export function callerAddress(text: string): string {
  const known = read.get(text);
  if (known !== undefined) return known;
  const address = addressOf(text);
  if (read.size >= mostRead) read.clear();
  if (text.length <= longestAddress) read.set(text, address);
  return address;
}

/** Addresses that were read lately: a client sends many requests, and reading one takes some 2 µs. */
const read = new Map<string, string>();
const mostRead = 10_000;
/** The longest text of an IPv6 address with an IPv4 address at its end, characters. */
const longestAddress = 45;

function addressOf(text: string): string {
  if (!ipaddr.isValid(text)) return "unknown";
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const network = [...address.toByteArray().slice(0, 8), ...Array.from({ length: 8 }, () => 0)];
  return `${ipaddr.fromByteArray(network).toString()}/64`;
}
