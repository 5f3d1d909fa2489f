import ipaddr from "ipaddr.js";

/** The key of a caller: an IPv4 address, or the /64 of an IPv6 one, because one host can use all of it. */
export function callerAddress(text: string): string {
  const known = read.get(text);
  if (known !== undefined) return known;
  const address = addressOf(text);
  if (read.size >= mostRead) read.clear();
  if (text.length <= longestAddress) read.set(text, address);
  return address;
}

/** A cache, because a client sends many requests and parsing an address takes some 2 µs. */
const read = new Map<string, string>();
const mostRead = 10_000;
/** The longest IPv6 address, one with an IPv4 address at its end, characters. */
const longestAddress = 45;

function addressOf(text: string): string {
  if (!ipaddr.isValid(text)) return "unknown";
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const network = [...address.toByteArray().slice(0, 8), ...Array.from({ length: 8 }, () => 0)];
  return `${ipaddr.fromByteArray(network).toString()}/64`;
}
