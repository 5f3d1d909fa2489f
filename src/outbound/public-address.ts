import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** All that IANA has given out for hosts; the rest is unassigned, or bound to one site, link or machine. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** RFC 6052: how a network without IPv4 reaches the hosts that have nothing else. */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Microsoft Azure answers virtual machines about themselves there, at an address of the public range. */
const azurePlatform = "168.63.129.16";

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === "unicast" && address.toString() !== azurePlatform;

/**
 * Whether an address belongs to one host of the public internet. Of addresses that carry an IPv4 inside, mapped and
 * translated ones are judged by it; 6to4 and Teredo are refused, since no webhook is served there. The metadata that clouds
 * give to their machines is at addresses of one link or site, with one exception.
 */
export function isPublicAddress(text: string): boolean {
  // A zone index names an interface of this machine.
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(isIP(text) === 6 ? inHex(text) : text);
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  if (address.match(translated)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(globalUnicast) && address.range() === "unicast";
}

/** ipaddr.js takes `::1.2.3.4` for a mapped IPv4, which the system does not; written in hex it can be only one. */
const inHex = (ipv6: string): string => new URL(`https://[${ipv6}]`).hostname.slice(1, -1);
