import ipaddr from "ipaddr.js";

/**
 * The part of an address that counts as one caller: an IPv4 address, or the /64 network of an IPv6 one, since
 * whoever has one IPv6 address has the other 2^64 of its network too.
 */
export function callerAddress(text: string): string {
  if (!ipaddr.isValid(text)) return "unknown";
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const network = address.toByteArray().slice(0, 8);
  return `${Buffer.from(network).toString("hex")}::/64`;
}
