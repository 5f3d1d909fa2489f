const hidden = "***";

/** Parameters of addresses that hold a secret, such as `password` and `sslpassword` of PostgreSQL. */
const secretParameter = /pass|secret|token|key/i;

/** If the parts of the address cannot be told apart, shows its scheme only. */
export function withoutPasswords(address: string): string {
  if (!address.includes("://")) return address;
  const url = URL.canParse(address) ? new URL(address) : null;
  // A password with an unquoted slash or @ continues in the path.
  if (url === null || /@/.test(url.pathname + url.hash))
    return `${address.slice(0, address.indexOf("://"))}://${hidden}`;
  if (url.password !== "") url.password = hidden;
  for (const name of url.searchParams.keys())
    if (secretParameter.test(name)) url.searchParams.set(name, hidden);
  return url.href;
}
