/** An address that the driver does not understand as its author meant it. */
export class UnsupportedAddress extends Error {
  override readonly name = "UnsupportedAddress";
}

const authority = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?(?<hosts>[^/?#]*)/i;

/**
 * Refuses what the driver would misread: a list of hosts, of which it knows none, and conditions on the server, which it
 * ignores: a service that counts on them would write to a standby, or wait for a primary that is gone.
 */
export function requireOneHost(url: string): void {
  const hosts = authority.exec(url)?.groups?.["hosts"] ?? "";
  // A user without a host, whose socket a parameter names, is an address to PostgreSQL alone.
  const { searchParams } = new URL(
    hosts === "" ? url.replace("@/", "@localhost/") : url.replace(hosts, "one"),
  );
  const several = hosts.includes(",") || (searchParams.get("host") ?? "").includes(",");
  const conditions = searchParams.get("target_session_attrs");
  if (!several && (conditions === null || conditions === "any")) return;
  throw new UnsupportedAddress(
    `TICKMARK_DATABASE_URL takes the address of one host${several ? ", not a list" : ", without target_session_attrs"}. Name an address that leads to the primary, such as that of a proxy in TCP mode. See resources/guides/proxy.md.`,
  );
}
