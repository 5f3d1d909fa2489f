/** Null when the request is allowed. */
export type OriginVerdict = "duplicate" | "foreign" | null;

/**
 * Checks Host and Origin against the base URL, against DNS rebinding: no web page may reach the connector
 * through a name that it points at this machine. `rawHeaders` holds names and values in turn.
 */
export function originCheck(baseUrl: string): (rawHeaders: readonly string[]) => OriginVerdict {
  const base = new URL(baseUrl);
  const hosts = hostsOf(base);
  const origins = new Set([...hosts].map((host) => `${base.protocol}//${host}`));
  return (rawHeaders) => {
    const host = valuesOf(rawHeaders, "host");
    const origin = valuesOf(rawHeaders, "origin");
    if (host.length > 1 || origin.length > 1) return "duplicate";
    if (!host[0] || !hosts.has(host[0].toLowerCase())) return "foreign";
    return origin[0] === undefined || origins.has(origin[0].toLowerCase()) ? null : "foreign";
  };
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** The accepted Host headers; the scheme's default port may be written or left out. */
function hostsOf({ protocol, hostname, port }: URL): ReadonlySet<string> {
  const names = loopback.includes(hostname) ? loopback : [hostname];
  if (port !== "") return new Set(names.map((name) => `${name}:${port}`));
  const usual = protocol === "https:" ? "443" : "80";
  return new Set(names.flatMap((name) => [name, `${name}:${usual}`]));
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}
