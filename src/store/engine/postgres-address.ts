/** Thrown for an address that the driver would misread. */
export class UnsupportedAddress extends Error {
  override readonly name = "UnsupportedAddress";
}

const authority = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?(?<hosts>[^/?#]*)/i;

/**
 * Refuses a list of hosts, which the driver cannot parse, and `target_session_attrs`, which it ignores: a
 * service that relies on it would write to a standby, or wait for a lost primary. Throws UnsupportedAddress, which names
 * the setting.
 */
export function requireOneHost(
  url: string,
  setting = "TICKMARK_DATABASE_URL",
  leadsTo = "the primary",
): void {
  const hosts = authority.exec(url)?.groups?.["hosts"] ?? "";
  // PostgreSQL accepts a user without a host (a parameter names the socket); `URL` does not.
  const { searchParams } = new URL(
    hosts === "" ? url.replace("@/", "@localhost/") : url.replace(hosts, "one"),
  );
  const several = hosts.includes(",") || (searchParams.get("host") ?? "").includes(",");
  const conditions = searchParams.get("target_session_attrs");
  if (!several && (conditions === null || conditions === "any")) return;
  throw new UnsupportedAddress(
    `${setting} takes the address of one host${several ? ", not a list" : ", without target_session_attrs"}. Name an address that leads to ${leadsTo}, such as that of a proxy in TCP mode. See resources/guides/proxy.md.`,
  );
}
