/** What stands for a password. */
const hidden = "***";

/** Parameters of addresses that hold a secret, such as `password` and `sslpassword` of PostgreSQL. */
const secretParameter = /pass|secret|token|key/i;

/** An address without its passwords. One whose parts cannot be told apart is hidden behind its scheme. */
export function withoutPasswords(address: string): string {
  if (!address.includes("://")) return address;
  const url = URL.canParse(address) ? new URL(address) : null;
  // A password with an unquoted slash or @ leaves the rest of it in the path.
  if (url === null || /@/.test(url.pathname + url.hash))
    return `${address.slice(0, address.indexOf("://"))}://${hidden}`;
  if (url.password !== "") url.password = hidden;
  for (const name of url.searchParams.keys())
    if (secretParameter.test(name)) url.searchParams.set(name, hidden);
  return url.href;
}
