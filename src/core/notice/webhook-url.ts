/** Characters. The longest webhook addresses in use stay below 300. */
const longest = 2048;
/** Below it only 443 may be called: the other ports there belong to mail, directories and the like. */
const firstFreePort = 1024;

/**
 * The address of a chat webhook, or null where the text is none: https, no credentials, port 443 or one from 1024.
 * Whether its host may be reached is decided when a message is sent, since a name can point elsewhere by then.
 */
export function webhookUrl(text: string): URL | null {
  if (text.length > longest || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPortFree = url.port === "" || Number(url.port) >= firstFreePort;
  return url.protocol === "https:" && url.username + url.password === "" && isPortFree ? url : null;
}
