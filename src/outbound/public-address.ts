import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Everything that IANA assigned to hosts; the rest is unassigned, or local to a site, link or machine. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** RFC 6052: how a network without IPv4 reaches hosts with IPv4 only. */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Microsoft Azure's service for virtual machines, at an address of the public range. */
const azurePlatform = "168.63.129.16";

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === "unicast" && address.toString() !== azurePlatform;

/**
 * Mapped and translated addresses are judged by the IPv4 inside; 6to4 and Teredo are refused, because no
 * webhook uses them. Cloud metadata is at addresses of one link or site, except Azure's.
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

/** ipaddr.js reads `::1.2.3.4` as a mapped IPv4, unlike the system; in hex it has one meaning. */
const inHex = (ipv6: string): string => new URL(`https://[${ipv6}]`).hostname.slice(1, -1);
