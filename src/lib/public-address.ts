import ipaddr from "ipaddr.js";

/** The metadata service of Azure has an address that no registry calls special. */
const metadataAddresses = new Set(["168.63.129.16"]);

/** Addresses of IPv6 that belong to networks of the internet. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an IP address belongs to the public internet: not loopback, private, link-local, unique-local, multicast,
 * reserved, a metadata service, or a form of IPv6 that holds an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || metadataAddresses.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
}

/** Whether an IP address leads to this machine. Forms of IPv6 that hold an IPv4 address do not count. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";

/** Names that lead to this machine by RFC 6761. */
export const isLocalName = (host: string): boolean => /(^|\.)localhost$/i.test(host);

/** Whether the host of a URL is this machine, by its name or its address. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  return isLocalName(name) || isLoopbackAddress(name);
}
